package livetest

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// evaluation is what came of one group of metrics, and the calls that it took.
type evaluation struct {
	exchange
	metrics []evaluators.Metric
	results []evaluators.Result
}

// TestAgainstChaos: a model and a server that do everything wrong that real ones
// do, for thousands of calls. Beside what the suite holds against the answers as
// they arrived, every result is held against what the server meant to say:
// verdicts come through in whatever they are wrapped, everything else fails as what
// it was, and nothing is ever scored that nobody meant.
func TestAgainstChaos(t *testing.T) {
	for _, f := range forms() {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s, seed %d", f.name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { againstChaos(t, f, seed) })
			})
		}
	}
}

func againstChaos(t *testing.T, f form, seed uint64) {
	s, server, stop := scripted(t, judgetest.WithChaos(seed), judgetest.WithRecordLimit(1<<16))
	defer stop()
	s.rounds = 10
	var mu sync.Mutex
	var all []evaluation
	s.evaluated = func(x exchange, metrics []evaluators.Metric, results []evaluators.Result) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, evaluation{x, metrics, results})
	}
	total := s.run(t, f)
	if total.scored == 0 || total.unscored == 0 {
		t.Errorf("%d were scored and %d not:\n%s", total.scored, total.unscored, total)
	}
	played := map[string][]judgetest.Played{}
	for _, r := range server.Requests() {
		nonce := nonces.FindString(r.User + string(r.Body))
		played[nonce] = append(played[nonce], r.Played)
	}
	taken := map[string]int{}
	for _, e := range all {
		mine := played[e.sample.nonce][taken[e.sample.nonce]:]
		if len(mine) < len(e.calls) {
			t.Errorf("case %s: %d calls, and %d requests arrived", e.sample.nonce, len(e.calls), len(mine))
			return
		}
		taken[e.sample.nonce] += len(e.calls)
		e.checkMeant(mine)
		if t.Failed() {
			return
		}
	}
}

// checkMeant holds each result against what the server meant with the last call
// that asked its metric.
func (e evaluation) checkMeant(played []judgetest.Played) {
	for i, m := range e.metrics {
		last := -1
		for n, c := range e.calls {
			if slices.Contains(c.request.Metrics, m.Name) {
				last = n
			}
		}
		if last < 0 {
			continue // the suite has checked that it does not apply
		}
		r, p := e.results[i], played[last]
		want, meant := meantFor(m, p)
		switch {
		case !p.Valid() && (r.Outcome != evaluators.OutcomeFailed || p.ErrorType != "" && r.ErrorType != p.ErrorType):
			e.errorf(m, r, "the server gave %s, %s", p.Kind, p.ErrorType)
		case !p.Valid():
		case !meant:
			e.errorf(m, r, "the server gave %s and meant %+v, which the suite cannot read", p.Kind, p.Verdicts)
		case want.empty && r.Outcome != evaluators.OutcomeSkipped:
			e.errorf(m, r, "the server gave %s and meant no claims", p.Kind)
		case want.empty:
		case r.Outcome != evaluators.OutcomeScored || r.Score != want.score || r.Label != want.label:
			e.errorf(m, r, "the server gave %s and meant %v %q", p.Kind, want.score, want.label)
		}
	}
}

// meantFor is the verdict on a metric among those that a call was given.
func meantFor(m evaluators.Metric, p judgetest.Played) (reading, bool) {
	of := func(metric string) func(judgetest.Verdict) bool {
		return func(v judgetest.Verdict) bool { return v.Metric == metric }
	}
	i := slices.IndexFunc(p.Verdicts, of(m.Name))
	if i < 0 && m.Name == "hallucination" {
		i = slices.IndexFunc(p.Verdicts, of("faithfulness")) // whose verdicts serve both
	}
	if len(p.Verdicts) == 1 {
		i = 0 // all that the call asked
	}
	if i < 0 {
		return reading{}, false
	}
	switch v := p.Verdicts[i]; {
	case onScale[m.Name]:
		return readOption(m, strconv.Itoa(v.Score), "")
	case asksClaims(m):
		verdicts := make([]string, len(v.Claims))
		for i, c := range v.Claims {
			verdicts[i] = c.Verdict
		}
		return readVerdicts(m, verdicts)
	default:
		return readOption(m, v.Label, "")
	}
}
