package render

import (
	"bytes"
	"strings"
)

// Screen collects text for a terminal, no line wider than Width columns.
type Screen struct {
	bytes.Buffer
	Width int
	Color bool
}

// Codes of [Screen.Paint].
const (
	Bold  = "1"
	Faint = "2"
	Red   = "31"
	Green = "32"
	Amber = "33"
	Blue  = "34"
)

// Paint marks a text where there is colour.
func (s *Screen) Paint(code, text string) string {
	if !s.Color || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Line writes a text, wrapped, whose further lines are indented alike.
func (s *Screen) Line(indent int, text string) { s.Hang(strings.Repeat(" ", indent), indent, text) }

// Hang writes a text behind a first part; further lines begin below it.
func (s *Screen) Hang(first string, indent int, text string) {
	s.WriteString(first)
	at := indent
	for i, word := range strings.Fields(Plain(text)) {
		for {
			n := Columns(word)
			if i > 0 && at > indent && at+1+n > s.Width {
				s.WriteString("\n" + strings.Repeat(" ", indent))
				at = indent
			} else if i > 0 && at > indent {
				s.WriteByte(' ')
				at++
			}
			if at+n <= s.Width {
				s.WriteString(word)
				at += n
				break
			}
			cut := fitting(word, s.Width-at)
			s.WriteString(word[:cut] + "\n" + strings.Repeat(" ", indent))
			word, at = word[cut:], indent
		}
	}
	s.WriteByte('\n')
}

// Table writes rows, the first left columns to the left, the others to the right,
// two blanks apart. The first bold rows are heads.
func (s *Screen) Table(rows [][]string, left, bold int) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	for at, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-Columns(cell))
			if i > 0 {
				b.WriteString("  ")
			}
			if i < left {
				b.WriteString(cell + pad)
			} else {
				b.WriteString(pad + cell)
			}
		}
		text := strings.TrimRight(b.String(), " ")
		if at < bold {
			text = s.Paint(Bold, text)
		}
		s.WriteString(text + "\n")
	}
}
