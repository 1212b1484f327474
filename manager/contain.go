package manager

import (
	"fmt"
	"log/slog"
	"runtime"
)

// contain recovers a panic of the application's own code (sampler, redactor,
// handlers) unless that has returned: it is counted, and said once per place.
// The end of the goroutine, runtime.Goexit, cannot be stopped and counts as
// one. Use it deferred.
func (m *Manager) contain(place string, returned *bool) {
	if *returned {
		return
	}
	r := recover()
	m.panics.Add(1)
	if _, said := m.panicked.LoadOrStore(place, true); !said {
		m.cfg.Logger.Error("genaievals: a function of the application panicked; this is said once",
			slog.String("where", place), slog.String("panic", panicText(r)))
	}
}

// panicText tells of a panic without quoting what it may hold: the text of a
// runtime error, else only the value's type. What ended without one called
// runtime.Goexit.
func panicText(r any) (text string) {
	defer func() {
		if recover() != nil { // the value's own methods
			text = fmt.Sprintf("%T", r)
		}
	}()
	if r == nil {
		return "runtime.Goexit"
	}
	if err, ok := r.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", r)
}
