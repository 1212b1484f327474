package main

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// terminalWidth is how many columns a console has; false where it is none, or does
// not obey the codes that clear a line.
func terminalWidth(w io.Writer) (columns int, ok bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	handle := windows.Handle(f.Fd())
	var mode uint32
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleMode(handle, &mode) != nil || windows.GetConsoleScreenBufferInfo(handle, &info) != nil {
		return 0, false
	}
	if windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, true
}
