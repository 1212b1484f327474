package envconfig_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
)

// The environment is read leniently: what cannot be taken as it stands is a
// warning, and an option may still replace it.
func ExampleLoad() {
	for name, value := range map[string]string{
		"CONCURRENT": "yes", "WORKERS": "2000", "JUDGE_API_KEY": "sk-example",
	} {
		os.Setenv(envconfig.Prefix+name, value)
		defer os.Unsetenv(envconfig.Prefix + name)
	}

	config, warnings := envconfig.Load()
	for _, w := range warnings {
		fmt.Println(w)
	}
	config.Span = envconfig.SpanLink // what an option does
	if err := config.Validate(); err != nil {
		fmt.Println(err)
	}
	for _, v := range config.Variables() {
		switch name := strings.TrimPrefix(v.Name, envconfig.Prefix); name {
		case "CONCURRENT", "WORKERS", "TIMEOUT", "SPAN", "JUDGE_API_KEY":
			fmt.Println(name, v.Value, v.Source)
		}
	}
	// Output:
	// OTEL_INSTRUMENTATION_GENAI_EVALS_WORKERS: "2000" is out of range, 1024 is used; it takes a whole number from 1 to 1024
	// CONCURRENT true environment
	// WORKERS 1024 environment
	// TIMEOUT 1m default
	// JUDGE_API_KEY (set) environment
	// SPAN link option
}
