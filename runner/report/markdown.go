package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/genaievals/genaievals/internal/render"
)

// Markdown writes a report for a comment on a pull request or a step summary: at
// most 60,000 bytes, since GitHub takes no more. Texts of the dataset are code, in
// which nothing has a meaning: no link, no mention, no HTML.
func Markdown(w io.Writer, r *Report) error {
	var b bytes.Buffer
	title := prose(r.Run)
	if title == "" {
		title = "Evaluation"
	}
	if m, text := verdictText(r); text != "" {
		verdict, _, _ := strings.Cut(text, ":")
		title = m.utf8 + " " + title + ": " + verdict
	}
	fmt.Fprintf(&b, "## %s\n\n", title)
	for _, reason := range r.Reasons {
		fmt.Fprintf(&b, "- %s\n", prose(reason))
	}
	if r.Incomplete != "" && len(r.Reasons) == 0 {
		fmt.Fprintf(&b, "- incomplete: %s\n", prose(r.Incomplete))
	}
	line := []string{itemsText(r)}
	for _, text := range []string{r.Dataset, timeText(r), spentText(r)} {
		if text != "" {
			line = append(line, text)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", prose(strings.Join(line, " · ")))
	if len(r.Metrics) > 0 {
		b.WriteString("\n| metric | scored | pass rate | 95 % | mean | 95 % | passes | skipped | failed |\n|---|--:|--:|:-:|--:|:-:|---|---|---|\n")
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		row := []string{
			m.FullName(), render.Grouped(m.Scored), percent(m.PassRate), interval(m.PassRate, render.Percent), decimal(m.Mean), interval(m.Mean, twoDecimals),
			strings.TrimPrefix(passMark(m), "passes "), countsText(m.Skipped), countsText(m.Failed),
		}
		for j := range row {
			row[j] = prose(row[j])
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	if len(r.Gates) > 0 {
		b.WriteString("\n| | gate |\n|---|---|\n")
	}
	for _, g := range r.Gates {
		text := prose(g.Text)
		if !g.Passed && g.WarnOnly {
			text += " (only a warning)"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", gateMark(g).utf8, text)
	}
	details := newFolded(&b)
	for i := range r.Metrics {
		m := &r.Metrics[i]
		for j := range m.Worst[:min(5, len(m.Worst))] {
			details.add("Worst of "+m.FullName(), caseLine(&m.Worst[j]))
		}
		for _, c := range m.Failed {
			details.add("Failures of "+m.FullName(), fmt.Sprintf("%s %s: %s", code(c.Name), render.Grouped(c.Count), code(c.Text)))
		}
	}
	for _, bad := range r.BadItems {
		details.add("Items that failed as a whole", code(badText(bad)))
	}
	details.end()
	return render.Write(w, b.Bytes())
}

func caseLine(c *Case) string {
	result := markNot.utf8
	if c.Passed {
		result = markPassed.utf8
	}
	text := fmt.Sprintf("%s %s", result, render.Rounded(c.Score, 2))
	for _, part := range []string{c.Label, where(c.ID, c.Index, c.Line), c.Explanation} {
		if part != "" {
			text += " " + code(render.Shorten(part, 300))
		}
	}
	for _, part := range []struct{ name, text string }{{"input", c.Input}, {"output", c.Output}} {
		if part.text != "" {
			text += "\n  - " + part.name + " " + code(render.Shorten(part.text, 300))
		}
	}
	return text
}

// maxMarkdown is how many bytes GitHub takes, less what closes a page.
const maxMarkdown = 60_000

// folded writes lists that are folded up, as long as there is room.
type folded struct {
	b    *bytes.Buffer
	open string
	left int // what there was no room for
}

func newFolded(b *bytes.Buffer) *folded { return &folded{b: b} }

func (f *folded) add(title, line string) {
	if f.b.Len()+len(line)+2*len(title) > maxMarkdown-200 {
		f.left++
		return
	}
	if f.open != title {
		f.shut()
		fmt.Fprintf(f.b, "\n<details><summary>%s</summary>\n\n", prose(title))
		f.open = title
	}
	f.b.WriteString("- " + line + "\n")
}

func (f *folded) shut() {
	if f.open != "" {
		f.b.WriteString("\n</details>\n")
	}
	f.open = ""
}

func (f *folded) end() {
	f.shut()
	if f.left > 0 {
		fmt.Fprintf(f.b, "\n%d more are in the other reports.\n", f.left)
	}
}

// prose is a text that is part of a line or a cell: what Markdown, HTML or GitHub
// would read into it is written by its number, which they read as text.
func prose(text string) string {
	var b strings.Builder
	list := []rune(strings.TrimSpace(render.Plain(text)))
	word := func(i int) bool {
		return i >= 0 && i < len(list) && (unicode.IsLetter(list[i]) || unicode.IsDigit(list[i]))
	}
	for i, c := range list {
		next := rune(' ')
		if i+1 < len(list) {
			next = list[i+1]
		}
		special := false
		switch c {
		case '&', '<', '>', '|', '`', '*', '~', '\\', '@', '#', '$', '!', '{', '}':
			special = true
		case '_': // within a word it is nothing
			special = !word(i-1) || !word(i+1)
		case ']': // links and notes
			special = next == '(' || next == '[' || next == ':'
		case '[':
			special = next == '^' || next == '['
		case ':': // addresses, and names of emoji
			special = next == '/' || unicode.IsLetter(next) || next == '+' || next == '-'
		case '.': // www.
			special = i > 0 && (list[i-1] == 'w' || list[i-1] == 'W')
		case '-', '+', '=':
			special = i == 0
		}
		if special {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// code is a text as code, whatever backticks it has; not for tables, where a
// backslash before a pipe would end the cell.
func code(text string) string {
	text = strings.TrimSpace(strings.Join(strings.Fields(strings.ReplaceAll(render.Visible(text), "\n", " ")), " "))
	if text == "" {
		return render.None
	}
	longest, run := 0, 0
	for _, c := range text {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
