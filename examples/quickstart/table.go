package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// answered is a question and what became of its answer.
type answered struct {
	Question string
	Results  []evaluators.Result
	// Skipped or Dropped is the reason why there are no results, and Why tells
	// more.
	Skipped, Dropped, Why string
}

// style is how a table is drawn.
type style struct {
	utf8  bool
	width int // of the terminal; 0 never cuts
}

const (
	defaultWidth = 100 // of a terminal that does not say
	gap          = 2   // between columns

	// Widths of the columns that give way on a terminal. WHY takes what is
	// left, and QUESTION makes room until WHY has whyWanted.
	questionMax, questionMin = 38, 12
	whyWanted, whyMin        = 24, 12
)

// styleFor finds the style for a file: marks by the locale, as wide as the
// terminal, and never cut when it is not a terminal.
func styleFor(f *os.File, getenv func(string) string) style {
	s := style{utf8: utf8Locale(getenv)}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return s
	}
	s.width = defaultWidth
	if columns, err := strconv.Atoi(getenv("COLUMNS")); err == nil && columns > 0 {
		s.width = columns
	}
	return s
}

// utf8Locale reads the locale as POSIX says: the first that is set decides, and
// none means plain ASCII. Windows has no such variables and shows UTF-8.
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := getenv(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}

// writeTable writes a row for every result and, after a blank line, the counts.
func writeTable(w io.Writer, s style, rows []answered, c counts) error {
	cells := [][5]string{{"QUESTION", "METRIC", "SCORE", "RESULT", "WHY"}}
	for _, row := range rows {
		question := s.clean(row.Question)
		if len(row.Results) == 0 {
			nothing := s.marks().nothing
			cells = append(cells, [5]string{question, nothing, nothing, s.unevaluated(row), s.clean(row.Why)})
		}
		for _, r := range row.Results {
			cells = append(cells, [5]string{question, s.clean(r.Metric), s.score(r), s.verdict(r), s.why(r)})
			question = ""
		}
	}
	var widths [5]int
	for _, row := range cells {
		for i := range widths {
			widths[i] = max(widths[i], width(row[i]))
		}
	}
	if s.width > 0 {
		others := widths[1] + widths[2] + widths[3] + 4*gap
		widths[0] = min(widths[0], max(questionMin, min(questionMax, s.width-others-whyWanted)))
		widths[4] = max(whyMin, s.width-others-widths[0])
	}

	out := bufio.NewWriter(w)
	for _, row := range cells {
		line := pad(s.cut(row[0], widths[0]), widths[0]+gap) + pad(row[1], widths[1]+gap) +
			strings.Repeat(" ", widths[2]-width(row[2])) + row[2] + strings.Repeat(" ", gap) +
			pad(row[3], widths[3]+gap) + s.cut(row[4], widths[4])
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(out, "\n%s\n", c)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// marks tell results apart at a glance.
type marks struct{ passed, not, skipped, failed, nothing, cut string }

func (s style) marks() marks {
	if s.utf8 {
		return marks{"✓", "△", "–", "✕", "–", "…"}
	}
	return marks{"ok", "no", "-", "x", "-", "..."}
}

func (s style) unevaluated(row answered) string {
	switch {
	case row.Dropped != "":
		return s.marks().failed + " dropped " + row.Dropped
	case row.Skipped != "":
		return s.marks().skipped + " skipped " + row.Skipped
	}
	return s.marks().skipped + " not evaluated"
}

func (s style) score(r evaluators.Result) string {
	if r.Outcome == evaluators.OutcomeScored {
		return strconv.FormatFloat(r.Score, 'f', 2, 64)
	}
	return s.marks().nothing
}

func (s style) verdict(r evaluators.Result) string {
	m := s.marks()
	switch {
	case r.Outcome == evaluators.OutcomeSkipped:
		return m.skipped + " skipped " + s.clean(r.Reason)
	case r.Outcome == evaluators.OutcomeFailed:
		return m.failed + " failed " + s.clean(r.ErrorType)
	case r.Passed:
		return m.passed + " " + s.clean(r.Label)
	}
	return m.not + " " + s.clean(r.Label)
}

func (s style) why(r evaluators.Result) string {
	switch {
	case r.Explanation != "":
		return s.clean(r.Explanation)
	case r.Err != nil:
		return s.clean(r.Err.Error())
	}
	return skipWords[r.Reason]
}

// skipWords say what a reason means where the evaluator says no more.
var skipWords = map[string]string{
	evaluators.SkipNoDocuments: "nothing to check against",
	evaluators.SkipEmptyOutput: "the model said nothing",
	evaluators.SkipEmptyInput:  "nobody asked anything",
}

// clean puts a text on one line. It may come from a model: what could steer a
// terminal or turn the reading direction is shown by its code, and what the
// terminal cannot show as a question mark.
func (s style) clean(text string) string {
	var b strings.Builder
	for _, c := range strings.Join(strings.Fields(text), " ") {
		switch {
		case unicode.IsControl(c) || unicode.Is(unicode.Cf, c):
			fmt.Fprintf(&b, "[U+%04X]", c)
		case c > unicode.MaxASCII && !s.utf8:
			b.WriteByte('?')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// cut shortens a text to a width and marks that it did.
func (s style) cut(text string, to int) string {
	runes, mark := []rune(text), s.marks().cut
	if len(runes) <= to {
		return text
	}
	return strings.TrimRight(string(runes[:to-width(mark)]), " ") + mark
}

// width is what a text takes on a terminal, wide characters aside.
func width(text string) int { return utf8.RuneCountInString(text) }

func pad(text string, to int) string { return text + strings.Repeat(" ", max(0, to-width(text))) }
