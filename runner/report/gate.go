package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// GateKind is what a gate looks at.
type GateKind string

// The kinds of gates.
const (
	// FailUnder bounds the mean score: from below, and from above where lower is
	// better.
	FailUnder GateKind = "fail_under"
	// MinPassRate is the least share of the scored that must pass.
	MinPassRate GateKind = "min_pass_rate"
	// MaxFailed is the largest share, or number, of items that may have failed as a
	// whole or have a failed metric. More make the run [Incomplete].
	MaxFailed GateKind = "max_failed"
)

// Gate is a bound that a run must keep. Make it with [ParseFailUnder],
// [ParseMinPassRate] or [ParseMaxFailed].
type Gate struct {
	Kind GateKind
	// Metric is a metric's name, of each evaluator that has it, or
	// evaluator.metric; in any spelling. Empty: every metric that no other gate of
	// the kind names.
	Metric string
	// Limit is from 0 to 1. Where Count is set it is a number of items instead.
	Limit float64
	Count bool
}

// String is the gate as a flag would have it.
func (g Gate) String() string {
	limit := strconv.FormatFloat(g.Limit, 'f', -1, 64)
	if g.Kind == MaxFailed && !g.Count {
		limit = strconv.FormatFloat(math.Round(g.Limit*1e10)/1e8, 'f', -1, 64) + "%"
	}
	if g.Metric != "" {
		limit = g.Metric + "=" + limit
	}
	return string(g.Kind) + " " + limit
}

// Gates are all bounds of a run. The zero value has none.
type Gates struct {
	Gates []Gate
	// WarnOnly are metrics, named as in [Gate], whose gates only warn. Nothing of
	// them makes a run incomplete, either.
	WarnOnly []string
}

// ParseFailUnder reads the least mean score of a metric, "faithfulness=0.8" or
// "judge.faithfulness=80%", or of all, "0.8". Of a metric of which lower is better
// it is the most that the mean may be: "bias=0.2" allows at most 0.2. Without a
// name it says how good all must be, so "0.8" allows such a metric at most 0.2.
func ParseFailUnder(text string) (Gate, error) { return parseGate(FailUnder, text) }

// ParseMinPassRate reads the least share of scored results that must pass:
// "faithfulness=0.9", "faithfulness=90%", or for all metrics "0.9".
func ParseMinPassRate(text string) (Gate, error) { return parseGate(MinPassRate, text) }

// parseGate reads [METRIC=]SHARE.
func parseGate(kind GateKind, text string) (Gate, error) {
	g := Gate{Kind: kind}
	value := text
	if at := strings.LastIndexByte(text, '='); at >= 0 {
		g.Metric, value = strings.TrimSpace(text[:at]), text[at+1:]
		if g.Metric == "" {
			return Gate{}, fmt.Errorf("%q: expected a metric before the =, such as faithfulness=0.8", text)
		}
	}
	var ok bool
	if g.Limit, ok = parseShare(value); !ok {
		return Gate{}, fmt.Errorf("%q: expected a number from 0 to 1 or a percentage, with or without a metric before it, such as faithfulness=0.8 or 80%%", text)
	}
	return g, nil
}

// ParseMaxFailed reads how many items may have failed as a whole or have a failed
// metric: a share of all, "2%", or a number of them, "10".
func ParseMaxFailed(text string) (Gate, error) {
	g := Gate{Kind: MaxFailed}
	value := strings.TrimSpace(text)
	if strings.HasSuffix(value, "%") {
		var ok bool
		if g.Limit, ok = parseShare(value); ok {
			return g, nil
		}
	} else if n, err := strconv.ParseUint(value, 10, 53); err == nil {
		g.Limit, g.Count = float64(n), true
		return g, nil
	}
	return Gate{}, fmt.Errorf("%q: expected a percentage of the items, such as 2%%, or a whole number of them, such as 10", text)
}

// parseShare reads 0.8 or 80%; not hexadecimal numbers, exponents or NaN.
func parseShare(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	number, percent := strings.CutSuffix(text, "%")
	number = strings.TrimSpace(number)
	if number == "" || strings.Trim(number, "0123456789.") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	return x, err == nil && x >= 0 && x <= 1
}
