package manager

import (
	"context"
	"errors"
)

// plainError is an error of somebody else's as it can be handed about: its
// text was asked for once, where a panic is contained, and never again.
type plainError struct {
	text  string
	cause error // for errors.Is and errors.As of whoever wants them
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.cause }

// plain asks an error for its text. One that panics at that, as a typed nil
// may, becomes an error that says so.
func (m *Manager) plain(err error) (plain error) {
	if err == nil {
		return nil
	}
	returned := false
	defer func() {
		if !returned {
			m.panics.Add(1)
			plain = errors.New("an error that panicked when asked for its text: " + panicText(recover()))
		}
	}()
	plain = &plainError{err.Error(), err}
	returned = true
	return plain
}

// endOf says in plain words why a context of the application's has ended. The
// cause is an error of its own, so only the kind of end is behind them.
func (m *Manager) endOf(ctx context.Context) error {
	return &plainError{m.plain(context.Cause(ctx)).Error(), ctx.Err()}
}
