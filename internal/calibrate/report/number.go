package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
)

// none stands for what is not defined.
const none = "–"

func percent(x *float64) string {
	if x == nil {
		return none
	}
	return rounded(100**x, 1) + "%"
}

func decimal(x *float64) string {
	if x == nil {
		return none
	}
	return rounded(*x, 3)
}

// rounded writes so many decimals, halves away from zero, as people round: 13 of
// 16 are 81.3 %.
func rounded(x float64, decimals int) string {
	scale := math.Pow10(decimals)
	whole := math.Round(x * scale)
	if whole == 0 {
		whole = 0 // and not -0
	}
	return strconv.FormatFloat(whole/scale, 'f', decimals, 64)
}

// between is an interval, empty where there is none.
func between(low, high *float64, format func(*float64) string) string {
	if low == nil || high == nil {
		return ""
	}
	return "[" + format(low) + ", " + format(high) + "]"
}

// threshold is written in full: rounded, it would not be the same one.
func threshold(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func duration(seconds float64) string {
	switch {
	case seconds == 0:
		return "0 s"
	case seconds < 1e-3:
		return fmt.Sprintf("%.0f µs", seconds*1e6)
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// cost is what is known of it: a lower bound where some samples have no price.
func cost(u *calibrate.Usage) string {
	if u == nil || u.CostUSD == nil {
		return none
	}
	text := fmt.Sprintf("$%.6f", *u.CostUSD)
	if u.Priced < u.Samples {
		return fmt.Sprintf("at least %s (%d of %d samples priced)", text, u.Priced, u.Samples)
	}
	return text
}

// figure is one line of numbers: what it is, the value, its interval, and what
// it was counted from.
type figure struct{ Name, Value, Interval, From string }

func ofProportion(name string, p *agreement.Proportion) figure {
	if p == nil {
		return figure{Name: name, Value: none}
	}
	return figure{name, percent(p.Value), between(p.Low, p.High, percent), fmt.Sprintf("%d of %d", p.Count, p.Of)}
}

// figures are the numbers of a metric that every form shows.
func figures(m *calibrate.Metric) []figure {
	out := []figure{
		ofProportion("coverage", &m.Coverage),
		ofProportion("agreement", &m.Agreement),
	}
	kappa := figure{Name: "Cohen's kappa", Value: none}
	if k := m.Kappa; k != nil {
		kappa.Value, kappa.Interval = decimal(&k.Value), between(k.Low, k.High, decimal)
		if k.StandardError != nil {
			kappa.From = "standard error " + decimal(k.StandardError)
		}
	}
	out = append(out, kappa)
	if m.Hard != nil {
		out = append(out, ofProportion("agreement, hard samples", m.Hard))
	}
	if m.PositiveClass != "" {
		out = append(out,
			ofProportion("true positive rate", m.TruePositiveRate),
			ofProportion("false positive rate", m.FalsePositiveRate),
			ofProportion("precision", m.Precision))
	}
	auc := figure{Name: "area under the curve", Value: none}
	if a := m.AUC; a != nil {
		auc.Value, auc.Interval = decimal(&a.Value), between(a.Low, a.High, decimal)
		if a.StandardError != nil {
			auc.From = "standard error " + decimal(a.StandardError)
		}
	}
	return append(out, auc)
}

// advice says what the thresholds would give, empty where there is no choice.
func advice(m *calibrate.Metric) string {
	c := m.Curve
	if c == nil {
		return ""
	}
	question := ""
	if len(m.Classes) > 2 {
		question = m.PositiveClass + " or not: "
	}
	now := fmt.Sprintf("%s%s agrees on %s", question, threshold(c.Configured.Threshold), percent(&c.Configured.Agreement))
	if c.Best.Threshold == c.Configured.Threshold {
		return now + ", and none agrees better"
	}
	return fmt.Sprintf("%s; %s agrees best, on %s", now, threshold(c.Best.Threshold), percent(&c.Best.Agreement))
}
