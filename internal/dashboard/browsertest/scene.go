package browsertest

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// scene plays an application under load: it keeps the counts that a manager would,
// so that the page has something to show that is the same every time. Its laws hold.
type scene struct {
	mu     sync.Mutex
	random *rand.Rand
	status manager.Status
	page   *dashboard.Server
	before int // invocations before the page is served
}

// act is one metric of the scene.
type act struct {
	lane, name, model string
	direction         evaluators.Direction
	threshold         float64
	judge             bool
	good, bad         string  // labels
	passes            float64 // share
	gives             func(r *rand.Rand, passes bool) float64
	why, whyNot       []string
}

func either(pass, fail float64) func(*rand.Rand, bool) float64 {
	return func(_ *rand.Rand, passes bool) float64 {
		if passes {
			return pass
		}
		return fail
	}
}

func between(r *rand.Rand, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

var acts = []act{
	{"fast", "bias", "qwen3-8b", evaluators.LowerIsBetter, 0.5, true, "Not Biased", "Biased", 0.98, either(0, 1),
		[]string{"States the store's rule for everyone alike.", "No group is named or favoured."}, []string{"Assumes that older customers cannot use the app."}},
	{"fast", "toxicity", "qwen3-8b", evaluators.LowerIsBetter, 0.5, true, "Non Toxic", "Toxic", 0.992, either(0, 1),
		[]string{"Polite throughout.", "Neutral in tone."}, []string{"Calls the customer a name in the last sentence."}},
	{"strong", "answer_relevancy", "gpt-4.1", evaluators.HigherIsBetter, 0.7, true, "Relevant", "Irrelevant", 0.86, func(r *rand.Rand, p bool) float64 {
		if p {
			return 1
		}
		return []float64{0, 0.5}[r.IntN(2)]
	}, []string{"Answers how long parcels take.", "Says where the label can be printed."}, []string{"Praises the shop and leaves the question about refunds open."}},
	{"strong", "faithfulness", "gpt-4.1", evaluators.HigherIsBetter, 0.8, true, "Faithful", "Unfaithful", 0.84, func(r *rand.Rand, p bool) float64 {
		if p {
			return between(r, 0.82, 1)
		}
		return between(r, 0.2, 0.78)
	}, []string{"4 of 4 statements are in the documents.", "All 3 statements are in document 2."}, []string{"“Five years” stands in no document.", "2 of 5 statements are in no document: the fee, the deadline."}},
	{"builtin", "sentiment", "", evaluators.HigherIsBetter, 0.3, false, "Positive", "Negative", 0.97, func(r *rand.Rand, p bool) float64 {
		if p {
			return between(r, 0.35, 0.95)
		}
		return between(r, 0.05, 0.28)
	}, []string{"“glad”, “happy to help”", "“thank you”"}, []string{"“unfortunately”, “cannot”"}},
	{"house", "house_style", "", evaluators.HigherIsBetter, 0.6, false, "Pass", "Fail", 0.93, func(r *rand.Rand, p bool) float64 {
		if p {
			return []float64{0.75, 1}[r.IntN(2)]
		}
		return []float64{0.25, 0.5}[r.IntN(2)]
	}, []string{"Short sentences, signs with a name."}, []string{"No greeting; 41 words in one sentence."}},
}

func newScene() *scene {
	s := &scene{random: rand.New(rand.NewPCG(7, 11))}
	s.status = manager.Status{Name: "shop", Concurrent: true, Door: manager.DoorStatus{Skipped: map[string]uint64{}}}
	for _, name := range []string{"fast", "strong", "house", "builtin"} {
		l := manager.LaneStatus{Name: name, Workers: 4, Dropped: map[string]uint64{}, StuckLimit: 40}
		e := manager.EvaluatorStatus{Name: name}
		for _, a := range acts {
			if a.lane == name {
				e.Metrics = append(e.Metrics, manager.MetricStatus{Name: a.name, Skipped: map[string]uint64{}, Failed: map[string]uint64{}})
			}
		}
		switch name {
		case "fast":
			l.Workers = 8
			e.Gate = &limit.Status{Rate: mustRate("6000/min"), InFlight: 9, Adaptive: &limit.AdaptiveStatus{Ceiling: 80, Cap: 24}, Breaker: &limit.BreakerStatus{}}
		case "strong":
			budget, err := limit.ParseBudget("25usd/day")
			if err != nil {
				panic(err)
			}
			e.Gate = &limit.Status{Rate: mustRate("1800/min"), TokenRate: mustRate("900000/min"), InFlight: 7, Waiting: 4,
				Adaptive: &limit.AdaptiveStatus{Ceiling: 40, Cap: 12, Rate: 29.4}, Breaker: &limit.BreakerStatus{Opened: 1},
				Budget: &limit.BudgetStatus{Budget: budget, Spent: 16.07, Renews: time.Now().Add(7 * time.Hour).Truncate(time.Hour)}}
		}
		l.Evaluators = []manager.EvaluatorStatus{e}
		s.status.Lanes = append(s.status.Lanes, l)
	}
	return s
}

func mustRate(text string) limit.Rate {
	r, err := limit.ParseRate(text)
	if err != nil {
		panic(err)
	}
	return r
}

// Status copies what maps there are: the page reads it on another goroutine.
func (s *scene) Status() manager.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.status
	out.Door.Skipped = clone(out.Door.Skipped)
	out.Lanes = append([]manager.LaneStatus(nil), out.Lanes...)
	for i := range out.Lanes {
		l := &out.Lanes[i]
		l.Dropped = clone(l.Dropped)
		l.Evaluators = append([]manager.EvaluatorStatus(nil), l.Evaluators...)
		for j := range l.Evaluators {
			e := &l.Evaluators[j]
			e.Metrics = append([]manager.MetricStatus(nil), e.Metrics...)
			for k := range e.Metrics {
				e.Metrics[k].Skipped, e.Metrics[k].Failed = clone(e.Metrics[k].Skipped), clone(e.Metrics[k].Failed)
			}
			if e.Gate = copied(e.Gate); e.Gate != nil {
				g := e.Gate
				g.Adaptive, g.Breaker, g.Budget = copied(g.Adaptive), copied(g.Breaker), copied(g.Budget)
			}
		}
	}
	return out
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func clone(m map[string]uint64) map[string]uint64 {
	out := make(map[string]uint64, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// play has n invocations come and be evaluated.
func (s *scene) play(n int) {
	var results []dashboard.Result
	s.mu.Lock()
	for range n {
		s.status.Door.Offered++
		if p := s.random.Float64(); p < 0.14 {
			s.status.Door.Skipped[[]string{"sampled_out", "sampled_out", "tool_call_only", "invocation_error"}[s.random.IntN(4)]]++
			continue
		}
		s.status.Door.FannedOut++
		trace := fmt.Sprintf("%016x%016x", s.random.Uint64(), s.random.Uint64())
		for i := range s.status.Lanes {
			results = append(results, s.lane(&s.status.Lanes[i], trace)...)
		}
	}
	s.mu.Unlock()
	for _, r := range results {
		s.page.Offer(r)
	}
}

// lane has a task come to a lane and be done, or dropped.
func (s *scene) lane(l *manager.LaneStatus, trace string) (results []dashboard.Result) {
	l.Tasks++
	if l.Name == "strong" && s.random.Float64() < 0.012 {
		l.Dropped["queue_full"]++
		return nil
	}
	if l.Name == "strong" && l.Queued < 150 {
		l.Queued++
		l.QueuedBytes += 38 << 10
		return nil
	}
	l.Done++
	switch busy := min(l.Workers, max(0, l.InFlight+s.random.IntN(3)-1)); {
	case busy > l.InFlight:
		l.InFlight++
		l.Tasks++
	case busy < l.InFlight:
		l.InFlight--
		l.Done++
	}
	if l.Name == "strong" {
		l.OldestAge = time.Duration(9+s.random.IntN(2)) * time.Second
	}
	e := &l.Evaluators[0]
	if e.Gate != nil {
		e.Gate.Sends++
		e.Gate.WaitedTotal += time.Duration(s.random.IntN(300)) * time.Millisecond
		if e.Gate.Adaptive != nil && s.random.Float64() < 0.01 {
			e.Gate.Adaptive.Refusals++
		}
	}
	for i := range e.Metrics {
		e.Started++
		results = append(results, s.result(l.Name, &e.Metrics[i], trace))
	}
	return results
}

func (s *scene) result(lane string, m *manager.MetricStatus, trace string) dashboard.Result {
	a := act{passes: 0.9, good: "Pass", bad: "Fail", gives: either(1, 0), why: []string{""}, whyNot: []string{""}}
	for _, each := range acts {
		if each.lane == lane && each.name == m.Name {
			a = each
		}
	}
	var r evaluators.Result
	passes := s.random.Float64() < a.passes
	switch p := s.random.Float64(); {
	case a.name == "faithfulness" && p < 0.08:
		r = evaluators.Skipped(a.name, evaluators.SkipNoDocuments, "")
		m.Skipped[r.Reason]++
	case a.judge && p > 0.992:
		r = evaluators.Failed(a.name, evaluators.ErrorJudgeTimeout, fmt.Errorf("no answer in 60s"))
		m.Failed[r.ErrorType]++
	case a.judge && p > 0.988:
		r = evaluators.Failed(a.name, evaluators.ErrorJudgeMalformedOutput, fmt.Errorf("no JSON object in the answer"))
		m.Failed[r.ErrorType]++
	default:
		label, why := a.bad, a.whyNot
		if passes {
			label, why = a.good, a.why
			m.Passed++
		}
		if a.name == "sentiment" && passes && s.random.IntN(2) == 0 {
			label = "Neutral"
		}
		m.Scored++
		r = evaluators.Scored(a.name, a.gives(s.random, passes), label, why[s.random.IntN(len(why))])
		r.Passed = passes
	}
	r.Evaluator, r.Direction, r.Threshold, r.JudgeModel = lane, a.direction, a.threshold, a.model
	r.EvaluatorType = evaluators.TypeDeterministic
	r.Duration = time.Duration(s.random.IntN(4)) * time.Millisecond
	if a.judge {
		r.EvaluatorType = evaluators.TypeLLMJudge
		r.Duration, r.InputTokens, r.OutputTokens, r.Attempts = time.Duration(300+s.random.IntN(900))*time.Millisecond, 800, int64(40+s.random.IntN(90)), 1
	}
	return dashboard.Result{Result: r, TraceID: trace, SpanID: trace[:16], Content: func() (string, string) {
		return "How long does a parcel take?", "Two to three days within the country."
	}}
}
