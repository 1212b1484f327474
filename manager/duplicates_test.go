package manager_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/sdk/trace"
)

func TestAnInvocationOfferedAgainIsADuplicate(t *testing.T) {
	withSDK := instrumentation.NewHandler(instrumentation.WithTracerProvider(trace.NewTracerProvider()))
	for name, tt := range map[string]struct {
		cfg   manager.Config
		offer func(b *bundle)
		done  uint64
		drops []string
	}{
		"once": {offer: func(b *bundle) {
			b.handler = withSDK
			b.OnCompletion(b.invoke("x"))
		}, done: 1},
		"the same again": {offer: func(b *bundle) {
			b.handler = withSDK
			inv := b.invoke("x")
			b.OnCompletion(inv)
			b.OnCompletion(inv)
			b.OnCompletion(inv)
		}, done: 1, drops: []string{"duplicate", "duplicate"}},
		"others of the trace": {offer: func(b *bundle) {
			b.handler = withSDK
			ctx := inTrace(1, true)
			b.OnCompletion(b.invokeIn(ctx, "x"))
			b.OnCompletion(b.invokeIn(ctx, "x"))
		}, done: 2},
		"without an SDK, others of the span around": {offer: func(b *bundle) {
			ctx := inTrace(1, true)
			b.invokeIn(ctx, "x")
			b.invokeIn(ctx, "yy")
			time.Sleep(time.Nanosecond)
			b.invokeIn(ctx, "x")
		}, done: 3},
		"without an SDK, the same again": {offer: func(b *bundle) {
			b.OnCompletion(b.invokeIn(inTrace(1, true), "x"))
		}, done: 1, drops: []string{"duplicate"}},
		"without a span": {offer: func(b *bundle) {
			b.OnCompletion(b.invoke("x"))
		}, done: 2},
		"remembering nothing": {cfg: manager.Config{DuplicateMemory: manager.DuplicateMemory{Size: -1}}, offer: func(b *bundle) {
			b.OnCompletion(b.invokeIn(inTrace(1, true), "x"))
		}, done: 2},
		"much later": {offer: func(b *bundle) {
			inv := b.invokeIn(inTrace(1, true), "x")
			_ = b.Flush(context.Background())
			time.Sleep(5*time.Minute + time.Second)
			b.OnCompletion(inv)
		}, cfg: manager.Config{MaxAge: time.Hour, DuplicateMemory: manager.DuplicateMemory{Age: 5 * time.Minute}}, done: 2},
		"out of memory": {offer: func(b *bundle) {
			inv := b.invokeIn(inTrace(1, true), "x")
			for i := range uint64(10) {
				b.invokeIn(inTrace(2+i, true), "x")
			}
			b.OnCompletion(inv)
		}, cfg: manager.Config{DuplicateMemory: manager.DuplicateMemory{Size: 10}}, done: 12},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBundle(t, tt.cfg, newDouble(good(0), "quality")).start(t)
				tt.offer(b)
				_ = b.Flush(context.Background())
				s := b.Status()
				checkLaws(t, s)
				if l := s.Lanes[0]; l.Done != tt.done || len(b.results()) != int(tt.done) {
					t.Errorf("%d done with %d results, want %d", l.Done, len(b.results()), tt.done)
				}
				if !slices.Equal(b.drops(), tt.drops) {
					t.Errorf("drops %q, want %q", b.drops(), tt.drops)
				}
			})
		})
	}
}

// Each lane has its own memory: what one dropped before anybody took it is not
// a duplicate there, though it is in another.
func TestOnlyWhatALaneTookIsADuplicateInIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, fast := newDouble(good(time.Minute), "slow"), newDouble(good(time.Second), "fast")
		slow.name, fast.name = "slow", "fast"
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 1, QueueSize: 1, Timeout: time.Hour}, slow, fast).start(t)
		var last *instrumentation.Invocation
		for i := range uint64(3) { // the slow lane runs the first, keeps the second, drops the third
			last = b.invokeIn(inTrace(i, true), strconv.Itoa(int(i)))
			time.Sleep(2 * time.Second)
		}
		time.Sleep(3 * time.Minute)
		b.OnCompletion(last)
		_ = b.Flush(context.Background())
		if l := b.Status().Lanes[0]; l.Done != 3 || l.Dropped["queue_full"] != 1 {
			t.Errorf("the slow lane is %+v", l)
		}
		if l := b.Status().Lanes[1]; l.Done != 3 || l.Dropped["duplicate"] != 1 {
			t.Errorf("the fast lane is %+v", l)
		}
		checkLaws(t, b.Status())
	})
}

// EvaluateNow is asked for: it neither remembers nor is held back.
func TestEvaluateNowKnowsNoDuplicates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{}, newDouble(good(time.Second), "quality")).start(t)
		inv := b.invokeIn(inTrace(1, true), "x")
		_ = b.Flush(context.Background())
		for range 2 {
			results, err := b.EvaluateNow(context.Background(), inv)
			if err != nil || len(results) != 1 || results[0].Outcome != evaluators.OutcomeScored {
				t.Errorf("got %v, %v", results, err)
			}
		}
	})
}

func TestConfigNamesWhatIsWrongWithIt(t *testing.T) {
	for want, cfg := range map[string]manager.Config{
		"WorkersMax is 3, want Workers, 4, to 1024":                                        {WorkersMax: 3},
		"WorkersMax is 1025, want Workers, 4, to 1024":                                     {WorkersMax: 1025},
		"MaxInFlight is -1, want at least 0":                                               {MaxInFlight: -1},
		"DuplicateMemory.Age is -1s, want more than 0":                                     {DuplicateMemory: manager.DuplicateMemory{Age: -time.Second}},
		"PriorityRules[0].Priority is 2, want PriorityHigh, PriorityNormal or PriorityLow": {PriorityRules: []manager.PriorityRule{{Priority: 2}}},
		"PriorityRules[0].Kinds has 0, which is no kind":                                   {PriorityRules: []manager.PriorityRule{{Kinds: []instrumentation.Kind{0}}}},
	} {
		_, err := manager.New(cfg)
		if err == nil || errors.Unwrap(err).Error() != want {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}
