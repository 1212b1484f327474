package agreement_test

import (
	"testing"

	"github.com/genaievals/genaievals/internal/calibrate/agreement"
)

// One label throughout says nothing about how sure kappa is.
func TestKappaOfOneLabelHasNoInterval(t *testing.T) {
	for name, m := range map[string]agreement.Matrix{
		"of the judge": {{7, 0}, {5, 0}}, "of people": {{7, 5}, {0, 0}},
	} {
		k := m.Kappa()
		if k == nil || k.Value != 0 || k.StandardError != nil || k.Low != nil || k.High != nil {
			t.Errorf("%s: %+v", name, k)
		}
	}
}
