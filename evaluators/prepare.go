package evaluators

import (
	"errors"
	"fmt"
	"strings"
)

// Preparer is an [Evaluator] that reads the options of its metrics once, before
// there are cases: it refuses values that make no sense, opens what they name,
// and keeps what it made of them in [Metric.Prepared].
//
// [Registry.Resolve] calls Prepare for every place in which a plan asks for a
// metric, with the plan's options laid over it, and uses Prepared and Needs of
// what it returns; nothing else of it counts. [Registry.Add] calls it for the
// default metrics, which must do without options. It may read files; it must
// not wait for a network. It may be called from several goroutines.
//
// An error that is or wraps a *[ParamError] is told with the place of that
// option, any other with the place of the metric. Either turns the plan off.
type Preparer interface {
	Prepare(m Metric) (Metric, error)
}

// ParamError says that an option of a metric has a value that cannot be used,
// or is missing.
type ParamError struct {
	// Param is one of the metric's ParamNames.
	Param string
	// Want says which values the option takes, as in "a whole number above 0".
	Want string
	// Err is what happened, where there is more to say; may be nil.
	Err error
}

// Error says what is wanted, and why what there is does not do.
func (e *ParamError) Error() string {
	s := fmt.Sprintf("option %q: want %s", e.Param, e.Want)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns Err.
func (e *ParamError) Unwrap() error { return e.Err }

// prepare has the evaluator read the options of a metric.
func prepare(e Evaluator, m Metric) (Metric, error) {
	p, ok := e.(Preparer)
	if !ok {
		return m, nil
	}
	ready, err := p.Prepare(m)
	if err != nil {
		return m, err
	}
	m.Prepared, m.Needs = ready.Prepared, ready.Needs
	return m, nil
}

// prepareError gives an error of Prepare its place in the plan.
func prepareError(err error, p PlanMetric, m Metric) error {
	if wrong, ok := errors.AsType[*ParamError](err); ok {
		for _, o := range p.Options {
			if NormalizeName(o.Name) != NormalizeName(wrong.Param) {
				continue
			}
			why := ""
			if wrong.Err != nil {
				why = ": " + wrong.Err.Error()
			}
			return optionError(o, "option %q of metric %s is %q, want %s%s", o.Name, m.Name, brief(o.Value), wrong.Want, why)
		}
	}
	return &SyntaxError{
		Offset: p.Offset, Near: p.Name,
		Msg: fmt.Sprintf("metric %s (options: %s): %s", m.Name, strings.Join(m.ParamNames, ", "), err),
	}
}

// brief shortens a value for a message.
func brief(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
