package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/genaievals/genaievals/internal/render"
)

// Terminal is what a table is written for. The zero value is one without colour,
// 100 columns wide.
type Terminal struct {
	// Width in columns; 0 is 100, less than 60 is 60.
	Width int
	Color bool
	// ASCII replaces marks and rules by letters: ok, no, x.
	ASCII bool
}

// screen writes for a terminal.
type screen struct {
	render.Screen
	ascii bool
}

func newScreen(t Terminal) *screen {
	return &screen{render.Screen{Width: max(60, cmp.Or(t.Width, 100)), Color: t.Color}, t.ASCII}
}

// mark is one that also says what it means where there is no UTF-8.
type mark struct{ utf8, ascii, color string }

var (
	markPassed = mark{"✓", "ok", render.Blue}
	markNot    = mark{"△", "no", render.Amber}
	markFailed = mark{"✕", "x ", render.Red}
)

func (s *screen) mark(m mark) string {
	if s.ascii {
		return s.Paint(m.color, m.ascii)
	}
	return s.Paint(m.color, m.utf8)
}

// indent is how wide a mark is, with a blank.
func (s *screen) indent() int {
	if s.ascii {
		return 3
	}
	return 2
}

// inASCII has what the forms are made of, one column each.
var inASCII = strings.NewReplacer("–", "-", "…", "~", "·", ".", "µ", "u", "•", "*", "→", ">")

// send hands on what was written.
func (s *screen) send(w io.Writer) error {
	if s.ascii {
		return render.Write(w, []byte(inASCII.Replace(s.String())))
	}
	return render.Write(w, s.Bytes())
}

func (s *screen) title(text string) { s.WriteString("\n" + s.Paint(render.Bold, text) + "\n") }

// field writes a line of a block of names and texts.
func (s *screen) field(name, text string) {
	if text != "" {
		s.Hang(fmt.Sprintf("%-11s", name), 11, text)
	}
}

// Table writes a report for a terminal: no line is wider than the terminal, and
// texts of the dataset can do no harm there. Nothing is said by colour alone.
func Table(w io.Writer, r *Report, t Terminal) error {
	s := newScreen(t)
	s.head(r)
	s.overview(r)
	s.gates(r)
	for i := range r.Metrics {
		s.metric(r, &r.Metrics[i])
	}
	s.badItems(r)
	return s.send(w)
}

func (s *screen) head(r *Report) {
	s.field("Run", r.Run)
	s.field("Dataset", r.Dataset)
	s.field("Items", itemsText(r))
	s.field("Time", timeText(r))
	s.field("Spent", spentText(r))
	if r.Incomplete != "" {
		s.field("Incomplete", r.Incomplete)
	}
	if m, text := verdictText(r); text != "" {
		s.Hang("Verdict    "+s.mark(m)+" ", 11+s.indent(), text)
	}
}

// overview has a line for each metric.
func (s *screen) overview(r *Report) {
	if len(r.Metrics) == 0 {
		return
	}
	rows := [][]string{{"METRIC", "SCORED", "PASS RATE", "95 %", "MEAN", "95 %", "SKIPPED", "FAILED"}}
	narrow := s.Width < 100
	longest := 26
	if narrow {
		longest = s.Width - 40
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		rows = append(rows, []string{
			render.Cut(m.FullName(), longest), render.Grouped(m.Scored),
			percent(m.PassRate), interval(m.PassRate, render.Percent),
			decimal(m.Mean), interval(m.Mean, twoDecimals),
			render.Grouped(total(m.Skipped)), render.Grouped(total(m.Failed)),
		})
	}
	if narrow {
		for i, row := range rows {
			rows[i] = []string{row[0], row[1], row[2], row[4], row[7]}
		}
	}
	s.WriteByte('\n')
	s.Table(rows, 1, 1)
}

func (s *screen) gates(r *Report) {
	if len(r.Gates) == 0 {
		return
	}
	s.title("Gates")
	for _, g := range r.Gates {
		text := g.Text
		if !g.Passed && g.WarnOnly {
			text += " (only a warning)"
		}
		s.Hang(s.mark(gateMark(g))+" ", s.indent(), text)
	}
}

func gateMark(g GateResult) mark {
	switch {
	case g.Passed:
		return markPassed
	case g.WarnOnly:
		return markNot
	}
	return markFailed
}

func (s *screen) metric(r *Report, m *Metric) {
	s.title(render.Cut(fmt.Sprintf("%s (%s)", m.FullName(), passMark(m)), s.Width))
	say := func(name, text string) {
		if text != "" {
			s.Hang(fmt.Sprintf("  %-9s", name), 11, text)
		}
	}
	say("by", evaluatorText(m))
	if m.Median != nil {
		say("scores", fmt.Sprintf("0 %s 1, median %s", s.histogram(m.Histogram), render.Rounded(*m.Median, 2)))
	}
	say("labels", countsText(m.LabelCounts))
	if m.InputCut > 0 {
		say("cut", render.Grouped(m.InputCut)+" scored on a part of their text")
	}
	say("skipped", countsText(m.Skipped))
	for _, c := range m.Failed {
		text := fmt.Sprintf("%s %s", c.Name, render.Grouped(c.Count))
		if c.Text != "" {
			text += ": " + c.Text
		}
		s.Hang("  "+s.Paint(render.Red, "failed")+"   ", 11, text)
	}
	say("latency", latencyText(m.Latency))
	if m.LimitWait != nil && m.LimitWait.Max > 0 {
		say("waiting", latencyText(m.LimitWait)+" for limits, not in the latency")
	}
	say("usage", usageText(m.Usage))
	s.worst(m)
}

// worst shows the first of the worst cases.
func (s *screen) worst(m *Metric) {
	const most = 3 // all that are kept are in the other forms
	for i := range m.Worst[:min(most, len(m.Worst))] {
		c := &m.Worst[i]
		if i == 0 {
			s.WriteString("  worst\n")
		}
		result := markNot
		if c.Passed {
			result = markPassed
		}
		text := fmt.Sprintf("%s %s %s", render.Rounded(c.Score, 2), c.Label, where(c.ID, c.Index, c.Line))
		if c.Explanation != "" {
			text += ": " + render.Shorten(c.Explanation, 240)
		}
		s.Hang("  "+s.mark(result)+" ", 2+s.indent(), text)
		for _, content := range []struct{ name, text string }{{"input", c.Input}, {"output", c.Output}} {
			if content.text != "" {
				s.Line(4+s.indent(), content.name+": "+render.Shorten(content.text, 160))
			}
		}
	}
}

func (s *screen) badItems(r *Report) {
	if len(r.BadItems) == 0 {
		return
	}
	s.title("Items that failed as a whole")
	const most = 10
	for _, b := range r.BadItems[:min(most, len(r.BadItems))] {
		s.Hang(s.mark(markFailed)+" ", s.indent(), badText(b))
	}
	if more := r.Items.Failed - min(most, int64(len(r.BadItems))); more > 0 {
		s.Line(s.indent(), fmt.Sprintf("and %s more", render.Grouped(more)))
	}
}

// histogram draws counts as bars, or writes them where there is no UTF-8.
func (s *screen) histogram(counts []int64) string {
	if s.ascii {
		return strings.Trim(fmt.Sprint(counts), "[]")
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	var highest int64
	for _, n := range counts {
		highest = max(highest, n)
	}
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteRune('·')
			continue
		}
		b.WriteRune(bars[int(n*int64(len(bars)-1)/highest)])
	}
	return b.String()
}
