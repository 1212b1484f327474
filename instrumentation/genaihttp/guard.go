package genaihttp

import (
	"log/slog"
	"runtime"
	"sync/atomic"
)

// guard contains panics of the recording, which must never reach the
// application. There are none that we know of; this is for those we do not.
type guard struct {
	panics atomic.Int64
}

// run runs f and reports whether it came through. The first panic is logged.
func (g *guard) run(f func()) (ok bool) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		ok = false
		if g.panics.Add(1) == 1 {
			report(cause)
		}
	}()
	f()
	return true
}

// report logs a panic, without its value, which could hold content, unless it
// is the runtime's. The logger's handler and the value's methods are the
// application's and can panic themselves; that is the end of it.
func report(cause any) {
	defer func() { _ = recover() }()
	reason := "a panic"
	if err, isRuntime := cause.(runtime.Error); isRuntime {
		reason = err.Error()
	}
	slog.Error("genaihttp: recording a call failed; the call itself is not affected; said once per transport",
		"reason", reason)
}
