package limit

import (
	"math"
	"testing"
	"time"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(d time.Duration) time.Time { return epoch.Add(d) }

func TestBucketArithmetic(t *testing.T) {
	b := newBucket(Rate{PerSecond: 10, Burst: 3}, epoch, math.Inf(1))
	for i := range 3 {
		if !b.take(epoch) {
			t.Fatalf("permit %d of the burst refused", i)
		}
	}
	if b.take(epoch) {
		t.Fatal("a fourth permit at once")
	}
	for n := 1; n <= 5; n++ {
		if got, want := b.due(epoch, n), at(time.Duration(n)*100*time.Millisecond); got.Sub(want).Abs() > time.Nanosecond {
			t.Errorf("permit %d is due at %v, want %v", n, got.Sub(epoch), want.Sub(epoch))
		}
	}
	if b.take(at(99 * time.Millisecond)) {
		t.Error("a permit before it was due")
	}
	if due := b.due(epoch, 1); !b.take(due) {
		t.Error("no permit when it was due")
	}
	if got := b.due(at(time.Hour), 3); got.After(at(time.Hour)) {
		t.Error("the bucket did not fill up")
	}
	if got := b.due(at(time.Hour), 4); !got.After(at(time.Hour)) {
		t.Error("the bucket holds more than its burst")
	}
}

func TestCreditIsCarriedOver(t *testing.T) {
	fast, slow := Rate{PerSecond: 10, Burst: 5}, Rate{PerSecond: 1, Burst: 2}
	now := at(time.Minute)
	tests := []struct {
		name   string
		p      pacer
		credit float64
		due    []time.Duration // of the next permits, from now
	}{
		{"bucket, none", newBucket(fast, now, 0), 0, []time.Duration{100e6, 200e6}},
		{"bucket, part of one", newBucket(fast, now, 0.5), 0.5, []time.Duration{50e6, 150e6}},
		{"bucket, some", newBucket(fast, now, 2.5), 2.5, []time.Duration{0, 0, 50e6}},
		{"bucket, more than it holds", newBucket(slow, now, 4), 2, []time.Duration{0, 0, 1e9}},
		{"bucket, full", newBucket(slow, now, math.Inf(1)), 2, []time.Duration{0, 0, 1e9}},
		{"strict, never sent", newPacing(slow, now, time.Time{}, math.Inf(1)), 1, []time.Duration{0, 1e9}},
		{"strict, part of one", newPacing(slow, now, at(0), 0.25), 0.25, []time.Duration{750e6, 1750e6}},
		{"strict, but just sent", newPacing(slow, now, now.Add(-time.Second/10), 1), 0.1, []time.Duration{900e6, 1900e6}},
		{"strict, long ago", newPacing(slow, now, at(0), 3), 1, []time.Duration{0, 1e9}},
	}
	for _, tt := range tests {
		if got := tt.p.credit(now); math.Abs(got-tt.credit) > 1e-6 {
			t.Errorf("%s: credit = %v, want %v", tt.name, got, tt.credit)
		}
		for i, want := range tt.due {
			if got := tt.p.due(now, i+1).Sub(now); (got - want).Abs() > 10*time.Nanosecond {
				t.Errorf("%s: permit %d is due after %v, want %v", tt.name, i+1, got, want)
			}
		}
	}
}

func TestPacingArithmetic(t *testing.T) {
	p := newPacing(Rate{PerSecond: 2, Margin: time.Millisecond}, epoch, time.Time{}, math.Inf(1))
	if !p.take(epoch) || p.take(at(500*time.Millisecond)) {
		t.Fatal("want the first at once and none half a second later")
	}
	// The second is late: the third is as far from it, not from its due time.
	if !p.take(at(700 * time.Millisecond)) {
		t.Fatal("no permit when it was due")
	}
	if got := p.due(at(700*time.Millisecond), 1); got != at(1201*time.Millisecond) {
		t.Errorf("next is due at %v, want 1.201s", got.Sub(epoch))
	}
	if got := p.due(at(700*time.Millisecond), 3); got != at(2203*time.Millisecond) {
		t.Errorf("the third from then is due at %v, want 2.203s", got.Sub(epoch))
	}
	if got := p.due(at(time.Hour), 2); got != at(time.Hour+501*time.Millisecond) {
		t.Errorf("after a pause the second is due at %v", got.Sub(epoch))
	}
}

func TestDistanceRoundsUp(t *testing.T) {
	if got := distance(Rate{PerSecond: 3}); got != 333333334 {
		t.Errorf("distance at 3/sec is %d ns", got)
	}
}

func TestDueNeverOverflows(t *testing.T) {
	slow := Rate{PerSecond: MinPerSecond, Burst: 1}
	for _, p := range []pacer{newBucket(slow, epoch, 0), newPacing(slow, epoch, epoch, 0)} {
		last := epoch
		for _, n := range []int{1, 2, 1000, 1 << 20, 1 << 40, 1<<63 - 1} {
			due := p.due(epoch, n)
			if due.Before(last) {
				t.Errorf("%T: permit %d is due at %v, before an earlier one", p, n, due)
			}
			last = due
		}
	}
}
