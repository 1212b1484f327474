package asking_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/internal/waits"
)

// seat is one with what was left of it.
func seat(ctx context.Context) (s *asking.Seat, left *atomic.Int64, waiting *atomic.Int64) {
	left, waiting = new(atomic.Int64), new(atomic.Int64)
	return asking.NewSeat(ctx, waiting, func(*asking.Call, error) { left.Add(1) }), left, waiting
}

func begin(s *asking.Seat, timeout time.Duration) *asking.Call {
	return s.Begin(context.Background(), time.Now(), asking.Bounds{Timeout: timeout})
}

func TestACallEndsAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, left, _ := seat(t.Context())
		defer s.Close()
		for _, timeout := range []time.Duration{time.Minute, time.Second, time.Hour, time.Second} {
			began := time.Now()
			c := begin(s, timeout)
			child, cancel := context.WithCancel(c)
			<-child.Done()
			cancel()
			if took := time.Since(began); took != timeout || !errors.Is(c.Err(), context.DeadlineExceeded) || !errors.Is(context.Cause(child), context.DeadlineExceeded) {
				t.Errorf("ended after %v of %v by %v", took, timeout, c.Err())
			}
			if !s.End(c) {
				t.Error("was left")
			}
		}
		if left.Load() != 0 {
			t.Errorf("%d were left", left.Load())
		}
	})
}

// What a call has begun ends with it, also when it ended in time.
func TestACallsContextEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, _ := seat(t.Context())
		defer s.Close()
		c := begin(s, time.Minute)
		below, cancel := context.WithCancel(context.WithValue(c, waits.Key{}, 1))
		defer cancel()
		called := false
		context.AfterFunc(c, func() { called = true })
		stop := context.AfterFunc(c, func() { t.Error("called, though it was stopped") })
		if !stop() || stop() {
			t.Error("stopped twice")
		}
		if c.Err() != nil {
			t.Error("ended before its end")
		}
		s.End(c)
		synctest.Wait()
		<-c.Done()
		if below.Err() == nil || !errors.Is(c.Err(), context.Canceled) || !called {
			t.Errorf("%v, %v, %v", below.Err(), c.Err(), called)
		}
		if context.AfterFunc(c, func() {})() {
			t.Error("stopped what was called at once")
		}
	})
}

func TestACallThatIgnoresItsEndIsLeftAfterTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s, left, _ := seat(ctx)
		c := begin(s, time.Second)
		time.Sleep(time.Second + asking.Grace - 1)
		synctest.Wait()
		if left.Load() != 0 {
			t.Error("left too early")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if left.Load() != 1 || s.End(c) {
			t.Error("not left")
		}
		s, left, _ = seat(ctx)
		c = begin(s, 0)
		why := errors.New("enough")
		cancel(why)
		time.Sleep(asking.Grace)
		synctest.Wait()
		if left.Load() != 1 || !errors.Is(c.Err(), context.Canceled) {
			t.Errorf("not left, %v", c.Err())
		}
	})
}

func TestACallThatBeginsAfterTheEndHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s, _, _ := seat(ctx)
		defer s.Close()
		cancel()
		synctest.Wait()
		c := begin(s, time.Second)
		if <-c.Done(); c.Err() == nil {
			t.Error("has not ended")
		}
		s.End(c)
	})
}

// The time for which a call waits for a limit is not its own.
func TestWaitingIsNotACallsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, waiting := seat(t.Context())
		defer s.Close()
		began := time.Now()
		c := begin(s, 3*time.Second)
		time.Sleep(time.Second)
		first, second := waits.Begin(c), waits.Begin(context.WithValue(c, anyKey{}, 1))
		time.Sleep(time.Minute)
		first()
		if n := waiting.Load(); n != 1 {
			t.Errorf("%d wait", n)
		}
		time.Sleep(time.Minute)
		second()
		if c.Err() != nil || c.Waited() != 2*time.Minute {
			t.Errorf("%v after waiting %v", c.Err(), c.Waited())
		}
		<-c.Done()
		if took := time.Since(began); took != 2*time.Minute+3*time.Second {
			t.Errorf("took %v", took)
		}
		s.End(c)
		waits.Begin(context.Background())()
	})
}

func TestWatchedLosesNothing(t *testing.T) {
	for name, tt := range map[string]struct {
		f    func(context.Context) string
		want string
		left bool
	}{
		"answers":  {func(context.Context) string { return "yes" }, "yes", false},
		"panics":   {func(context.Context) string { panic("secret") }, "panic: string", false},
		"is late":  {func(ctx context.Context) string { <-ctx.Done(); return "late" }, "late", false},
		"is stuck": {func(context.Context) string { time.Sleep(time.Hour); panic("then") }, "context deadline exceeded", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, left := asking.Watched(t.Context(), asking.Bounds{Timeout: time.Second}, tt.f, error.Error)
				if got != tt.want || left != tt.left {
					t.Errorf("%q, %v", got, left)
				}
				time.Sleep(time.Hour)
			})
		})
	}
}

// anyKey is that of a value that nobody asks for.
type anyKey struct{}
