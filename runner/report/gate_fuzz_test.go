package report_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/runner/report"
)

// Whatever is given: a gate within its range, which reads back as itself, or an
// error that says what was expected.
func FuzzParseGate(f *testing.F) {
	for _, seed := range []string{"0.8", "faithfulness=0.8", "judge.bias=20%", "2%", "10", "=", "a=b=0.5", "1e5", "NaN", "٪", "0.5 %", "-0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(string) (report.Gate, error){report.ParseFailUnder, report.ParseMinPassRate, report.ParseMaxFailed} {
			g, err := parse(text)
			if err != nil {
				if !strings.Contains(err.Error(), "expected") || g != (report.Gate{}) {
					t.Errorf("%q: %+v, %v", text, g, err)
				}
				continue
			}
			if !(g.Limit >= 0) || (!g.Count && g.Limit > 1) || (g.Kind == report.MaxFailed && g.Metric != "") {
				t.Errorf("%q: %+v", text, g)
			}
			again, err := parse(strings.TrimPrefix(g.String(), string(g.Kind)+" "))
			if err != nil || again.Metric != g.Metric || again.Count != g.Count || again.Limit-g.Limit > 1e-9 || g.Limit-again.Limit > 1e-9 {
				t.Errorf("%q: %+v reads back as %+v, %v", text, g, again, err)
			}
		}
	})
}
