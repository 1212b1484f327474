package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"github.com/genaievals/genaievals/internal/calibrate"
)

// console writes progress and warnings to standard error without one getting
// into the other's line. On a terminal progress is one line that changes; else it
// is a line now and then. It is safe for concurrent use.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	// width is the terminal's, asked anew for every line.
	width func() int
	quiet bool // no progress at all
	shown string
	said  time.Time
}

// pace is how often progress is told, to people and to logs.
const (
	pace    = 250 * time.Millisecond
	logPace = 10 * time.Second
)

// The codes that a terminal obeys. The cursor is left alone, so that nothing has
// to be put back by a program that is killed.
const (
	clearLine = "\r\x1b[K"
	clearRest = "\x1b[K"
)

func newConsole(w io.Writer) *console {
	c := &console{w: w, terminal: redraws(w), said: time.Now()}
	c.width = func() int {
		if n, ok := terminalWidth(w); ok {
			return n
		}
		return defaultWidth
	}
	return c
}

// Write writes a warning.
func (c *console) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shown != "" {
		fmt.Fprint(c.w, clearLine)
	}
	n, err := c.w.Write(text)
	if c.shown != "" {
		fmt.Fprint(c.w, c.shown)
	}
	return n, err
}

// say writes a line of the program's own.
func (c *console) say(format string, args ...any) {
	fmt.Fprintf(c, "genaievals: "+format+"\n", args...)
}

// show tells progress, unless it was told a moment ago and there is more to come:
// as a line for a terminal of a width, or as one for a log.
func (c *console) show(last bool, line func(width int) string, log func() string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	every := logPace
	if c.terminal {
		every = pace
	}
	if c.quiet || !last && time.Since(c.said) < every {
		return
	}
	c.said = time.Now()
	if !c.terminal {
		fmt.Fprintln(c.w, log())
		return
	}
	c.shown = line(c.width())
	fmt.Fprint(c.w, "\r"+c.shown+clearRest)
}

func (c *console) progress(p calibrate.Progress) {
	text := func() string {
		return fmt.Sprintf("%d/%d evaluated: %d scored, %d skipped, %d failed", p.Done(), p.Total, p.Scored, p.Skipped, p.Failed)
	}
	c.show(p.Done() == p.Total, func(width int) string { return clip(text(), width-1) }, text)
}

// unusable names a row that is no sample.
func (c *console) unusable(why string) { c.say("not used: %s", why) }

// end takes the line of progress away.
func (c *console) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shown != "" {
		fmt.Fprint(c.w, clearLine)
		c.shown = ""
	}
}

// defaultWidth is that of a terminal that does not tell, in columns.
const defaultWidth = 80

// redraws reports whether a line can be written over: on a terminal, unless the
// environment says that nobody looks at it, or not with colour.
func redraws(w io.Writer) bool {
	_, ok := terminalWidth(w)
	ci := os.Getenv("CI")
	return ok && isTerminal(w) && os.Getenv("NO_COLOR") == "" && (ci == "" || strings.EqualFold(ci, "false"))
}

// isTerminal reports whether a writer is a terminal that obeys.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colorful reports whether to use colour, see https://no-color.org.
func colorful(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// plainText reports whether the locale has no characters but ASCII.
func plainText() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(os.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// clip cuts a text to a number of columns.
func clip(text string, most int) string {
	at := 0
	for i, r := range text {
		if at += columnsOf(r); at > most {
			return text[:i]
		}
	}
	return text
}

// columns is how many columns of a terminal a text takes.
func columns(text string) (n int) {
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch kind := width.LookupRune(r).Kind(); {
	case unicode.Is(unicode.Mn, r):
		return 0
	case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}
