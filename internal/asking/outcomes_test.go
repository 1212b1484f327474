package asking_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
)

func TestResultsAreCountedUnderFewNames(t *testing.T) {
	o := asking.NewOutcomes()
	for _, r := range []evaluators.Result{
		{Outcome: evaluators.OutcomeScored, Passed: true},
		{Outcome: evaluators.OutcomeScored},
		evaluators.Skipped("x", "no_context", ""),
		evaluators.Skipped("x", "Who asks?", ""),
		evaluators.Failed("x", "timeout", errors.New("late")),
		evaluators.Failed("x", "no name", errors.New(strings.Repeat("é", 400))),
		{},
	} {
		o.Count(&r)
		if !asking.IsName(r.Reason) && !asking.IsName(r.ErrorType) && r.Reason+r.ErrorType != "_OTHER" && r.Reason+r.ErrorType != "" {
			t.Errorf("counted as %q %q", r.Reason, r.ErrorType)
		}
	}
	want := asking.Outcomes{
		Scored: 2, Passed: 1, Skipped: map[string]uint64{"no_context": 1, "_OTHER": 1}, Failed: map[string]uint64{"timeout": 1, "_OTHER": 1},
		LastError: strings.Repeat("é", asking.MaxErrorText/2) + "…",
	}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for i := range 1000 {
		o.Count(new(evaluators.Skipped("x", fmt.Sprintf("reason_%d", i), "")))
	}
	if len(o.Skipped) > 65 {
		t.Errorf("%d reasons", len(o.Skipped))
	}
}
