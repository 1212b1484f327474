package evaluators

import (
	"fmt"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// Assignment says which metrics one evaluator asks of which kinds, the plan's
// options laid over the metrics. Every kind present has at least one metric.
type Assignment struct {
	Evaluator Evaluator
	Metrics   map[instrumentation.Kind][]Metric
}

// Warning tells of a part of a plan that does nothing.
type Warning struct {
	// Offset of the part, in bytes from the start of the plan's text.
	Offset int
	Msg    string
}

// String returns one line with the column, which is Offset + 1.
func (w Warning) String() string {
	return fmt.Sprintf("evaluators, column %d: %s", w.Offset+1, w.Msg)
}

// Resolve finds out what the names of a plan mean. There is one assignment for
// each evaluator that has work, in the order in which the plan first names
// them.
//
// An evaluator, kind or metric that is not known disables only itself, with a
// warning that lists what there is. An option that is not known, or whose
// value cannot be read, is a *[SyntaxError], and there are no assignments: a
// plan whose thresholds or sample rates are not those that were meant must not
// run.
//
// A metric that is for some kinds only is left out of the others: silently where
// the plan names it for all kinds or does not name it, and with a warning where
// it stands below a kind.
//
// An evaluator that is named several times gets what all places say together.
// For a metric that is asked of a kind in several places, what stands below
// that kind beats what stands directly below the evaluator, which beats the
// default metrics; in the same kind of place the last one counts, with all its
// options, and a warning says so.
func (r *Registry) Resolve(plan Plan) ([]Assignment, []Warning, error) {
	s := resolution{registry: r, drafts: map[*entry]*draft{}}
	if plan.Off {
		return nil, nil, nil
	}
	for _, e := range plan.Evaluators {
		if err := s.evaluator(e); err != nil {
			return nil, s.warnings, err
		}
	}
	var out []Assignment
	for _, d := range s.order {
		if len(d.metrics) == 0 {
			continue
		}
		a := Assignment{Evaluator: d.entry.evaluator, Metrics: map[instrumentation.Kind][]Metric{}}
		for kind, asked := range d.metrics {
			for _, m := range asked {
				a.Metrics[kind] = append(a.Metrics[kind], m.Metric)
			}
		}
		out = append(out, a)
	}
	return out, s.warnings, nil
}

// resolution is the state of one Resolve.
type resolution struct {
	registry *Registry
	drafts   map[*entry]*draft
	order    []*draft
	warnings []Warning
}

// draft is an assignment in the making.
type draft struct {
	entry   *entry
	metrics map[instrumentation.Kind][]askedMetric
}

// askedMetric is a metric and the place where the plan asks for it.
type askedMetric struct {
	Metric
	place place
}

// place ranks where a metric is asked for; the higher one counts.
type place int

const (
	byDefault place = iota
	forAllKinds
	forKind
)

func (s *resolution) warn(offset int, format string, args ...any) {
	s.warnings = append(s.warnings, Warning{Offset: offset, Msg: fmt.Sprintf(format, args...)})
}

func (s *resolution) evaluator(p PlanEvaluator) error {
	found := s.registry.lookup(p.Name)
	if found == nil {
		s.warn(p.Offset, "no evaluator %q (there is: %s)", p.Name, strings.Join(s.registry.Names(), ", "))
		return nil
	}
	d := s.drafts[found]
	if d == nil {
		d = &draft{entry: found, metrics: map[instrumentation.Kind][]askedMetric{}}
		s.drafts[found] = d
		s.order = append(s.order, d)
	}
	if len(p.Items) == 0 {
		s.askDefaults(d, EvaluatedKinds()...)
		return nil
	}
	for _, item := range p.Items {
		if err := s.item(d, item); err != nil {
			return err
		}
	}
	return nil
}

func (s *resolution) item(d *draft, item PlanItem) error {
	kind, isKind := KindByName(item.Name)
	switch {
	case isKind && len(item.Options) > 0:
		o := item.Options[0]
		return optionError(o, "%s is a kind; option %q stands in the parentheses of a metric", item.Name, o.Name)
	case isKind && len(item.Metrics) == 0:
		s.askDefaults(d, kind)
		return nil
	case isKind:
		for _, m := range item.Metrics {
			if err := s.metric(d, m, forKind, kind); err != nil {
				return err
			}
		}
		return nil
	case len(item.Metrics) > 0 && d.entry.has(item.Name):
		m := item.Metrics[0]
		return optionError(PlanOption{Name: m.Name, Offset: m.Offset}, "%s is a metric; expected \"=\" after option %q", item.Name, m.Name)
	case len(item.Metrics) > 0:
		s.warn(item.Offset, "%q is not a kind that is evaluated (there is: %s)", item.Name, kindNames(EvaluatedKinds()))
		return nil
	}
	return s.metric(d, PlanMetric{Name: item.Name, Options: item.Options, Offset: item.Offset}, forAllKinds, EvaluatedKinds()...)
}

func (s *resolution) metric(d *draft, p PlanMetric, at place, kinds ...instrumentation.Kind) error {
	m, ok := d.entry.byName[NormalizeName(p.Name)]
	if !ok {
		also := ""
		if at == forAllKinds {
			also = "; kinds: " + kindNames(EvaluatedKinds())
		}
		s.warn(p.Offset, "evaluator %s has no metric %q (there is: %s%s)",
			d.entry.evaluator.Name(), p.Name, d.entry.metricNames(), also)
		return nil
	}
	m, err := withOptions(m, p.Options)
	if err != nil {
		return err
	}
	fit := slices.DeleteFunc(kinds, func(k instrumentation.Kind) bool { return !m.isFor(k) })
	if len(fit) == 0 {
		s.warn(p.Offset, "metric %s of evaluator %s is not for that kind (it is for: %s)",
			m.Name, d.entry.evaluator.Name(), kindNames(m.Kinds))
		return nil
	}
	for i, kind := range fit {
		twice := d.ask(kind, m, at)
		if twice && i == 0 {
			s.warn(p.Offset, "metric %s of evaluator %s is asked for twice; the last one counts", m.Name, d.entry.evaluator.Name())
		}
	}
	return nil
}

func (s *resolution) askDefaults(d *draft, kinds ...instrumentation.Kind) {
	for _, kind := range kinds {
		for _, name := range d.entry.defaults {
			// Without options there is nothing that could be wrong.
			m, _ := withOptions(d.entry.byName[NormalizeName(name)], nil)
			if m.isFor(kind) {
				d.ask(kind, m, byDefault)
			}
		}
	}
}

// ask adds a metric or replaces one that was asked for in a lower or the same
// kind of place. It reports whether the plan itself named it twice there.
func (d *draft) ask(kind instrumentation.Kind, m Metric, at place) (twice bool) {
	asked := d.metrics[kind]
	i := slices.IndexFunc(asked, func(a askedMetric) bool { return a.Name == m.Name })
	if i < 0 {
		d.metrics[kind] = append(asked, askedMetric{m, at})
		return false
	}
	twice = asked[i].place == at && at != byDefault
	if at >= asked[i].place {
		asked[i] = askedMetric{m, at}
	}
	return twice
}

// isFor reports whether the metric can be asked about a kind.
func (m Metric) isFor(kind instrumentation.Kind) bool {
	return len(m.Kinds) == 0 || slices.Contains(m.Kinds, kind)
}

func kindNames(kinds []instrumentation.Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.String())
	}
	return strings.Join(names, ", ")
}
