package asking

import (
	"errors"
	"fmt"
	"runtime"
)

// PlainError is an error of somebody else's as it can be handed about: its text
// was asked for once, where a panic is contained, and never again. Cause is for
// errors.Is and errors.As of whoever wants them.
type PlainError struct {
	Text  string
	Cause error
}

// Error returns Text.
func (e *PlainError) Error() string { return e.Text }

// Unwrap returns Cause.
func (e *PlainError) Unwrap() error { return e.Cause }

// Plain asks an error for its text. One that panics at that, as a typed nil
// may, becomes an error that says so, and panicked is true.
func Plain(err error) (plain error, panicked bool) {
	if err == nil {
		return nil, false
	}
	defer func() {
		if p := recover(); p != nil {
			plain, panicked = errors.New("an error that panicked when asked for its text: "+PanicText(p)), true
		}
	}()
	return &PlainError{err.Error(), err}, false
}

// PanicText tells of a panic without quoting what it may hold: the text of a
// runtime error, else only the value's type. What ended without one called
// runtime.Goexit.
func PanicText(p any) (text string) {
	defer func() {
		if recover() != nil { // the value's own methods
			text = fmt.Sprintf("%T", p)
		}
	}()
	if p == nil {
		return "runtime.Goexit"
	}
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", p)
}
