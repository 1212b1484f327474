package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/render"
)

// Width is how wide the table is at most, in characters.
const Width = 100

// Table writes a report for a terminal, no line wider than [Width]. With color
// failures stand out; all is said in words too.
func Table(w io.Writer, r *calibrate.Report, color bool) error {
	t := &table{render.Screen{Width: Width, Color: color}}
	t.head(r)
	t.overview(r)
	for i := range r.Metrics {
		t.metric(&r.Metrics[i])
	}
	t.foot(r)
	return render.Write(w, t.Bytes())
}

type table struct{ render.Screen }

func (t *table) head(r *calibrate.Report) {
	who := r.Evaluator.Name + " (" + r.Evaluator.Type + ", version " + r.Evaluator.Version + ")"
	if len(r.Evaluator.Models) > 0 {
		who += ", model " + strings.Join(r.Evaluator.Models, ", ")
	}
	t.Hang("Evaluator  ", 11, who)
	for _, group := range r.Evaluator.Together {
		t.Hang("Together   ", 11, "asked in one call, as the application has it, of a case to which they apply: "+strings.Join(group, ", "))
	}
	s := r.Samples
	text := fmt.Sprintf("%d evaluated of %d", s.Evaluated, s.Selected)
	if s.Selected < s.All {
		text += fmt.Sprintf(" selected of %d", s.All)
	}
	if len(r.Samples.Ignored) > 0 {
		text += "; of metrics not asked: " + render.Counts(s.Ignored)
	}
	t.Hang("Samples    ", 11, text)
	if len(s.LeftOut) > 0 {
		t.Hang("Left out   ", 11, "by their format: "+render.Counts(s.LeftOut))
	}
	if s.Unusable > 0 {
		t.Hang("Unusable   ", 11, fmt.Sprintf("%d rows: %s", s.Unusable, unusable(s, 3)))
	}
	if r.Incomplete != "" {
		t.Hang(t.Paint(render.Red, "Incomplete")+" ", 11, r.Incomplete)
	}
	t.WriteByte('\n')
}

// unusable lists the first of the rows that cannot be used.
func unusable(s calibrate.Samples, most int) string {
	text := strings.Join(s.UnusableExamples[:min(most, len(s.UnusableExamples))], "; ")
	if more := s.Unusable - most; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// overview has a line for each metric: at most 16, 6, 6, 16, 6, 16, 6, 6 and 5
// characters, and the blanks between them.
func (t *table) overview(r *calibrate.Report) {
	rows := [][]string{{"METRIC", "SCORED", "AGREE", "95 %", "KAPPA", "95 %", "TPR", "FPR", "AUC"}}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		row := []string{
			render.Cut(m.Name, 16), render.Percent(m.Coverage.Value),
			render.Percent(m.Agreement.Value), render.Between(m.Agreement.Low, m.Agreement.High, render.Percent), render.None, "", render.None, render.None, render.None,
		}
		if k := m.Kappa; k != nil {
			row[4], row[5] = render.Decimal(&k.Value), render.Between(k.Low, k.High, render.Decimal)
		}
		if m.PositiveClass != "" {
			row[6], row[7] = render.Percent(m.TruePositiveRate.Value), render.Percent(m.FalsePositiveRate.Value)
		}
		if m.AUC != nil {
			row[8] = render.Decimal(&m.AUC.Value)
		}
		rows = append(rows, row)
	}
	t.Table(rows, 1, 1)
}

func (t *table) metric(m *calibrate.Metric) {
	t.WriteByte('\n')
	title := fmt.Sprintf("%s (%s, threshold %s)", render.Plain(m.Name), m.Direction, passMark(m))
	t.WriteString(t.Paint(render.Bold, title) + "\n")
	t.matrix(m)
	var rows [][]string
	for _, f := range figures(m) {
		rows = append(rows, []string{"  " + f.Name, f.Value, f.Interval, f.From})
	}
	t.Table(rows, 1, 0)
	say := func(name, text string) {
		if text != "" {
			t.Hang(fmt.Sprintf("  %-12s", name), 14, text)
		}
	}
	say("threshold", advice(m))
	say("cut", partly(m))
	say("skipped", render.Counts(m.Skipped))
	if len(m.Failed) > 0 {
		t.Hang("  "+t.Paint(render.Red, "failed")+"      ", 14, render.Counts(m.Failed))
	}
	if m.Latency != nil {
		text := fmt.Sprintf("p50 %s, p95 %s", render.Duration(m.Latency.P50), render.Duration(m.Latency.P95))
		say("latency", text+fmt.Sprintf("; waiting for limits apart: p50 %s, p95 %s", render.Duration(m.LimitWait.P50), render.Duration(m.LimitWait.P95)))
	}
	if u := m.Usage; u != nil {
		say("usage", fmt.Sprintf("%d calls for %d samples, %s, cost %s", u.Calls, u.Samples, tokens(u), cost(u)))
	}
	t.disagreements(m)
}

// matrix has a row for each label that people gave.
func (t *table) matrix(m *calibrate.Metric) {
	rows := [][]string{{"  people \\ judge"}}
	for _, class := range m.Classes {
		rows[0] = append(rows[0], render.Cut(class, 18))
	}
	for i, class := range m.Classes {
		row := []string{"  " + render.Cut(class, 18)}
		for j := range m.Classes {
			row = append(row, strconv.Itoa(m.Matrix[i][j]))
		}
		rows = append(rows, row)
	}
	const most = 5 // wider ones are in the JSON
	if len(m.Classes) > 0 && len(m.Classes) <= most {
		t.Table(rows, 1, 0)
		t.WriteByte('\n')
	}
}

func (t *table) disagreements(m *calibrate.Metric) {
	for i, d := range m.Disagreements {
		if i == 0 {
			t.WriteString("  worst disagreements\n")
		}
		hard := ""
		if d.Hard {
			hard = ", hard"
		}
		t.Hang("  • ", 4, fmt.Sprintf("%s%s: people %s, judge %s (score %s)", d.ID, hard, d.Human, d.Judge, render.Decimal(&d.Score)))
		t.Line(6, "output: "+render.Shorten(d.Output, 240))
		if d.Explanation != "" {
			t.Line(6, "judge: "+render.Shorten(d.Explanation, 240))
		}
		if d.Note != "" {
			t.Line(6, "note: "+render.Shorten(d.Note, 240))
		}
	}
}

func (t *table) foot(r *calibrate.Report) {
	if len(r.FailureCauses) > 0 {
		t.WriteString("\nFirst failure of each type\n")
		for _, errorType := range slices.Sorted(maps.Keys(r.FailureCauses)) {
			t.Hang("  ", 2, errorType+": "+r.FailureCauses[errorType])
		}
	}
	if len(r.Gates) > 0 {
		t.WriteByte('\n')
	}
	for _, g := range r.Gates {
		code := render.Green
		if !g.Passed {
			code = render.Red
		}
		t.WriteString(t.Paint(code, render.Plain(g.String())) + "\n")
	}
}
