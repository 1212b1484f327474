package report_test

import (
	"bytes"
	"iter"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/report"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// What the offline metrics do on the samples that come with the program changes
// only when either does. On the clock of a bubble nothing takes any time.
func TestBuiltinOnTheBundledSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := builtin.New(builtin.WithModel(semantic.Open))
		r, err := calibrate.Run(t.Context(), calibrate.Config{
			Evaluator: e, Metrics: e.Metrics(),
			Source: func() (iter.Seq2[samples.Sample, error], error) { return samples.Bundled(), nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := report.Table(&b, r, false); err != nil {
			t.Fatal(err)
		}
		golden(t, "builtin.txt", b.Bytes())
	})
}
