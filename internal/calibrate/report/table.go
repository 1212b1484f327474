package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/internal/calibrate"
)

// Width is how wide the table is at most, in characters.
const Width = 100

// Table writes a report for a terminal, no line wider than [Width]. With color
// failures stand out; all is said in words too.
func Table(w io.Writer, r *calibrate.Report, color bool) error {
	t := &table{color: color}
	t.head(r)
	t.overview(r)
	for i := range r.Metrics {
		t.metric(&r.Metrics[i])
	}
	t.foot(r)
	_, err := w.Write(t.Bytes())
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

type table struct {
	bytes.Buffer
	color bool
}

// paint marks a text: 1 is bold, 31 red, 32 green.
func (t *table) paint(code, text string) string {
	if !t.color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// line writes a text, wrapped, whose further lines are indented alike.
func (t *table) line(indent int, text string) { t.hang(strings.Repeat(" ", indent), indent, text) }

// hang writes a text behind a first part; further lines begin below it.
func (t *table) hang(first string, indent int, text string) {
	t.WriteString(first)
	at := indent
	for i, word := range strings.Fields(plain(text)) {
		for {
			n := utf8.RuneCountInString(word)
			if i > 0 && at > indent && at+1+n > Width {
				t.WriteString("\n" + strings.Repeat(" ", indent))
				at = indent
			} else if i > 0 && at > indent {
				t.WriteByte(' ')
				at++
			}
			if at+n <= Width {
				t.WriteString(word)
				at += n
				break
			}
			cut := len(string([]rune(word)[:Width-at]))
			t.WriteString(word[:cut] + "\n" + strings.Repeat(" ", indent))
			word, at = word[cut:], indent
		}
	}
	t.WriteByte('\n')
}

// plain takes from a text what a terminal would obey: control characters and
// those that change the direction of writing.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co), c == utf8.RuneError:
			return '·'
		}
		return c
	}, text)
}

func (t *table) head(r *calibrate.Report) {
	who := r.Evaluator.Name + " (" + r.Evaluator.Type + ", version " + r.Evaluator.Version + ")"
	if len(r.Evaluator.Models) > 0 {
		who += ", model " + strings.Join(r.Evaluator.Models, ", ")
	}
	t.hang("Evaluator  ", 11, who)
	s := r.Samples
	text := fmt.Sprintf("%d evaluated of %d", s.Evaluated, s.Selected)
	if s.Selected < s.All {
		text += fmt.Sprintf(" selected of %d", s.All)
	}
	if len(r.Samples.Ignored) > 0 {
		text += "; of metrics not asked: " + counts(s.Ignored)
	}
	t.hang("Samples    ", 11, text)
	if s.Unusable > 0 {
		t.hang("Unusable   ", 11, fmt.Sprintf("%d rows: %s", s.Unusable, strings.Join(s.UnusableExamples, "; ")))
	}
	if r.Incomplete != "" {
		t.hang(t.paint("31", "Incomplete")+" ", 11, r.Incomplete)
	}
	t.WriteByte('\n')
}

// overview has a line for each metric: at most 16, 6, 6, 16, 6, 16, 6, 6 and 5
// characters, and the blanks between them.
func (t *table) overview(r *calibrate.Report) {
	rows := [][]string{{"METRIC", "SCORED", "AGREE", "95 %", "KAPPA", "95 %", "TPR", "FPR", "AUC"}}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		row := []string{
			cut(m.Name, 16), percent(m.Coverage.Value),
			percent(m.Agreement.Value), between(m.Agreement.Low, m.Agreement.High, percent), none, "", none, none, none,
		}
		if k := m.Kappa; k != nil {
			row[4], row[5] = decimal(&k.Value), between(k.Low, k.High, decimal)
		}
		if m.PositiveClass != "" {
			row[6], row[7] = percent(m.TruePositiveRate.Value), percent(m.FalsePositiveRate.Value)
		}
		if m.AUC != nil {
			row[8] = decimal(&m.AUC.Value)
		}
		rows = append(rows, row)
	}
	t.columns(rows, 1)
}

// columns writes rows, the first column to the left, the others to the right,
// two blanks apart.
func (t *table) columns(rows [][]string, bold int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for at, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i == 0:
				b.WriteString(cell + pad)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		text := strings.TrimRight(b.String(), " ")
		if at < bold {
			text = t.paint("1", text)
		}
		t.WriteString(text + "\n")
	}
}

func (t *table) metric(m *calibrate.Metric) {
	t.WriteByte('\n')
	title := fmt.Sprintf("%s (%s, threshold %s)", plain(m.Name), m.Direction, threshold(m.Threshold))
	t.WriteString(t.paint("1", title) + "\n")
	t.matrix(m)
	var rows [][]string
	for _, f := range figures(m) {
		rows = append(rows, []string{"  " + f.Name, f.Value, f.Interval, f.From})
	}
	t.columns(rows, 0)
	say := func(name, text string) {
		if text != "" {
			t.hang(fmt.Sprintf("  %-12s", name), 14, text)
		}
	}
	say("threshold", advice(m))
	say("skipped", counts(m.Skipped))
	if len(m.Failed) > 0 {
		t.hang("  "+t.paint("31", "failed")+"      ", 14, counts(m.Failed))
	}
	if m.Latency != nil {
		text := fmt.Sprintf("p50 %s, p95 %s", duration(m.Latency.P50), duration(m.Latency.P95))
		say("latency", text+fmt.Sprintf("; waiting for limits apart: p50 %s, p95 %s", duration(m.LimitWait.P50), duration(m.LimitWait.P95)))
	}
	if u := m.Usage; u != nil {
		say("usage", fmt.Sprintf("%d calls for %d samples, %d tokens in, %d out, cost %s", u.Calls, u.Samples, u.InputTokens, u.OutputTokens, cost(u)))
	}
	t.disagreements(m)
}

// matrix has a row for each label that people gave.
func (t *table) matrix(m *calibrate.Metric) {
	rows := [][]string{{"  people \\ judge"}}
	for _, class := range m.Classes {
		rows[0] = append(rows[0], cut(class, 18))
	}
	for i, class := range m.Classes {
		row := []string{"  " + cut(class, 18)}
		for j := range m.Classes {
			row = append(row, strconv.Itoa(m.Matrix[i][j]))
		}
		rows = append(rows, row)
	}
	const most = 5 // wider ones are in the JSON
	if len(m.Classes) > 0 && len(m.Classes) <= most {
		t.columns(rows, 0)
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
		t.hang("  • ", 4, fmt.Sprintf("%s%s: people %s, judge %s (score %s)", d.ID, hard, d.Human, d.Judge, decimal(&d.Score)))
		t.line(6, "output: "+shorten(d.Output, 240))
		if d.Explanation != "" {
			t.line(6, "judge: "+shorten(d.Explanation, 240))
		}
		if d.Note != "" {
			t.line(6, "note: "+shorten(d.Note, 240))
		}
	}
}

func (t *table) foot(r *calibrate.Report) {
	if len(r.FailureCauses) > 0 {
		t.WriteString("\nFirst failure of each type\n")
		for _, errorType := range slices.Sorted(maps.Keys(r.FailureCauses)) {
			t.hang("  ", 2, errorType+": "+r.FailureCauses[errorType])
		}
	}
	if len(r.Gates) > 0 {
		t.WriteByte('\n')
	}
	for _, g := range r.Gates {
		code := "32"
		if !g.Passed {
			code = "31"
		}
		t.WriteString(t.paint(code, plain(g.String())) + "\n")
	}
}

// counts lists the most frequent first.
func counts(by map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(keys))
	for i, key := range keys {
		parts[i] = fmt.Sprintf("%s %d", key, by[key])
	}
	return strings.Join(parts, ", ")
}

// cut is plain text for a cell, of so many characters at most.
func cut(text string, most int) string {
	runes := []rune(plain(text))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

func shorten(text string, most int) string {
	return cut(strings.Join(strings.Fields(text), " "), most)
}
