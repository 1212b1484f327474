package manager

import (
	"context"

	"github.com/genaievals/genaievals/internal/asking"
)

// plain asks an error for its text, see [asking.Plain]. One that panics at that
// is counted.
func (m *Manager) plain(err error) error {
	plain, panicked := asking.Plain(err)
	if panicked {
		m.panics.Add(1)
	}
	return plain
}

// endOf says in plain words why a context of the application's has ended. The
// cause is an error of its own, so only the kind of end is behind them.
func (m *Manager) endOf(ctx context.Context) error {
	return &asking.PlainError{Text: m.plain(context.Cause(ctx)).Error(), Cause: ctx.Err()}
}
