package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal makes a terminal of 100 columns: what is written to other is read
// from terminal.
func openTerminal(t *testing.T) (terminal, other *os.File) {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	if err := unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	other, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	resize(t, terminal, 100)
	return terminal, other
}

func resize(t *testing.T, terminal *os.File, columns uint16) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
}

// The width is asked for every line, so that a window that was made smaller is
// not written over its edge.
func TestTheWidthIsThatOfNow(t *testing.T) {
	terminal, other := openTerminal(t)
	c := newConsole(other)
	if c.width() != 100 {
		t.Errorf("%d columns", c.width())
	}
	resize(t, terminal, 42)
	if c.width() != 42 {
		t.Errorf("%d columns after a resize", c.width())
	}
	resize(t, terminal, 0)
	if c.width() != defaultWidth {
		t.Errorf("%d columns of a terminal that does not tell", c.width())
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if n, ok := terminalWidth(null); ok {
		t.Errorf("the null device is a terminal of %d columns", n)
	}
}

func TestProgressIsPlainWhereNobodyWatches(t *testing.T) {
	for _, env := range []string{"NO_COLOR", "CI", "TERM"} {
		t.Run(env, func(t *testing.T) {
			terminal, other := openTerminal(t)
			go func() { // what is written has to be read
				buffer := make([]byte, 1<<10)
				for {
					if _, err := terminal.Read(buffer); err != nil {
						return
					}
				}
			}()
			t.Setenv("NO_COLOR", "")
			t.Setenv("CI", "")
			t.Setenv("TERM", "xterm")
			if !newConsole(other).terminal {
				t.Error("a terminal is none")
			}
			t.Setenv(env, map[string]string{"TERM": "dumb"}[env]+map[string]string{"NO_COLOR": "1", "CI": "true"}[env])
			if newConsole(other).terminal {
				t.Errorf("%s does not count", env)
			}
		})
	}
	if newConsole(&strings.Builder{}).terminal {
		t.Error("a buffer is no terminal")
	}
}
