package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// evaluators makes the evaluator that is to be calibrated, as the environment
// describes it, and returns the set that it is in and its name there.
func (p *program) evaluators(ctx context.Context, f *calibrateFlags, log *console) (*genaievals.EvaluatorSet, string, error) {
	env, _ := envconfig.Load() // NewEvaluators warns
	plans, name, err := plansFor(&env, f.evaluator)
	if err != nil {
		return nil, "", err
	}
	logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	for i, plan := range plans {
		// The gate of a judge is made for as many calls as there are at once.
		set, err := genaievals.NewEvaluators(ctx, append(slices.Clone(p.options),
			genaievals.WithLogger(logger), genaievals.WithEvaluators(plan), genaievals.WithConcurrent(true),
			genaievals.WithWorkers(f.concurrency), genaievals.WithWorkersMax(f.concurrency), genaievals.WithMaxConcurrent(1))...)
		switch {
		case err == nil && set.Evaluator(name) != nil:
			return set, name, nil
		case i < len(plans)-1:
			if err == nil {
				err = set.Close()
			} else if errors.Is(err, genaievals.ErrNothingToEvaluate) {
				err = nil
			}
			if err != nil {
				return nil, "", err
			}
		case err != nil:
			return nil, "", err
		}
	}
	return nil, "", fmt.Errorf("there is no evaluator %q: it is judge, builtin, or one that JUDGES names", name)
}

// plansFor returns the plans to try in turn: what EVALUATORS says about an
// evaluator, with its options, and, where that leaves it nothing, its name alone.
// Without a name it is the first that EVALUATORS names, else the judge where one
// is set, else builtin.
func plansFor(env *envconfig.Config, name string) (plans []string, _ string, _ error) {
	var plan evaluators.Plan
	if strings.TrimSpace(env.Evaluators) != "" {
		var err error
		if plan, err = evaluators.Parse(env.Evaluators); err != nil {
			return nil, "", fmt.Errorf("EVALUATORS: %w", err)
		}
	}
	switch {
	case name != "":
	case len(plan.Evaluators) > 0:
		name = plan.Evaluators[0].Name
	case env.Judge.Model != "" || env.Judge.BaseURL != "":
		name = judge.DefaultName
	default:
		name = builtin.Name
	}
	alone := evaluators.Plan{Evaluators: []evaluators.PlanEvaluator{{Name: name}}}
	plan.Off = false
	plan.Evaluators = slices.DeleteFunc(plan.Evaluators, func(e evaluators.PlanEvaluator) bool {
		return !sameName(e.Name, name) && !asks(e, name)
	})
	if len(plan.Evaluators) > 0 {
		plans = append(plans, plan.String())
	}
	return append(plans, alone.String()), name, nil
}

// asks reports whether a metric below an evaluator is put to that judge.
func asks(e evaluators.PlanEvaluator, judge string) bool {
	names := func(options []evaluators.PlanOption) bool {
		return slices.ContainsFunc(options, func(o evaluators.PlanOption) bool {
			return evaluators.NormalizeName(o.Name) == "judge" && sameName(o.Value, judge)
		})
	}
	return slices.ContainsFunc(e.Items, func(item evaluators.PlanItem) bool {
		return names(item.Options) || slices.ContainsFunc(item.Metrics, func(m evaluators.PlanMetric) bool { return names(m.Options) })
	})
}

// sameName compares names of evaluators as the library does.
func sameName(a, b string) bool {
	key := func(name string) string {
		if name = evaluators.NormalizeName(name); name == "deepeval" {
			return judge.DefaultName
		}
		return name
	}
	return key(a) == key(b)
}

// chosen are the metrics named, in the evaluator's order, or all of them.
func chosen(e evaluators.Evaluator, all []evaluators.Metric, wanted []string) ([]evaluators.Metric, error) {
	if len(wanted) == 0 {
		return all, nil
	}
	wants := map[string]bool{}
	for _, name := range wanted {
		m, ok := find(e, all, name)
		if !ok {
			return nil, fmt.Errorf("--metrics: evaluator %s has no metric %q (there is: %s)", e.Name(), name, names(all))
		}
		wants[m.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(m evaluators.Metric) bool { return !wants[m.Name] }), nil
}

// find returns a metric by any spelling or alias of its name.
func find(e evaluators.Evaluator, metrics []evaluators.Metric, name string) (evaluators.Metric, bool) {
	key := evaluators.NormalizeName(name)
	if key == "relevance" || key == "relevancy" {
		key = "answerrelevancy"
	}
	if a, ok := e.(evaluators.Aliaser); ok {
		for alias, of := range a.Aliases() {
			if evaluators.NormalizeName(alias) == key {
				key = evaluators.NormalizeName(of)
			}
		}
	}
	for _, m := range metrics {
		if evaluators.NormalizeName(m.Name) == key {
			return m, true
		}
	}
	return evaluators.Metric{}, false
}

func names(metrics []evaluators.Metric) string {
	list := make([]string, len(metrics))
	for i, m := range metrics {
		list[i] = m.Name
	}
	return strings.Join(list, ", ")
}
