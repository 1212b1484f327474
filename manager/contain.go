package manager

import (
	"fmt"
	"log/slog"
	"runtime"
)

// contain recovers a panic of the application's own code (sampler, redactor,
// handlers): it is counted, said once per place, and leaves *ok false. Use it
// deferred.
func (m *Manager) contain(place string, ok *bool) {
	r := recover()
	if r == nil {
		return
	}
	if ok != nil {
		*ok = false
	}
	m.panics.Add(1)
	if _, said := m.panicked.LoadOrStore(place, true); !said {
		m.cfg.Logger.Error("genaievals: a function of the application panicked; this is said once",
			slog.String("where", place), slog.String("panic", panicText(r)))
	}
}

// panicText tells of a panic without quoting what it may hold: the text of a
// runtime error, else only the value's type.
func panicText(r any) string {
	if err, ok := r.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", r)
}
