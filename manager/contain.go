package manager

import (
	"log/slog"

	"github.com/genaievals/genaievals/internal/asking"
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
			slog.String("where", place), slog.String("panic", asking.PanicText(r)))
	}
}
