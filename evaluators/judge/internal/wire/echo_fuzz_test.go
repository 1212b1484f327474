package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// FuzzEcho: cutting changes nothing but letters and digits, and leaves JSON
// JSON; no secret is left that reading JSON brings to light.
func FuzzEcho(f *testing.F) {
	f.Add("try again in 50 minutes, or not at all", "try again in 50 minutes, or not at all")
	f.Add(`a\u0062c \\\n " é`, `\\\\u0041 \`)
	f.Add("\xff\u00df\u0130", "\\ud83d\\ude00\\u")
	f.Fuzz(func(t *testing.T, output, said string) {
		document, err := json.Marshal(map[string]string{"output": output})
		if err != nil {
			t.Skip()
		}
		e := echoOf([]judge.Message{{Text: string(document)}})
		body, _ := json.Marshal(map[string]string{"message": said, "input": output})
		for _, s := range []string{said, string(body)} {
			if got := e.cut(s); len(got) != len(s) {
				t.Fatalf("%d bytes of %d", len(got), len(s))
			}
		}
		if got := e.cut(string(body)); !json.Valid([]byte(got)) {
			t.Fatalf("%s became %s", body, got)
		}
		secrets := credentials{"sk-planted/key"}
		for _, form := range []string{`sk-planted\/key`, `\u0073k-planted/key`, "sk-planted/key"} {
			text, _ := json.Marshal(said)
			text = append(text[:len(text)-1], form+`"`...)
			var read string
			if json.Unmarshal([]byte(secrets.without(string(text))), &read) == nil && strings.HasSuffix(read, "sk-planted/key") {
				t.Fatalf("%s has it", text)
			}
		}
	})
}
