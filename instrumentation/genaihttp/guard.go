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

// run runs f and reports whether it came through. The first panic is logged,
// without its value, which could hold content, unless it is the runtime's.
func (g *guard) run(f func()) (ok bool) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		ok = false
		if g.panics.Add(1) > 1 {
			return
		}
		reason := "a panic"
		if err, isRuntime := v.(runtime.Error); isRuntime {
			reason = err.Error()
		}
		slog.Error("genaihttp: recording a call failed; the call itself is not affected; said once per transport",
			"reason", reason)
	}()
	f()
	return true
}
