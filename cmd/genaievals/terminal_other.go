//go:build !unix && !windows

package main

import "io"

// terminalWidth knows no terminals here.
func terminalWidth(io.Writer) (columns int, ok bool) { return 0, false }
