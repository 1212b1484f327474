package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// calibrated is the evaluator that is calibrated, and the set that it is in.
type calibrated struct {
	evaluators.Evaluator
	set  *genaievals.EvaluatorSet
	name string
	// elsewhereOf has the metrics that EVALUATORS puts to another judge, by their
	// normalized names; further are the other evaluators that it names.
	elsewhereOf map[string]string
	further     []string
	// files are those that the evaluator is made from.
	files []string
}

// evaluators makes the evaluator that is to be calibrated, as the environment
// describes it.
func (p *program) evaluators(ctx context.Context, f *calibrateFlags, log *console) (*calibrated, error) {
	env, _ := envconfig.Load() // NewEvaluators warns
	plans, name, err := plansFor(&env, f.evaluator)
	if err != nil {
		return nil, err
	}
	c := &calibrated{name: name}
	options := slices.Clone(p.options)
	if env.Rubrics != "" {
		if err := checkRubrics(env.Rubrics, "RUBRICS"); err != nil {
			return nil, err
		}
		options = append(options, genaievals.WithRubricsFile(env.Rubrics))
		c.files = append(c.files, env.Rubrics)
	}
	if plan, err := evaluators.Parse(env.Evaluators); err == nil && len(plan.Evaluators) > 0 {
		c.further = furtherOf(plan, name)
		if f.evaluator == "" {
			var here bool
			if c.elsewhereOf, here = elsewhere(plan, name); !here {
				for _, metric := range slices.Sorted(maps.Keys(c.elsewhereOf)) {
					return nil, c.elsewhere(metric)
				}
			}
		}
	}
	for i, plan := range plans {
		set, err := newSet(ctx, log, f.concurrency, append(slices.Clone(options), genaievals.WithEvaluators(plan))...)
		switch {
		case err == nil && set.Evaluator(name) != nil:
			c.set, c.Evaluator = set, set.Evaluator(name)
			return c, nil
		case i < len(plans)-1:
			if err == nil {
				err = set.Close()
			} else if errors.Is(err, genaievals.ErrNothingToEvaluate) {
				err = nil
			}
			if err != nil {
				return nil, err
			}
		case err != nil:
			return nil, err
		}
	}
	return nil, fmt.Errorf("there is no evaluator %q: it is judge, builtin, or one that JUDGES names", name)
}

// elsewhere is an error where EVALUATORS puts a metric to another judge, whose
// verdict is the one that the application gets.
func (c *calibrated) elsewhere(metric string) error {
	if other := c.elsewhereOf[evaluators.NormalizeName(metric)]; other != "" {
		return fmt.Errorf("%s is asked of %s; use --evaluator %s", metric, other, other)
	}
	return nil
}

// together are the metrics that the application has this evaluator asked of an
// inference, some of which it may answer in one call.
func (c *calibrated) together() []evaluators.Metric {
	for _, a := range c.set.Assignments() {
		if !sameName(a.Evaluator.Name(), c.name) {
			continue
		}
		for _, kind := range evaluators.EvaluatedKinds() {
			if metrics := a.Metrics[kind]; len(metrics) > 0 {
				return metrics
			}
		}
	}
	return nil
}

// announce says what of EVALUATORS is not calibrated.
func (c *calibrated) announce(log *console, asked []evaluators.Metric) {
	if len(c.further) > 0 {
		fmt.Fprintf(log, "genaievals: %s is calibrated, and not %s, which EVALUATORS names too: --evaluator names another\n",
			c.name, strings.Join(c.further, ", "))
	}
	for _, m := range c.set.Metrics(c.name) {
		notAsked := !slices.ContainsFunc(asked, func(a evaluators.Metric) bool { return a.Name == m.Name })
		if err := c.elsewhere(m.Name); err != nil && notAsked {
			fmt.Fprintf(log, "genaievals: left out: %v\n", err)
		}
	}
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
	for _, m := range metricsOf(e) {
		if sameName(m.judge, judge) {
			return true
		}
	}
	return false
}

// planned is a metric of the plan and the judge that it names, if any.
type planned struct{ name, judge string }

func metricsOf(e evaluators.PlanEvaluator) (all []planned) {
	judgeOf := func(options []evaluators.PlanOption) (name string) {
		for _, o := range options {
			if evaluators.NormalizeName(o.Name) == "judge" {
				name = o.Value
			}
		}
		return name
	}
	for _, item := range e.Items {
		if len(item.Metrics) == 0 {
			all = append(all, planned{item.Name, judgeOf(item.Options)})
		}
		for _, m := range item.Metrics {
			all = append(all, planned{m.Name, judgeOf(m.Options)})
		}
	}
	return all
}

// elsewhere returns the metrics that the plan has below an evaluator and puts to
// another judge wherever it names them, and whether anything is left for the
// evaluator itself.
func elsewhere(plan evaluators.Plan, name string) (judges map[string]string, here bool) {
	judges = make(map[string]string)
	own := make(map[string]bool)
	for _, e := range plan.Evaluators {
		if !sameName(e.Name, name) {
			here = here || asks(e, name)
			continue
		}
		if len(e.Items) == 0 || slices.ContainsFunc(e.Items, defaultsOfKind) {
			return nil, true // some kind has all of the evaluator's own
		}
		for _, m := range metricsOf(e) {
			key := canonical(m.name)
			if m.judge == "" || sameName(m.judge, name) {
				own[key] = true
			} else {
				judges[key] = m.judge
			}
		}
	}
	for key := range own {
		delete(judges, key)
	}
	return judges, here || len(own) > 0
}

func defaultsOfKind(item evaluators.PlanItem) bool {
	_, kind := evaluators.KindByName(item.Name)
	return kind && len(item.Metrics) == 0 && len(item.Options) == 0
}

// furtherOf are the evaluators that a plan names beside one, judges of metrics
// included.
func furtherOf(plan evaluators.Plan, name string) (others []string) {
	add := func(other string) {
		same := func(n string) bool { return sameName(n, other) }
		if other != "" && !same(name) && !slices.ContainsFunc(others, same) {
			others = append(others, other)
		}
	}
	for _, e := range plan.Evaluators {
		add(e.Name)
		for _, m := range metricsOf(e) {
			add(m.judge)
		}
	}
	return others
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

// chosen are the metrics named, in the evaluator's order, or all of them but
// those that are put to another judge.
func (c *calibrated) chosen(wanted []string) ([]evaluators.Metric, error) {
	all := c.set.Metrics(c.name)
	if len(wanted) == 0 {
		return slices.DeleteFunc(slices.Clone(all), func(m evaluators.Metric) bool { return c.elsewhere(m.Name) != nil }), nil
	}
	wants := map[string]bool{}
	for _, name := range wanted {
		m, ok := find(c.Evaluator, all, name)
		if !ok {
			return nil, fmt.Errorf("--metrics: evaluator %s has no metric %q (there is: %s)", c.name, name, names(all))
		}
		if err := c.elsewhere(m.Name); err != nil {
			return nil, fmt.Errorf("--metrics: %w", err)
		}
		wants[m.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(m evaluators.Metric) bool { return !wants[m.Name] }), nil
}

// canonical is what is compared when names of metrics are.
func canonical(name string) string {
	if name = evaluators.NormalizeName(name); name == "relevance" || name == "relevancy" {
		return "answerrelevancy"
	}
	return name
}

// find returns a metric by any spelling or alias of its name.
func find(e evaluators.Evaluator, metrics []evaluators.Metric, name string) (evaluators.Metric, bool) {
	key := canonical(name)
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
