package evaluators

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// commonOptions are those of every metric.
var commonOptions = []string{"threshold", "strict", "judge", "model", "timeout", "sample_rate", "on_error"}

// withOptions returns the metric with the plan's options laid over it. Strict
// beats a threshold. Without sample_rate the rate is the manager's, unless the
// evaluator announced one.
func withOptions(m Metric, options []PlanOption) (Metric, error) {
	m.Params = maps.Clone(m.Params)
	seen := map[string]bool{}
	for _, o := range options {
		key := NormalizeName(o.Name)
		if seen[key] {
			return m, optionError(o, "option %q of metric %s is given twice", o.Name, m.Name)
		}
		seen[key] = true
		want, err := m.setOption(key, o.Value)
		if err != nil {
			return m, optionError(o, "option %q of metric %s is %q, want %s", o.Name, m.Name, o.Value, want)
		}
		if want == "" {
			return m, optionError(o, "metric %s has no option %q (there is: %s)",
				m.Name, o.Name, strings.Join(slices.Concat(commonOptions, m.ParamNames), ", "))
		}
	}
	if m.Strict && m.Direction == LowerIsBetter {
		m.Threshold = 0
	} else if m.Strict {
		m.Threshold = 1
	}
	return m, nil
}

func optionError(o PlanOption, format string, args ...any) error {
	return &SyntaxError{Offset: o.Offset, Msg: fmt.Sprintf(format, args...), Near: o.String()}
}

// setOption sets one option. want says which values the option takes and is
// empty when there is no such option.
func (m *Metric) setOption(key, value string) (want string, err error) {
	switch key {
	case "threshold":
		m.Threshold, err = parseFraction(value)
		return "a number from 0 to 1", err
	case "samplerate":
		rate, err := parseFraction(value)
		m.SampleRate = &rate
		return "a number from 0 to 1", err
	case "strict":
		m.Strict, err = parseBool(value)
		return "true or false", err
	case "onerror":
		m.OnError, err = parseBool(value)
		return "true or false", err
	case "timeout":
		m.Timeout, err = parseDuration(value)
		return "a duration above 0, such as 5s, 500ms or plain seconds", err
	case "judge":
		m.Judge, err = parseText(value)
		return "the name of a judge", err
	case "model":
		m.Model, err = parseText(value)
		return "the name of a model", err
	}
	for _, name := range m.ParamNames {
		if NormalizeName(name) == key {
			if m.Params == nil {
				m.Params = map[string]string{}
			}
			m.Params[name] = value
			return "any text", nil
		}
	}
	return "", nil
}

func parseFraction(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err == nil && !(f >= 0 && f <= 1) {
		err = strconv.ErrRange
	}
	return f, err
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return false, strconv.ErrSyntax
}

func parseDuration(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	d, err := time.ParseDuration(s)
	if seconds, e := strconv.ParseFloat(s, 64); e == nil {
		if !(math.Abs(seconds) < float64(math.MaxInt64)/float64(time.Second)) {
			return 0, strconv.ErrRange
		}
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err == nil && d <= 0 {
		err = strconv.ErrRange
	}
	return d, err
}

func parseText(s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", strconv.ErrSyntax
	}
	return s, nil
}
