package samples

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// FuzzRead: whatever a file holds and whatever it is taken for, reading does
// not panic, ends, and yields samples that their metric can be asked of.
func FuzzRead(f *testing.F) {
	for _, x := range fixtures {
		f.Add(x.text, x.name, x.format)
		f.Add(x.text, x.name, "")
	}
	f.Add("\x1f\x8b\x08\x00", "a.gz", "")
	f.Add("[{},[],null,1,\"\",{\"metric\":\"bias\"}", "a", "")
	f.Add("a\"b,\"c\n\"", "a.csv", "samples")
	f.Add("{\"samples\":[{\"sample_id\":{},\"source\":1,\"summary\":[],\"annotations\":\"\"}", "b", "faithbench:hallucination")
	f.Fuzz(func(t *testing.T, text, name, format string) {
		all, err := Read(strings.NewReader(text), name, format)
		if err != nil {
			return
		}
		rows := 0
		for s, err := range all {
			if rows++; rows > 2*len(text)+2 {
				t.Fatalf("%d yielded of %d bytes", rows, len(text))
			}
			if err != nil {
				var row *RowError
				if errors.As(err, &row) && row.Row < 1 {
					t.Errorf("row %d: %v", row.Row, err)
				}
				continue
			}
			if s.ID == "" || s.Metric == "" || s.Label == "" {
				t.Errorf("id %q, metric %q, label %q", s.ID, s.Metric, s.Label)
			}
			if !utf8.ValidString(s.Case.Output) || !utf8.ValidString(s.Label) {
				t.Errorf("not UTF-8: %q %q", s.Label, s.Case.Output)
			}
			if again, err := labelNamed(s.Metric, s.Label); err != nil || again != s.Label {
				t.Errorf("label %q of %s: %v", s.Label, s.Metric, err)
			}
			if reason, missing := evaluators.NeedsMissing(&s.Case, questions[s.Metric].needs|evaluators.NeedOutput); missing {
				t.Errorf("%s: %s", s.ID, reason)
			}
		}
	})
}

// FuzzPair is the same for two files whose lines belong together.
func FuzzPair(f *testing.F) {
	f.Add("a\nb\n", "0\n1\n")
	f.Add("a", "0\n\n\n")
	f.Add("\n\n", "")
	f.Fuzz(func(t *testing.T, texts, labels string) {
		pair := &source{name: "f", reader: pairOf(strings.NewReader(texts), strings.NewReader(labels)), format: tweetSentiment, metric: sentiment}
		pair.yieldAll(func(s Sample, err error) bool {
			if err == nil && (s.Label == "" || s.Case.Output == "") {
				t.Errorf("label %q, output %q", s.Label, s.Case.Output)
			}
			return true
		})
	})
}
