package envconfig

import (
	"os"
	"strings"
	"testing"
)

// setenv gives the process an environment in which only these of the
// variables that we read are set. Load reads the real environment, so the
// tests cannot run in parallel.
func setenv(t *testing.T, env map[string]string) {
	t.Helper()
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, Prefix) || strings.HasPrefix(name, olderPrefix) {
			unset(t, name)
		}
	}
	for _, name := range knownNames() {
		unset(t, name)
	}
	for name, value := range env {
		t.Setenv(name, value)
	}
}

func unset(t *testing.T, name string) {
	t.Setenv(name, "") // puts the old value back at the end
	if err := os.Unsetenv(name); err != nil {
		t.Fatal(err)
	}
}

// texts are the warnings as text.
func texts(ws []Warning) []string {
	var out []string
	for _, w := range ws {
		out = append(out, w.String())
	}
	return out
}
