package main

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/render"
)

// What a call of a judge is taken to use beside the item itself, in tokens: the
// question, which docs/benchmarks.md measures, and a short verdict.
const (
	tokensAsked    = 350
	tokensAnswered = 120
	bytesPerToken  = 4
)

// announce says in one line what runs, and what it may cost: calls, time and money.
func (r *datasetRun) announce() {
	var parts []string
	for _, a := range r.set.Assignments() {
		metrics := a.Metrics[instrumentation.KindInference]
		if len(metrics) == 0 {
			continue
		}
		text := a.Evaluator.Name()
		if a.Evaluator.Type() == evaluators.TypeLLMJudge {
			text = r.judgeTitle(text)
		}
		text += " is asked " + names(metrics)
		if a.Evaluator.Type() == evaluators.TypeLLMJudge {
			text += r.expense(a.Evaluator, metrics)
		}
		parts = append(parts, text)
	}
	items := "an unknown number of items"
	if r.header.Total > 0 {
		items = either(r.header.Total, "1 item", "%s items")
	}
	r.con.say("%s: %s of %s; %s", render.Visible(r.header.Run), items, render.Visible(cmp.Or(r.f.dataset, "-")), strings.Join(parts, "; "))
}

// judgeTitle is a judge's name with the model that it asks.
func (r *datasetRun) judgeTitle(name string) string {
	if j := r.env.JudgeNamed(name); j.Model != "" {
		return fmt.Sprintf("%s (%s)", name, j.Model)
	}
	return name
}

// expense is what asking a judge comes to where nothing is resumed, as far as it is
// known beforehand.
func (r *datasetRun) expense(e evaluators.Evaluator, metrics []evaluators.Metric) string {
	groups := int64(len(metrics))
	if g, ok := e.(evaluators.Grouper); ok {
		groups = int64(len(g.Group(metrics)))
	}
	if r.header.Total == 0 {
		return fmt.Sprintf(" in %d calls an item", groups)
	}
	calls := groups * r.header.Total
	text := " in " + grouped(calls) + " calls or more"
	if gate := r.set.Gate(e.Name()); gate != nil {
		s := gate.Status()
		if perSecond := s.Rate.PerSecond; perSecond > 0 {
			least := float64(calls) / perSecond
			text += fmt.Sprintf(", at %s at least %s", s.Rate, roughly(time.Duration(min(least, 1e9)*float64(time.Second))))
		}
		if s.Budget != nil && !s.Budget.Budget.Unlimited() {
			text += ", within " + s.Budget.Budget.String()
		}
	}
	if j := r.env.JudgeNamed(e.Name()); j.Price != nil {
		text += fmt.Sprintf(", roughly $%.2f", r.money(*j.Price, calls, groups))
	}
	return text
}

// money is a rough guess: every call is shown the whole item.
func (r *datasetRun) money(price envconfig.Price, calls, groups int64) float64 {
	shown := float64(0)
	if info, err := os.Stat(r.f.dataset); err == nil && info.Mode().IsRegular() && !strings.HasSuffix(r.f.dataset, ".gz") {
		shown = float64(info.Size()) / bytesPerToken * float64(groups)
	}
	in := shown + float64(calls)*tokensAsked
	out := float64(calls) * tokensAnswered
	const million = 1e6
	return (in*price.Input + out*price.Output) / million
}
