package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/genaievals/genaievals/internal/render"
)

// CompareJSON writes a comparison as one indented document; docs/datasets.md
// describes the fields.
func CompareJSON(w io.Writer, c *Comparison) error { return render.JSON(w, c) }

func outcomeMark(o Outcome) mark {
	switch o {
	case Regression:
		return markFailed
	case Improvement:
		return markPassed
	case NotCompared:
		return markNot
	}
	return mark{"=", "= ", ""}
}

// outcomeText is an outcome in words.
func outcomeText(o Outcome) string { return strings.ReplaceAll(string(o), "_", " ") }

func comparisonVerdict(c *Comparison) (mark, string) {
	switch c.Verdict {
	case GateFailed:
		return markFailed, "regression"
	case Incomplete:
		return markFailed, "not comparable"
	}
	return markPassed, "no regression"
}

// itemsCompared is "480 in both, 12 of them changed, 3 only in the old run".
func itemsCompared(c *Comparison) string {
	i := &c.Items
	text := render.Grouped(i.Both) + " in both runs"
	if i.Changed > 0 {
		what := "compared"
		if c.SameContent {
			what = "left out"
		}
		text += fmt.Sprintf(", %s of them with other content (%s)", render.Grouped(i.Changed), what)
	}
	for _, one := range []struct {
		n        int64
		what     string
		examples []string
	}{{i.OnlyOld, "old", i.OnlyOldExamples}, {i.OnlyNew, "new", i.OnlyNewExamples}} {
		if one.n > 0 {
			text += fmt.Sprintf(", %s only in the %s (%s", render.Grouped(one.n), one.what, strings.Join(one.examples[:min(3, len(one.examples))], ", "))
			if one.n > 3 {
				text += ", …"
			}
			text += ")"
		}
	}
	return text
}

func (i RunInfo) String() string {
	var parts []string
	for _, part := range []string{i.Run, i.Dataset} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if !i.Started.IsZero() {
		parts = append(parts, i.Started.UTC().Format("2006-01-02 15:04 MST"))
	}
	return strings.Join(append(parts, render.Grouped(i.Items)+" items"), ", ")
}

// pairsText says what a metric was compared on.
func pairsText(m *MetricChange) string {
	text := fmt.Sprintf("%s pairs, %s do not pass any more, %s pass now", render.Grouped(m.Pairs), render.Grouped(m.Broken), render.Grouped(m.Fixed))
	if m.LostScores > 0 {
		text += fmt.Sprintf("; %s scored only in the old run", render.Grouped(m.LostScores))
	}
	if m.NewScores > 0 {
		text += fmt.Sprintf("; %s scored only in the new run", render.Grouped(m.NewScores))
	}
	return text
}

// onlyText lists metrics of one of the runs.
func onlyText(c *Comparison) (lines []string) {
	if len(c.OnlyOld) > 0 {
		lines = append(lines, "only in the old run: "+strings.Join(c.OnlyOld, ", "))
	}
	if len(c.OnlyNew) > 0 {
		lines = append(lines, "only in the new run: "+strings.Join(c.OnlyNew, ", "))
	}
	return append(lines, c.Notes...)
}

// CompareTable writes a comparison for a terminal.
func CompareTable(w io.Writer, c *Comparison, t Terminal) error {
	s := newScreen(t)
	s.field("Old", c.Old.String())
	s.field("New", c.New.String())
	s.field("Items", itemsCompared(c))
	for _, line := range onlyText(c) {
		s.field("Note", line)
	}
	m, text := comparisonVerdict(c)
	s.Hang("Verdict    "+s.mark(m)+" ", 11+s.indent(), text)
	if c.Verdict == Incomplete {
		for _, reason := range c.Reasons {
			s.Line(11+s.indent(), reason)
		}
	}
	for i := range c.Metrics {
		m := &c.Metrics[i]
		s.WriteByte('\n')
		s.Hang(s.mark(outcomeMark(m.Outcome))+" ", s.indent(), fmt.Sprintf("%s: %s", m.FullName(), outcomeText(m.Outcome)))
		if m.Pairs > 0 {
			s.Hang("  mean       ", 13, valueText(m.Mean, twoDecimals))
			s.Hang("  pass rate  ", 13, valueText(m.PassRate, render.Percent))
		}
		s.Hang("  items      ", 13, pairsText(m))
		const most = 5 // all that are kept are in the other forms
		for j := range m.Flips[:min(most, len(m.Flips))] {
			s.Hang("  "+s.mark(markNot)+" ", 2+s.indent(), flipText(&m.Flips[j]))
		}
		if more := m.Broken - most; more > 0 {
			s.Line(2+s.indent(), fmt.Sprintf("and %s more", render.Grouped(more)))
		}
	}
	return s.send(w)
}

func flipText(f *Flip) string {
	text := fmt.Sprintf("%s → %s %s %s", render.Rounded(f.OldScore, 2), render.Rounded(f.NewScore, 2), f.Label, where(f.ID, f.Index, f.Line))
	if f.Changed {
		text += ", other content"
	}
	if f.Explanation != "" {
		text += ": " + render.Shorten(f.Explanation, 240)
	}
	return text
}

// CompareMarkdown writes a comparison for a comment on a pull request, as
// [Markdown] does.
func CompareMarkdown(w io.Writer, c *Comparison) error {
	var b bytes.Buffer
	m, text := comparisonVerdict(c)
	fmt.Fprintf(&b, "## %s %s\n\n", m.utf8, text)
	if c.Verdict == Incomplete {
		for _, reason := range c.Reasons {
			fmt.Fprintf(&b, "- %s\n", prose(reason))
		}
	}
	fmt.Fprintf(&b, "- old: %s\n- new: %s\n- items: %s\n", prose(c.Old.String()), prose(c.New.String()), prose(itemsCompared(c)))
	for _, line := range onlyText(c) {
		fmt.Fprintf(&b, "- %s\n", prose(line))
	}
	if len(c.Metrics) > 0 {
		b.WriteString("\n| | metric | outcome | mean | pass rate | pairs | broken | fixed |\n|---|---|---|---|---|--:|--:|--:|\n")
	}
	for i := range c.Metrics {
		m := &c.Metrics[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", outcomeMark(m.Outcome).utf8, prose(m.FullName()), outcomeText(m.Outcome),
			prose(valueText(m.Mean, twoDecimals)), prose(valueText(m.PassRate, render.Percent)),
			render.Grouped(m.Pairs), render.Grouped(m.Broken), render.Grouped(m.Fixed))
	}
	details := newFolded(&b)
	for i := range c.Metrics {
		m := &c.Metrics[i]
		for j := range m.Flips {
			details.add("Do not pass any more: "+m.FullName(), code(flipText(&m.Flips[j])))
		}
	}
	details.end()
	return render.Write(w, b.Bytes())
}
