package asking

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// Watched calls f on a goroutine of its own and returns what it returns, or what
// lost says of why it did not: f panicked or ended its goroutine, or it ignored the end of its
// time, or of ctx, and was left. It blocks no longer than that and [Grace].
func Watched[T any](ctx context.Context, b Bounds, f func(ctx context.Context) T, lost func(cause error) T) (value T, left bool) {
	type answer struct {
		value T
		left  bool
	}
	answers := make(chan answer, 1)
	var waiting atomic.Int64
	go func() {
		seat := NewSeat(ctx, &waiting, func(_ *Call, cause error) { answers <- answer{lost(cause), true} })
		call := seat.Begin(context.WithoutCancel(ctx), time.Now(), b)
		returned := false
		var value T
		defer func() {
			if !seat.End(call) {
				_ = recover() // of one that was left
				return
			}
			seat.Close()
			if p := recover(); p != nil {
				value = lost(fmt.Errorf("%w: %s", ErrPanic, PanicText(p)))
			} else if !returned {
				value = lost(ErrGoexit)
			}
			answers <- answer{value, false}
		}()
		value = f(call)
		returned = true
	}()
	a := <-answers
	return a.value, a.left
}
