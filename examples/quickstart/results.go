package main

import (
	"cmp"
	"slices"
	"sync"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

// resultsByQuestion keeps what the handlers are told, by the question's id that
// the app put on the context. It is safe for concurrent use.
type resultsByQuestion struct {
	mu      sync.Mutex
	results map[string][]evaluators.Result
	drops   map[string]string // reasons
}

func newResultsByQuestion() *resultsByQuestion {
	return &resultsByQuestion{results: map[string][]evaluators.Result{}, drops: map[string]string{}}
}

// add is the result handler.
func (r *resultsByQuestion) add(inv *instrumentation.Invocation, results []evaluators.Result) {
	id := questionID(inv)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results[id] = append(r.results[id], results...)
}

// drop is the drop handler.
func (r *resultsByQuestion) drop(d manager.Drop) {
	id := questionID(d.Invocation)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drops[id] = d.Reason
}

func questionID(inv *instrumentation.Invocation) string {
	for _, property := range inv.Properties() {
		if property.Key == questionIDKey {
			return property.Value.AsString()
		}
	}
	return ""
}

// of returns the results for a question by metric and evaluator, in whatever
// order they came.
func (r *resultsByQuestion) of(id string) []evaluators.Result {
	r.mu.Lock()
	defer r.mu.Unlock()
	results := slices.Clone(r.results[id])
	slices.SortStableFunc(results, func(a, b evaluators.Result) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Evaluator, b.Evaluator))
	})
	return results
}

// dropped returns why the answer to a question was dropped, if it was.
func (r *resultsByQuestion) dropped(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.drops[id]
}

// len returns how many questions have results.
func (r *resultsByQuestion) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.results)
}
