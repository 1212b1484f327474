//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime is the time that has passed, where the system tells no other.
func processorTime() time.Duration { return time.Since(started) }
