package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/genaievals/genaievals/internal/calibrate"
)

// console writes progress and warnings to standard error without one getting
// into the other's line. On a terminal progress is one line that changes; else it
// is a line now and then. It is safe for concurrent use.
type console struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	shown    string
	said     time.Time
}

// pace is how often progress is told, to people and to logs.
const (
	pace    = 100 * time.Millisecond
	logPace = 10 * time.Second
)

const clearLine = "\r\x1b[K"

func newConsole(w io.Writer) *console {
	return &console{w: w, terminal: isTerminal(w), said: time.Now()}
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

func (c *console) progress(p calibrate.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := p.Done() == p.Total
	every := logPace
	if c.terminal {
		every = pace
	}
	if !last && time.Since(c.said) < every {
		return
	}
	c.said = time.Now()
	text := fmt.Sprintf("%d/%d evaluated: %d scored, %d skipped, %d failed", p.Done(), p.Total, p.Scored, p.Skipped, p.Failed)
	if !c.terminal {
		fmt.Fprintln(c.w, text)
		return
	}
	c.shown = text
	fmt.Fprint(c.w, clearLine+text)
}

// end takes the line of progress away.
func (c *console) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shown != "" {
		fmt.Fprint(c.w, clearLine)
		c.shown = ""
	}
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
