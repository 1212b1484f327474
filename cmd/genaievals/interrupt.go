package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilInterrupted returns a context that the first Ctrl-C, or SIGTERM, ends, so
// that what there is can be reported. The second ends the program at once, by
// exit. stop gives both back their usual meaning.
func untilInterrupted(stderr io.Writer, exit func(code int)) (ctx context.Context, stop func()) {
	signal.Ignore(syscall.SIGPIPE) // writing to who reads no more is an error, and no end
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			fmt.Fprintln(stderr, "\ngenaievals: interrupted; once more ends at once")
			cancel()
		case <-ctx.Done():
			return
		}
		<-signals
		exit(exitIncomplete)
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}
