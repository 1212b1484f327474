package report_test

import (
	"bytes"
	"testing"

	"github.com/genaievals/genaievals/runner/report"
)

func TestX(t *testing.T) {
	h := header()
	r := finished(t, h, records(h))
	g := report.Gates{WarnOnly: []string{"bias"}}
	for _, text := range []string{"faithfulness=0.8", "bias=0.2", "0.8"} {
		gate, err := report.ParseFailUnder(text)
		if err != nil {
			t.Fatal(err)
		}
		g.Gates = append(g.Gates, gate)
	}
	gate, _ := report.ParseMinPassRate("90%")
	g.Gates = append(g.Gates, gate)
	gate, _ = report.ParseMaxFailed("2%")
	g.Gates = append(g.Gates, gate)
	v, err := r.Apply(g)
	t.Log(v, err)
	var b bytes.Buffer
	report.Table(&b, r, report.Terminal{})
	t.Log("\n" + b.String())
	b.Reset()
	report.Table(&b, r, report.Terminal{ASCII: true, Width: 70})
	t.Log("\n" + b.String())
	b.Reset()
	report.JSON(&b, r)
	t.Log("\n" + b.String())
}
