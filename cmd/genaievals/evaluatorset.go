package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// newSet makes evaluators whose gates are made for as many calls as there are at
// once.
func newSet(ctx context.Context, log *console, concurrency int, options ...genaievals.Option) (*genaievals.EvaluatorSet, error) {
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return genaievals.NewEvaluators(ctx, append(slices.Clone(options),
		genaievals.WithLogger(logger), genaievals.WithConcurrent(true),
		genaievals.WithWorkers(concurrency), genaievals.WithWorkersMax(concurrency), genaievals.WithMaxConcurrent(1))...)
}

// checkRubrics reads a file of rubrics: a metric that is off because of an error
// would be one that no gate looks at.
func checkRubrics(path, from string) error {
	if _, err := judge.LoadRubrics(path); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return nil
}

// checkPlanned makes sure that somebody has every evaluator and metric that a plan
// names. Where evaluation goes on for months a warning is enough; a run that leaves
// out what it was asked for says nothing about it.
func checkPlanned(plan evaluators.Plan, set *genaievals.EvaluatorSet) error {
	for _, e := range plan.Evaluators {
		if len(e.Items) == 0 && set.Evaluator(e.Name) == nil {
			return fmt.Errorf("there is no evaluator %q that can be asked", e.Name)
		}
		for _, m := range metricsOf(e) {
			by := cmp.Or(m.judge, e.Name)
			if _, kind := evaluators.KindByName(m.name); !kind && !isAsked(set, by, m.name) {
				return fmt.Errorf("nobody can be asked %s(%s)", by, m.name)
			}
		}
	}
	return nil
}

// isAsked reports whether a set asks a metric of an evaluator, of whatever kind.
func isAsked(set *genaievals.EvaluatorSet, evaluator, metric string) bool {
	for _, a := range set.Assignments() {
		if !sameName(a.Evaluator.Name(), evaluator) {
			continue
		}
		for _, metrics := range a.Metrics {
			if _, ok := find(a.Evaluator, metrics, metric); ok {
				return true
			}
		}
	}
	return false
}
