package genaievals

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// ErrNothingToEvaluate is wrapped by the error of [NewEvaluators] when the plan,
// or what is missing in the environment, leaves no evaluator that can be asked.
var ErrNothingToEvaluate = errors.New("nothing can be evaluated")

// EvaluatorSet is evaluators that are ready to be asked, with their gates, and
// without the rest of what [Start] starts: for a run over a data set. Make it
// with [NewEvaluators]. Its methods are safe for concurrent use.
type EvaluatorSet struct {
	assignments []evaluators.Assignment
	gates       map[string]*limit.Gate
	timeout     time.Duration
}

// NewEvaluators reads the environment, lays the options over it as Start does,
// and makes the evaluators that the plan names. OTEL_SDK_DISABLED has no say: it
// is about telemetry, of which there is none here; options about queues and
// telemetry have no effect either.
//
// A bad variable is warned about as by Start. What leaves no evaluator, such as
// a judge without a key, is an error here that wraps [ErrNothingToEvaluate],
// since whoever calls this wants to evaluate. It does not block, keeps nothing
// of ctx, and makes no call of a judge.
func NewEvaluators(ctx context.Context, options ...Option) (set *EvaluatorSet, err error) {
	defer func() {
		if r := recover(); r != nil {
			set, err = nil, fmt.Errorf("making evaluators: an evaluator panicked when asked about itself (%T)", r)
		}
	}()
	s, err := newSettings(options)
	if err != nil {
		return nil, fmt.Errorf("making evaluators: %w", err)
	}
	s.warnOfVariables(ctx)
	assignments, why, err := s.assign(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("making evaluators: %w", err)
	case why != nil:
		return nil, fmt.Errorf("%w: %s", ErrNothingToEvaluate, why.text)
	}
	s.gates(ctx, assignments)
	return &EvaluatorSet{assignments: assignments, gates: s.made, timeout: s.env.Timeout}, nil
}

// Assignments say which evaluator asks which metrics of which kinds, as the plan
// has it. The caller must not change them.
func (s *EvaluatorSet) Assignments() []evaluators.Assignment {
	if s == nil {
		return nil
	}
	return s.assignments
}

// Evaluator returns the one of that name in any spelling, nil where the plan has
// none.
func (s *EvaluatorSet) Evaluator(name string) evaluators.Evaluator {
	if a := s.assignment(name); a != nil {
		return a.Evaluator
	}
	return nil
}

// Metrics returns all metrics that an evaluator has, also those that the plan
// does not ask, with the plan's options where it gives any: those for the first
// kind, inference before agent before workflow. It is nil where the plan has no
// such evaluator.
func (s *EvaluatorSet) Metrics(evaluator string) []evaluators.Metric {
	a := s.assignment(evaluator)
	if a == nil {
		return nil
	}
	metrics := slices.Clone(a.Evaluator.Metrics())
	for i, m := range metrics {
		for kind := range instrumentation.Kind(instrumentation.Kinds) {
			asked := a.Metrics[kind]
			if at := slices.IndexFunc(asked, func(p evaluators.Metric) bool { return p.Name == m.Name }); at >= 0 {
				metrics[i] = asked[at]
				break
			}
		}
	}
	return metrics
}

// Gate is the gate of an evaluator, by its name in any spelling. A judge passes
// its own, and [limit.Gate.Admit] is all that its caller does with it; for any
// other evaluator the caller also acquires a permit for each Evaluate. It is nil
// where there are no limits, and a nil gate is open.
func (s *EvaluatorSet) Gate(evaluator string) *limit.Gate {
	if s == nil {
		return nil
	}
	return s.gates[judgeKey(evaluator)]
}

// Timeout is the deadline of a metric that has none of its own: TIMEOUT.
func (s *EvaluatorSet) Timeout() time.Duration {
	if s == nil {
		return 0
	}
	return s.timeout
}

// Close lets go of what the evaluators hold: each that has a Close method is
// closed, once all that was asked has been answered. A second call is the
// evaluators' business.
func (s *EvaluatorSet) Close() error {
	var errs []error
	for _, a := range s.Assignments() {
		if c, ok := a.Evaluator.(interface{ Close() error }); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

func (s *EvaluatorSet) assignment(evaluator string) *evaluators.Assignment {
	assignments := s.Assignments()
	for i := range assignments {
		if judgeKey(assignments[i].Evaluator.Name()) == judgeKey(evaluator) {
			return &assignments[i]
		}
	}
	return nil
}
