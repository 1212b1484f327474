package adaptive

import (
	"math"
	"testing"
	"time"
)

// every adds n survivors, one each step.
func (a *accepted) every(step time.Duration, n int, now *time.Duration) {
	for range n {
		*now += step
		a.add(*now)
	}
}

func about(got, want float64) bool { return math.Abs(got-want) <= 1e-6*want }

func TestRateIsMeasuredBetweenOpenings(t *testing.T) {
	var a accepted
	now := time.Duration(0)
	a.every(time.Second, 60, &now)
	now += 30 * time.Second
	a.add(now)
	if n, rate := a.sinceOpening(now); n != 61 || !about(rate, 61.0/90) {
		t.Errorf("from the start: %d, %v", n, rate)
	}
	a.open(now)
	a.every(time.Second, 3, &now)
	a.open(now)
	a.every(time.Second, enough-3, &now)
	// The last opening is too near: the one before counts.
	if n, rate := a.sinceOpening(now); n != enough || !about(rate, 1) {
		t.Errorf("from an opening: %d, %v", n, rate)
	}
	if n, _ := a.sinceLast(now); n != enough-3 {
		t.Errorf("since the last: %d", n)
	}
}

func TestInterruptedMeasurementStartsAnew(t *testing.T) {
	var a accepted
	now := time.Duration(0)
	a.every(time.Second, 10, &now)
	a.open(now)
	now += time.Hour
	a.interrupt(now)
	a.every(time.Second, 10, &now)
	if n, rate := a.sinceOpening(now); n != 10 || !about(rate, 1) || !a.broken {
		t.Errorf("%d, %v, broken %t", n, rate, a.broken)
	}
	a.open(now)
	a.every(2*time.Second, 10, &now)
	if n, rate := a.sinceOpening(now); n != 10 || !about(rate, 0.5) || a.broken {
		t.Errorf("after an opening: %d, %v, broken %t", n, rate, a.broken)
	}
}

func TestTailLeavesOutASlowBeginning(t *testing.T) {
	var a accepted
	now := time.Duration(0)
	a.every(time.Second, 3, &now)
	if a.tail() != 0 {
		t.Error("too few make no rate")
	}
	a.open(now)
	a.every(4*time.Second, 40, &now)
	a.every(time.Second, 64, &now)
	if got := a.tail(); !about(got, 1) {
		t.Errorf("tail = %v", got)
	}
}

func TestOpeningsAreBounded(t *testing.T) {
	var a accepted
	now := time.Duration(0)
	for range 1000 {
		a.every(time.Second, 1, &now)
		a.open(now)
	}
	if n, rate := a.sinceOpening(now); n != enough || !about(rate, 1) || len(a.openings) > enough+1 {
		t.Errorf("%d, %v from %d openings", n, rate, len(a.openings))
	}
}
