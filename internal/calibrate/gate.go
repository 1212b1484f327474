package calibrate

import (
	"fmt"
	"strings"
)

// Measures that a [Gate] can be about.
const (
	MeasureKappa     = "kappa"
	MeasureAgreement = "agreement"
	MeasureCoverage  = "coverage"
)

// Gate is a least value that a metric must have. Make it with [Report.Check].
type Gate struct {
	Measure string  `json:"measure"`
	Metric  string  `json:"metric"`
	Minimum float64 `json:"minimum"`
	// Value is absent where it is not defined; then the gate fails.
	Value  *float64 `json:"value,omitempty"`
	Passed bool     `json:"passed"`
}

// String says in one line what came out.
func (g Gate) String() string {
	verdict := "passes"
	if !g.Passed {
		verdict = "fails"
	}
	value := "not defined"
	if g.Value != nil {
		value = fmt.Sprintf("%.4f", *g.Value)
	}
	return fmt.Sprintf("%s: %s of %s is %s, at least %s wanted", verdict, g.Measure, g.Metric, value,
		strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", g.Minimum), "0"), "."))
}

// Check adds a gate and reports whether it passes. A metric that has no samples,
// or whose value is not defined, fails: nothing passes because something is
// missing. An empty metric stands for each that has samples.
func (r *Report) Check(measure, metric string, minimum float64) bool {
	passed, found := true, false
	for _, m := range r.Metrics {
		if metric != "" && m.Name != metric {
			continue
		}
		found = true
		g := Gate{Measure: measure, Metric: m.Name, Minimum: minimum, Value: m.measure(measure)}
		g.Passed = g.Value != nil && *g.Value >= minimum
		passed = passed && g.Passed
		r.Gates = append(r.Gates, g)
	}
	if !found {
		r.Gates = append(r.Gates, Gate{Measure: measure, Metric: metric, Minimum: minimum})
		return false
	}
	return passed
}

func (m *Metric) measure(name string) *float64 {
	switch name {
	case MeasureKappa:
		if m.Kappa != nil {
			return &m.Kappa.Value
		}
	case MeasureAgreement:
		return m.Agreement.Value
	case MeasureCoverage:
		return m.Coverage.Value
	}
	return nil
}
