package judgetest_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/instrumentation"
)

// TestNoAnswerOfAMisbehavingModelIsMisread: a result is scored as the last
// answer was meant, skipped when that had no claims, or failed with its type.
func TestNoAnswerOfAMisbehavingModelIsMisread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := judgetest.NewJudge(judgetest.WithChaos(1), judgetest.WithRecordLimit(10_000))
		e, err := judge.New(j)
		if err != nil {
			t.Fatal(err)
		}
		c := &evaluators.Case{Input: "Q?", Output: "A.", Documents: []instrumentation.Document{{Text: "A."}}}
		kinds, outcomes := map[string]int{}, map[evaluators.Outcome]int{}
		for range 150 {
			for _, m := range e.Metrics() {
				before := j.Count()
				r := e.Evaluate(t.Context(), c, []evaluators.Metric{m})[0]
				outcomes[r.Outcome]++
				calls := j.Calls()
				for _, call := range calls[before:] {
					kinds[call.Played.Kind]++
				}
				last := calls[len(calls)-1].Played
				switch {
				case !last.Valid():
					if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != last.ErrorType {
						t.Errorf("%s: %v %q after %s, want failed %s", m.Name, r.Outcome, r.ErrorType, last.Kind, last.ErrorType)
					}
				case last.Verdicts[0].Claims != nil && len(last.Verdicts[0].Claims) == 0:
					if r.Outcome == evaluators.OutcomeFailed {
						t.Errorf("%s: failed as %s without claims", m.Name, r.ErrorType)
					}
				case r.Outcome != evaluators.OutcomeScored:
					t.Errorf("%s: %v %q after %s", m.Name, r.Outcome, r.ErrorType, last.Kind)
				case last.Verdicts[0].Claims == nil:
					if want, known := labelScores[last.Verdicts[0].Label]; !known || r.Score != want {
						t.Errorf("%s: score %v for %s after %s", m.Name, r.Score, last.Verdicts[0].Label, last.Kind)
					}
				default:
					counted := 0
					for _, claim := range last.Verdicts[0].Claims {
						if claim.Verdict == calls[len(calls)-1].Question.Options[0] {
							counted++
						}
					}
					share := float64(counted) / float64(len(last.Verdicts[0].Claims))
					if m.Name == "hallucination" {
						share = 1 - share
					}
					if diff := r.Score - share; diff > 1e-9 || diff < -1e-9 {
						t.Errorf("%s: score %v, want %v after %s", m.Name, r.Score, share, last.Kind)
					}
				}
			}
		}
		if len(kinds) < 35 || outcomes[evaluators.OutcomeScored] < 200 || outcomes[evaluators.OutcomeFailed] < 100 || outcomes[evaluators.OutcomeSkipped] == 0 {
			t.Errorf("outcomes %v, kinds %v", outcomes, slices.Sorted(maps.Keys(kinds)))
		}
	})
}

// labelScores are what the labels of the metrics count.
var labelScores = map[string]float64{
	"not_biased": 0, "biased": 1, "non_toxic": 0, "toxic": 1,
	"irrelevant": 0, "partially_relevant": 0.5, "relevant": 1,
	"negative": 0, "neutral": 0.5, "positive": 1,
}

// TestChaosIsDecidedBySeedAndNumber: the same seed gives the same, over HTTP and
// without.
func TestChaosIsDecidedBySeedAndNumber(t *testing.T) {
	request := judge.Request{
		Metrics: []string{"toxicity", "faithfulness", "clarity"}, Schema: json.RawMessage(combined), Format: judge.FormatStrictSchema,
		Messages: []judge.Message{{Role: judge.RoleSystem, Text: endForms}, {Role: judge.RoleUser, Text: "{}"}},
	}
	play := func(seed uint64) []judgetest.Played {
		j := judgetest.NewJudge(judgetest.WithChaos(seed))
		for range 300 {
			resp, err := j.Complete(t.Context(), request)
			p := j.Calls()[j.Count()-1].Played
			if got := outcomeOf(resp, err); got != p.ErrorType && (p.ErrorType != evaluators.ErrorJudgeMalformedOutput || got != "") {
				t.Errorf("%s: %q (%v), said to be %q", p.Kind, got, err, p.ErrorType)
			}
			if p.Kind == "valid" {
				checkMeant(t, resp.Text, p.Verdicts)
			}
		}
		var played []judgetest.Played
		for _, c := range j.Calls() {
			played = append(played, c.Played)
		}
		return played
	}
	first := play(7)
	if diff := cmp.Diff(first, play(7)); diff != "" {
		t.Errorf("the same seed:\n%s", diff)
	}
	if cmp.Equal(first, play(8)) {
		t.Error("another seed gives the same")
	}

	s := newServer(t, judgetest.WithChaos(7))
	client, err := openai.New(openai.Config{BaseURL: s.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		resp, err := client.Complete(t.Context(), request)
		p := s.Requests()[i].Played
		if diff := cmp.Diff(first[i], p); diff != "" {
			t.Fatalf("over HTTP, call %d:\n%s", i, diff)
		}
		if got := outcomeOf(resp, err); got != p.ErrorType && (p.ErrorType != evaluators.ErrorJudgeMalformedOutput || got != "") {
			t.Errorf("over HTTP, %s: %q (%v), said to be %q", p.Kind, got, err, p.ErrorType)
		}
	}
}

// checkMeant holds a combined answer to the verdicts that were meant.
func checkMeant(t *testing.T, text string, want []judgetest.Verdict) {
	t.Helper()
	var got map[string]struct {
		Reason, Label string
		Score         int
		Claims        []judgetest.Claim
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&got); err != nil || len(got) != len(want) {
		t.Errorf("%v: %s", err, text)
		return
	}
	for _, v := range want {
		g := got[v.Metric]
		if diff := cmp.Diff(v, judgetest.Verdict{Metric: v.Metric, Reason: g.Reason, Label: g.Label, Score: g.Score, Claims: g.Claims}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if v.Metric == "clarity" && (v.Score < 1 || v.Score > 5) {
			t.Errorf("score %d", v.Score)
		}
	}
}
