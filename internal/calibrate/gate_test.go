package calibrate_test

import (
	"testing"

	"github.com/genaievals/genaievals/internal/calibrate"
)

func TestGatesFailWhereNothingIsKnown(t *testing.T) {
	r := run(t, config(says(verdict), of(labelled("Biased", "Biased"), labelled("Biased", "Biased"))))
	for name, tt := range map[string]struct {
		measure, metric string
		minimum         float64
		want            bool
	}{
		"met":               {calibrate.MeasureAgreement, "bias", 1, true},
		"of all metrics":    {calibrate.MeasureCoverage, "", 1, true},
		"kappa not defined": {calibrate.MeasureKappa, "bias", -1, false},
		"no such metric":    {calibrate.MeasureAgreement, "toxicity", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.Check(tt.measure, tt.metric, tt.minimum); got != tt.want {
				t.Errorf("passes: %v; %v", got, r.Gates)
			}
			if g := r.Gates[len(r.Gates)-1]; g.Passed != tt.want || g.String() == "" {
				t.Errorf("gate %v", g)
			}
		})
	}
}
