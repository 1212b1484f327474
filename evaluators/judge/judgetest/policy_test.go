package judgetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var epoch = time.Unix(1_000_000, 0)

type step struct {
	at, wait time.Duration
	ok       bool
}

// TestPolicies plays schedules of calls of 30 tokens each.
func TestPolicies(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		policy Policy
		steps  []step
	}{
		{SlidingWindow(2, 10*s), []step{
			{0, 0, true}, {4 * s, 0, true}, {5 * s, 5 * s, false}, {9 * s, 1 * s, false},
			{10 * s, 0, true}, {11 * s, 3 * s, false}, {14 * s, 0, true},
		}},
		{FixedWindow(2, 10*s), []step{
			{8 * s, 0, true}, {17 * s, 0, true}, {17 * s, 1 * s, false}, // began with the first call
			{18 * s, 0, true}, {18 * s, 0, true}, {20 * s, 8 * s, false}, {45 * s, 0, true}, {47 * s, 0, true}, {47 * s, 1 * s, false},
		}},
		{Bucket(2, 10*s, 1), []step{
			{0, 0, true}, {2 * s, 3 * s, false}, {5 * s, 0, true}, {60 * s, 0, true}, {60 * s, 5 * s, false},
		}},
		{Bucket(2, 10*s, 3), []step{
			{0, 0, true}, {0, 0, true}, {0, 0, true}, {0, 5 * s, false}, {4 * s, 1 * s, false}, {5 * s, 0, true}, {9 * s, 1 * s, false},
		}},
		{SlidingWindow(60, 10*s).Tokens(), []step{
			{0, 0, true}, {1 * s, 0, true}, {2 * s, 8 * s, false}, {10 * s, 0, true},
		}},
		{FixedWindow(20, 10*s).Tokens(), []step{ // less than one call needs
			{0, 0, true}, {1 * s, 9 * s, false}, {10 * s, 0, true},
		}},
		{Bucket(30, 10*s, 30).Tokens(), []step{
			{0, 0, true}, {4 * s, 6 * s, false}, {10 * s, 0, true},
		}},
		{SlidingWindow(0, 10*s), []step{{0, 10 * s, false}}},
	} {
		t.Run(tt.policy.String(), func(t *testing.T) {
			l := &limiter{Policy: tt.policy, serving: new(int64)}
			for _, want := range tt.steps {
				now := epoch.Add(want.at)
				wait, ok := l.check(now, 30)
				if ok {
					l.take(now, 30)
					wait = 0
				}
				if ok != want.ok || wait != want.wait {
					t.Errorf("at %v: %v, wait %v; want %v, %v", want.at, ok, wait, want.ok, want.wait)
				}
			}
		})
	}
}

// TestPoliciesKeepTheirRate offers far too much at random moments, and counts.
func TestPoliciesKeepTheirRate(t *testing.T) {
	for _, tt := range []struct {
		policy Policy
		most   int // in ten minutes
	}{
		{SlidingWindow(20, 10*time.Second), 1200},
		{FixedWindow(20, 10*time.Second), 1200},
		{Bucket(20, 10*time.Second, 1), 1200},
		{Bucket(20, 10*time.Second, 20), 1220},
	} {
		t.Run(tt.policy.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			l := &limiter{Policy: tt.policy, serving: new(int64)}
			admitted := 0
			for now := epoch; now.Before(epoch.Add(10 * time.Minute)); now = now.Add(time.Duration(random.Int64N(int64(50 * time.Millisecond)))) {
				if _, ok := l.check(now, 0); ok {
					l.take(now, 0)
					admitted++
				}
			}
			if admitted > tt.most || admitted < tt.most*95/100 {
				t.Errorf("%d admitted of %d", admitted, tt.most)
			}
		})
	}
}

func TestRemaining(t *testing.T) {
	for _, tt := range []struct {
		policy Policy
		left   int64
		reset  time.Duration
	}{
		{SlidingWindow(5, 10*time.Second), 3, 9 * time.Second},
		{FixedWindow(5, 10*time.Second), 3, 8 * time.Second},
		{Bucket(5, 10*time.Second, 5), 4, 2 * time.Second},
		{Concurrency(5), 3, 0},
	} {
		t.Run(tt.policy.String(), func(t *testing.T) {
			serving := int64(0)
			l := &limiter{Policy: tt.policy, serving: &serving}
			for _, at := range []time.Duration{0, time.Second} {
				if _, ok := l.check(epoch.Add(at), 0); !ok {
					t.Fatal("refused")
				}
				l.take(epoch.Add(at), 0)
				serving++
			}
			if left, reset := l.remaining(epoch.Add(2 * time.Second)); left != tt.left || reset != tt.reset {
				t.Errorf("%d left, reset in %v; want %d, %v", left, reset, tt.left, tt.reset)
			}
		})
	}
}

// TestChangedPolicyRemembers: what was used stays used.
func TestChangedPolicyRemembers(t *testing.T) {
	for _, tt := range []struct {
		before, after Policy
		admitted      int // of ten at once after the change
	}{
		{SlidingWindow(6, time.Minute), SlidingWindow(8, time.Minute), 2},
		{SlidingWindow(6, time.Minute), SlidingWindow(3, time.Minute), 0},
		{FixedWindow(6, time.Minute), FixedWindow(8, time.Minute), 2},
		{Bucket(60, time.Minute, 6), Bucket(30, time.Minute, 8), 2},
		{SlidingWindow(6, time.Minute), FixedWindow(4, time.Minute), 4},
	} {
		t.Run(fmt.Sprintf("%v to %v", tt.before, tt.after), func(t *testing.T) {
			l := &limiter{Policy: tt.before, serving: new(int64)}
			tenAtOnce := func() (n int) {
				for range 10 {
					if _, ok := l.check(epoch, 0); ok {
						l.take(epoch, 0)
						n++
					}
				}
				return n
			}
			if n := tenAtOnce(); n != 6 {
				t.Fatalf("%d admitted at first", n)
			}
			l.become(tt.after, epoch)
			if n := tenAtOnce(); n != tt.admitted {
				t.Errorf("%d admitted after the change, want %d", n, tt.admitted)
			}
		})
	}
}
