package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/internal/render"
)

// The words of a report, the same in all forms that are for people. Texts of the
// dataset in them are as they came; each form makes them harmless.

func twoDecimals(x *float64) string {
	if x == nil {
		return render.None
	}
	return render.Rounded(*x, 2)
}

func percent(e *Estimate) string {
	if e == nil {
		return render.None
	}
	return render.Percent(&e.Value)
}

func decimal(e *Estimate) string {
	if e == nil {
		return render.None
	}
	return twoDecimals(&e.Value)
}

func interval(e *Estimate, format func(*float64) string) string {
	if e == nil {
		return ""
	}
	return render.Between(e.Low, e.High, format)
}

func total(counts []Count) int64 {
	var n int64
	for _, c := range counts {
		n += c.Count
	}
	return n
}

func countsText(counts []Count) string {
	parts := make([]string, len(counts))
	for i, c := range counts {
		parts[i] = c.Name + " " + render.Grouped(c.Count)
	}
	return strings.Join(parts, ", ")
}

// itemsText is "9,980 of 10,000 seen, 9,970 evaluated, 10 failed as a whole
// (bad_item 10), 33 with a failure".
func itemsText(r *Report) string {
	i := &r.Items
	text := render.Grouped(i.Seen)
	if i.Total != nil {
		text += " of " + render.Grouped(*i.Total)
	}
	text += " seen, " + render.Grouped(i.Evaluated) + " evaluated"
	if i.Failed > 0 {
		var by []string
		for _, name := range slices.Sorted(maps.Keys(i.FailedBy)) {
			by = append(by, name+" "+render.Grouped(i.FailedBy[name]))
		}
		text += fmt.Sprintf(", %s failed as a whole (%s)", render.Grouped(i.Failed), strings.Join(by, ", "))
	}
	if i.WithFailure > i.Failed {
		text += fmt.Sprintf(", %s with any failure", render.Grouped(i.WithFailure))
	}
	return text
}

func timeText(r *Report) string {
	if r.Started.IsZero() {
		return ""
	}
	text := r.Started.UTC().Format("2006-01-02 15:04:05 MST")
	if r.Seconds != nil {
		text += ", took " + longDuration(*r.Seconds)
	}
	return text
}

// longDuration is that of a run.
func longDuration(seconds float64) string {
	if seconds < 60 {
		return render.Duration(seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// spentText sums up what the judges were asked, empty where none was.
func spentText(r *Report) string {
	var all Usage
	var in, out int64
	var cost float64
	for i := range r.Metrics {
		u := r.Metrics[i].Usage
		if u == nil {
			continue
		}
		all.Results += u.Results
		all.Attempts += u.Attempts
		all.Metered += u.Metered
		all.Priced += u.Priced
		if u.InputTokens != nil {
			in += *u.InputTokens
			out += *u.OutputTokens
		}
		if u.CostUSD != nil {
			cost += *u.CostUSD
		}
	}
	if all.Metered > 0 {
		all.InputTokens, all.OutputTokens = &in, &out
	}
	if all.Priced > 0 {
		all.CostUSD = &cost
	}
	if all.Results == 0 {
		return ""
	}
	return usageText(&all)
}

func usageText(u *Usage) string {
	if u == nil {
		return ""
	}
	parts := []string{fmt.Sprintf("%s calls for %s results", render.Grouped(u.Attempts), render.Grouped(u.Results))}
	if u.InputTokens != nil {
		parts = append(parts, fmt.Sprintf("%s%s tokens in, %s out", atLeast(u.Metered, u.Results), render.Grouped(*u.InputTokens), render.Grouped(*u.OutputTokens)))
	}
	if u.CostUSD != nil {
		parts = append(parts, atLeast(u.Priced, u.Results)+dollars(*u.CostUSD))
	} else {
		parts = append(parts, "cost not known")
	}
	return strings.Join(parts, ", ")
}

// atLeast is there where not all are known.
func atLeast(known, of int64) string {
	if known < of {
		return "at least "
	}
	return ""
}

// dollars has cents, and more digits where there is less than one.
func dollars(x float64) string {
	if x != 0 && x < .1 {
		return "$" + render.Rounded(x, 6)
	}
	return "$" + render.Rounded(x, 2)
}

func latencyText(q *Quantiles) string {
	if q == nil {
		return ""
	}
	return fmt.Sprintf("p50 %s, p95 %s, p99 %s, max %s",
		render.Duration(q.P50), render.Duration(q.P95), render.Duration(q.P99), render.Duration(q.Max))
}

// passMark says which scores pass: "passes from 0.5", "passes up to 0.5".
func passMark(m *Metric) string {
	side := "from"
	if lowerIsBetter(m.Direction) {
		side = "up to"
	}
	return "passes " + side + " " + render.Threshold(m.Threshold)
}

func evaluatorText(m *Metric) string {
	parts := []string{m.Evaluator}
	if m.EvaluatorType != "" {
		parts = append(parts, m.EvaluatorType)
	}
	if m.EvaluatorVersion != "" {
		parts = append(parts, "version "+m.EvaluatorVersion)
	}
	if len(m.Models) > 0 {
		parts = append(parts, "model "+strings.Join(m.Models, ", "))
	}
	return strings.Join(parts, ", ")
}

// verdictText is empty where no verdict was asked for.
func verdictText(r *Report) (mark, string) {
	reasons := strings.Join(r.Reasons, "; ")
	switch r.Verdict {
	case Passed:
		return markPassed, "passed"
	case GateFailed:
		return markFailed, "gate failed: " + reasons
	case Incomplete:
		return markFailed, "incomplete: " + reasons
	}
	return mark{}, ""
}

// where tells an item by its id, and its line where it has one.
func where(id string, index int64, line int) string {
	if id == "" {
		id = fmt.Sprintf("#%d", index+1)
	}
	if line > 0 {
		id += fmt.Sprintf(" (line %d)", line)
	}
	return id
}

func badText(b BadItem) string {
	text := where(b.ID, b.Index, b.Line) + ": " + b.ErrorType
	if b.Error != "" {
		text += ": " + b.Error
	}
	return text
}
