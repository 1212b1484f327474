package report

import (
	"fmt"
	"math"
	"strconv"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/render"
)

// cost is what is known of it: a lower bound where some samples have no price.
func cost(u *calibrate.Usage) string {
	if u == nil || u.CostUSD == nil {
		return render.None
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
		return figure{Name: name, Value: render.None}
	}
	return figure{name, render.Percent(p.Value), render.Between(p.Low, p.High, render.Percent), fmt.Sprintf("%d of %d", p.Count, p.Of)}
}

// figures are the numbers of a metric that every form shows.
func figures(m *calibrate.Metric) []figure {
	out := []figure{
		ofProportion("coverage", &m.Coverage),
		ofProportion("agreement", &m.Agreement),
	}
	kappa := figure{Name: "Cohen's kappa", Value: render.None}
	if k := m.Kappa; k != nil {
		kappa.Value, kappa.Interval = render.Decimal(&k.Value), render.Between(k.Low, k.High, render.Decimal)
		if k.StandardError != nil {
			kappa.From = "standard error " + render.Decimal(k.StandardError)
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
	auc := figure{Name: "area under the curve", Value: render.None}
	if a := m.AUC; a != nil {
		auc.Value, auc.Interval = render.Decimal(&a.Value), render.Between(a.Low, a.High, render.Decimal)
		if a.StandardError != nil {
			auc.From = "standard error " + render.Decimal(a.StandardError)
		}
	}
	return append(out, auc)
}

// passMark says where the threshold is, on the scale of a rubric too.
func passMark(m *calibrate.Metric) string {
	text := render.Threshold(m.Threshold)
	if s := m.Scale; s != nil {
		text += fmt.Sprintf(" (%s on %d to %d)", onScale(s, m.Threshold), s.Min, s.Max)
	}
	return text
}

// onScale is a score as a place on the scale, to four decimals at most.
func onScale(s *calibrate.Scale, score float64) string {
	return strconv.FormatFloat(math.Round(s.On(score)*1e4)/1e4, 'g', -1, 64)
}

// tokens are what is known of them, as cost.
func tokens(u *calibrate.Usage) string {
	switch {
	case u.InputTokens == nil || u.OutputTokens == nil:
		return "tokens not reported"
	case u.Metered < u.Samples:
		return fmt.Sprintf("at least %d tokens in, %d out (%d of %d samples reported)", *u.InputTokens, *u.OutputTokens, u.Metered, u.Samples)
	}
	return fmt.Sprintf("%d tokens in, %d out", *u.InputTokens, *u.OutputTokens)
}

// partly says how many were judged on less than their text, empty for none.
func partly(m *calibrate.Metric) string {
	if m.InputCut == 0 {
		return ""
	}
	return fmt.Sprintf("%d samples judged on part of their text", m.InputCut)
}

// best is the name of the best threshold.
func best(m *calibrate.Metric) string {
	if m.LabelsStay {
		return "passed agrees best"
	}
	return "agrees best"
}

// advice says what the thresholds would give, empty where there is no choice.
// Where labels stay whatever the threshold, it is about passed.
func advice(m *calibrate.Metric) string {
	c := m.Curve
	if c == nil {
		return ""
	}
	question := ""
	if len(m.Classes) > 2 {
		question = m.PositiveClass + " or not"
	}
	at := func(t float64) string {
		if m.Scale != nil {
			return render.Threshold(t) + " (" + onScale(m.Scale, t) + " on the scale)"
		}
		return render.Threshold(t)
	}
	if m.LabelsStay {
		text := fmt.Sprintf("labels stay; passed would agree on %s at %s", render.Percent(&c.Configured.Agreement), at(c.Configured.Threshold))
		if c.Best.Threshold == c.Configured.Threshold {
			text += ", and nowhere on more"
		} else {
			text += fmt.Sprintf(", and on %s at %s", render.Percent(&c.Best.Agreement), at(c.Best.Threshold))
		}
		if question != "" {
			text += " (" + question + ")"
		}
		return text
	}
	if question != "" {
		question += ": "
	}
	now := fmt.Sprintf("%s%s agrees on %s", question, at(c.Configured.Threshold), render.Percent(&c.Configured.Agreement))
	if c.Best.Threshold == c.Configured.Threshold {
		return now + ", and none agrees better"
	}
	return fmt.Sprintf("%s; %s agrees best, on %s", now, at(c.Best.Threshold), render.Percent(&c.Best.Agreement))
}
