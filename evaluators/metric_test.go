package evaluators

import (
	"math"
	"testing"
)

func TestPassesIsInclusive(t *testing.T) {
	higher := Metric{Direction: HigherIsBetter, Threshold: 0.5}
	lower := Metric{Direction: LowerIsBetter, Threshold: 0.5}
	for _, tt := range []struct {
		score               float64
		wantHigher, wantLow bool
	}{
		{0, false, true}, {0.49, false, true}, {0.5, true, true}, {0.51, true, false}, {1, true, false}, {math.NaN(), false, false},
	} {
		if got := higher.Passes(tt.score); got != tt.wantHigher {
			t.Errorf("%v, %s: %v", tt.score, higher.Direction, got)
		}
		if got := lower.Passes(tt.score); got != tt.wantLow {
			t.Errorf("%v, %s: %v", tt.score, lower.Direction, got)
		}
	}
}

func TestNamesThatAreEmitted(t *testing.T) {
	for got, want := range map[string]string{
		HigherIsBetter.String(): "higher_is_better", LowerIsBetter.String(): "lower_is_better",
		OutcomeScored.String(): "scored", OutcomeSkipped.String(): "skipped", OutcomeFailed.String(): "failed", Outcome(0).String(): "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFinite(t *testing.T) {
	for score, want := range map[float64]bool{0: true, 1: true, math.Inf(1): false, math.Inf(-1): false, math.NaN(): false} {
		if got := Scored("m", score, "", "").Finite(); got != want {
			t.Errorf("%v: %v", score, got)
		}
	}
}
