package main

import (
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

func TestAUC(t *testing.T) {
	for name, test := range map[string]struct {
		high, low []float64
		want      float64
	}{
		"apart":   {[]float64{3, 4}, []float64{2, 1}, 1},
		"swapped": {[]float64{1, 2}, []float64{4, 3}, 0},
		"ties":    {[]float64{1, 1}, []float64{1, 1}, 0.5},
		"mixed":   {[]float64{1, 3}, []float64{2, 0}, 0.75},
	} {
		if got := auc(test.high, test.low); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Skipped rows count against recall: what was not found was not found.
func TestDetectionCounts(t *testing.T) {
	var d detection
	bad := evaluators.Scored("m", 1, "Bad", "")
	good := evaluators.Scored("m", 0, "Good", "")
	skipped := evaluators.Skipped("m", evaluators.SkipNeedsJudge, "")
	for _, row := range []struct {
		should bool
		r      evaluators.Result
		wrong  bool
	}{
		{true, bad, false},
		{true, good, true},
		{true, skipped, false},
		{false, bad, true},
		{false, good, false},
		{false, skipped, false},
	} {
		if got := d.add(row.should, row.r, "Bad"); got != row.wrong {
			t.Errorf("should be found %v, %s %s: wrong %v", row.should, row.r.Outcome, row.r.Label, got)
		}
	}
	if want := (detection{is: 3, isNot: 3, found: 1, falseAlarms: 1, cleared: 2, wrongCleared: 1, skipped: 2}); d != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
}
