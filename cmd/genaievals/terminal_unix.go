//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// terminalWidth is how many columns a terminal has; false where it is none, or
// does not tell.
func terminalWidth(w io.Writer) (columns int, ok bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 { // a terminal that nobody told, such as a serial line
		return defaultWidth, true
	}
	return int(size.Col), true
}
