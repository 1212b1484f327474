package evaluators

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// ErrEvaluator is wrapped by the errors of [Registry.Add] and
// [Registry.Alias].
var ErrEvaluator = errors.New("invalid evaluator")

// Aliaser is an [Evaluator] whose metrics have further names in the plan.
// relevance and relevancy stand for answer_relevancy wherever there is one.
type Aliaser interface {
	// Aliases maps a further name to the metric's name.
	Aliases() map[string]string
}

// metricAliases apply to every evaluator that has the metric.
var metricAliases = map[string]string{
	"relevance": "answer_relevancy",
	"relevancy": "answer_relevancy",
}

// validName is what evaluators, metrics and their parameters may be called:
// the names go into telemetry as they are.
var validName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// Registry knows evaluators by name and turns a [Plan] into assignments. Add
// everything first; Resolve may then be called from several goroutines.
type Registry struct {
	entries []*entry // in the order of Add
	byName  map[string]*entry
	aliases map[string]string // normalised alias to normalised name
}

// entry is an evaluator with what it announced when it was added.
type entry struct {
	evaluator Evaluator
	metrics   []Metric
	byName    map[string]Metric // normalised, aliases included
	defaults  []string
}

// NewRegistry returns a registry without evaluators. It knows that deepeval
// means judge, as long as no evaluator has that name.
func NewRegistry() *Registry {
	return &Registry{
		byName:  map[string]*entry{},
		aliases: map[string]string{"deepeval": "judge"},
	}
}

// Add makes an evaluator available under its name. It reads Metrics and
// DefaultMetrics once. The error wraps [ErrEvaluator]: the name is taken or
// not of lower case letters, digits and underscores; it announces no metric,
// one twice, or one with a bad name, threshold, kind or parameter; a default metric
// is not announced.
func (r *Registry) Add(e Evaluator) error {
	if e == nil {
		return fmt.Errorf("%w: nil", ErrEvaluator)
	}
	name := e.Name()
	if err := r.checkName(name); err != nil {
		return err
	}
	added, err := newEntry(e)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrEvaluator, name, err)
	}
	r.entries = append(r.entries, added)
	r.byName[NormalizeName(name)] = added
	return nil
}

func (r *Registry) checkName(name string) error {
	if !validName.MatchString(name) {
		return fmt.Errorf("%w: name %q, want lower case letters, digits and underscores", ErrEvaluator, name)
	}
	if isOff(name) {
		return fmt.Errorf("%w: name %q means that nothing is evaluated", ErrEvaluator, name)
	}
	if _, taken := r.byName[NormalizeName(name)]; taken {
		return fmt.Errorf("%w: there already is one named %q", ErrEvaluator, name)
	}
	return nil
}

// Alias makes name answer to alias too. An evaluator that has the alias as its
// own name takes precedence. The name need not have been added yet.
func (r *Registry) Alias(alias, name string) error {
	if !validName.MatchString(alias) || isOff(alias) {
		return fmt.Errorf("%w: alias %q, want lower case letters, digits and underscores", ErrEvaluator, alias)
	}
	r.aliases[NormalizeName(alias)] = NormalizeName(name)
	return nil
}

// Names lists the evaluators in the order in which they were added.
func (r *Registry) Names() []string {
	names := make([]string, len(r.entries))
	for i, e := range r.entries {
		names[i] = e.evaluator.Name()
	}
	return names
}

// lookup finds an evaluator by any spelling of its name or alias.
func (r *Registry) lookup(name string) *entry {
	key := NormalizeName(name)
	if e := r.byName[key]; e != nil {
		return e
	}
	return r.byName[r.aliases[key]]
}

func newEntry(e Evaluator) (*entry, error) {
	added := &entry{evaluator: e, byName: map[string]Metric{}}
	for _, m := range e.Metrics() {
		if err := checkMetric(m); err != nil {
			return nil, err
		}
		key := NormalizeName(m.Name)
		if _, taken := added.byName[key]; taken {
			return nil, fmt.Errorf("metric %q is announced twice", m.Name)
		}
		added.byName[key] = m
		added.metrics = append(added.metrics, m)
	}
	if len(added.metrics) == 0 {
		return nil, errors.New("it announces no metrics")
	}
	for _, name := range e.DefaultMetrics() {
		if m, ok := added.byName[NormalizeName(name)]; !ok || m.Name != name {
			return nil, fmt.Errorf("default metric %q is not announced", name)
		}
	}
	added.defaults = slices.Clone(e.DefaultMetrics())
	if err := added.addAliases(); err != nil {
		return nil, err
	}
	return added, nil
}

func (e *entry) addAliases() error {
	if a, ok := e.evaluator.(Aliaser); ok {
		aliases := a.Aliases()
		for _, alias := range slices.Sorted(maps.Keys(aliases)) {
			m, ok := e.byName[NormalizeName(aliases[alias])]
			if !ok {
				return fmt.Errorf("alias %q is for %q, which is not announced", alias, aliases[alias])
			}
			key := NormalizeName(alias)
			if _, taken := e.byName[key]; taken || key == "" {
				return fmt.Errorf("alias %q is a name already", alias)
			}
			e.byName[key] = m
		}
	}
	for alias, name := range metricAliases {
		key := NormalizeName(alias)
		if _, taken := e.byName[key]; taken {
			continue
		}
		if m, ok := e.byName[NormalizeName(name)]; ok {
			e.byName[key] = m
		}
	}
	return nil
}

// has reports whether a name is that of a metric.
func (e *entry) has(name string) bool {
	_, ok := e.byName[NormalizeName(name)]
	return ok
}

// metricNames lists the metrics for messages.
func (e *entry) metricNames() string {
	names := make([]string, len(e.metrics))
	for i, m := range e.metrics {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

func checkMetric(m Metric) error {
	if !validName.MatchString(m.Name) {
		return fmt.Errorf("metric name %q, want lower case letters, digits and underscores", m.Name)
	}
	if _, isKind := KindByName(m.Name); isKind {
		return fmt.Errorf("metric name %q is that of a kind", m.Name)
	}
	for _, k := range m.Kinds {
		if !slices.Contains(EvaluatedKinds(), k) {
			return fmt.Errorf("metric %s: kind %s is not evaluated", m.Name, k)
		}
	}
	if math.IsNaN(m.Threshold) || m.Threshold < 0 || m.Threshold > 1 {
		return fmt.Errorf("metric %s: threshold %v, want 0 to 1", m.Name, m.Threshold)
	}
	if r := m.SampleRate; r != nil && !(*r >= 0 && *r <= 1) { // NaN too
		return fmt.Errorf("metric %s: sample rate %v, want 0 to 1", m.Name, *r)
	}
	seen := map[string]bool{}
	for _, o := range commonOptions {
		seen[NormalizeName(o)] = true
	}
	for _, p := range m.ParamNames {
		if !validName.MatchString(p) || seen[NormalizeName(p)] {
			return fmt.Errorf("metric %s: parameter name %q is not valid or taken", m.Name, p)
		}
		seen[NormalizeName(p)] = true
	}
	return nil
}
