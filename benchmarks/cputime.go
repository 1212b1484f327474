//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime is what the process has used so far, of all cores, in user and in
// system mode.
func processorTime() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}
