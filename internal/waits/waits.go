// Package waits lets whoever bounds a call's time know when the call waits for
// a limit, so that the waiting is not held against it.
package waits

import "context"

// Observer hears when what runs below its context begins and ceases to wait for
// a limit. Several may wait at once; both are called from any goroutine, also
// with the lock of a gate held: they must not block, nor call a gate.
type Observer interface {
	WaitBegins()
	WaitEnds()
}

// Key is that of the context's value which is the Observer.
type Key struct{}

// Begin tells the observer of ctx, if there is one, that a wait begins. Call
// what it returns when it is over.
func Begin(ctx context.Context) (end func()) {
	if o, ok := ctx.Value(Key{}).(Observer); ok {
		o.WaitBegins()
		return o.WaitEnds
	}
	return func() {}
}
