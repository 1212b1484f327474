package adaptive

import (
	"math"
	"testing"
	"time"
)

func TestPaceRisesThroughTheMeasuredRate(t *testing.T) {
	p := newPace()
	if !math.IsInf(p.current(), 1) || p.gap() != 0 {
		t.Fatal("paced without a measurement")
	}
	p.measured = 10
	for _, tt := range []struct{ credit, want float64 }{
		{0, 9.5}, {8, 10 * (1 - 0.05/8)}, {16, 10}, {24, 10 * (1 + 0.1/8)}, {32, 11}, {112, 22}, {1e6, 11 * 1024},
	} {
		p.credit = tt.credit
		if got := p.current(); !about(got, tt.want) {
			t.Errorf("credit %v: %v, want %v", tt.credit, got, tt.want)
		}
	}
}

func TestPaceDoublesWhileItIsHardlyKnown(t *testing.T) {
	p := newPace()
	p.measured, p.ramping, p.few = 2, true, 4
	for _, tt := range []struct{ credit, want float64 }{{0, 2}, {4, 4}, {16, 32}, {1e9, 2 << 20}} {
		p.credit = tt.credit
		if got := p.current(); !about(got, tt.want) {
			t.Errorf("credit %v: %v, want %v", tt.credit, got, tt.want)
		}
	}
	p.told(0, Window{Limit: 10, Reset: time.Second})
	if got := p.current(); !about(got, 9.7) {
		t.Errorf("%v above what the headers allow", got)
	}
}

func TestOnlySendsThatWaitedForTheirSlotGiveCredit(t *testing.T) {
	p := newPace()
	if p.send(0) != 0 {
		t.Error("credit without a pace")
	}
	p.measured, p.doubt = 10, 0
	if got := p.send(100 * time.Millisecond); got != 1 {
		t.Errorf("on its slot: %v", got)
	}
	if got := p.send(300 * time.Millisecond); got != 0 {
		t.Errorf("late: %v", got)
	}
	p.measured = 0.1
	if got := p.send(p.next()); !about(got, 5) {
		t.Errorf("at a slow pace: %v", got)
	}
}

func TestHeadersBoundThePace(t *testing.T) {
	p := newPace()
	tell := func(at time.Duration, limit float64, reset time.Duration) float64 {
		p.told(at, Window{Limit: limit, Reset: reset})
		return p.current()
	}
	for _, step := range []struct {
		name  string
		at    time.Duration
		limit float64
		reset time.Duration
		want  float64
	}{
		{"nothing told", 0, 0, 0, math.Inf(1)},
		{"a limit alone", 0, 60, 0, math.Inf(1)},
		{"a reset", 0, 60, 30 * time.Second, 0.97 * 2},
		{"a larger one counts", time.Second, 60, time.Minute, 0.97},
		{"a smaller one does not", 80 * time.Second, 60, time.Second, 0.97},
		{"but once the larger is old", 92 * time.Second, 60, 2 * time.Second, 0.97 * 30},
		{"nonsense", 92 * time.Second, -1, -time.Hour, 0.97 * 30},
		{"no number", 92 * time.Second, math.Inf(1), 0, 0.97 * 30},
		{"a day's limit is not spread", 92 * time.Second, 1000, 12 * time.Hour, 0.97 * 30},
	} {
		if got := tell(step.at, step.limit, step.reset); got != step.want && !about(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
	}
}

func TestChangedLimitScalesTheMeasuredRate(t *testing.T) {
	p := newPace()
	p.told(0, Window{Limit: 60})
	p.measured, p.credit = 1, 50
	p.told(0, Window{Limit: 30})
	if p.measured != 0.5 || p.credit != 0 {
		t.Errorf("measured %v, credit %v", p.measured, p.credit)
	}
}

func TestPatienceAimsAtTheShareWanted(t *testing.T) {
	for _, tt := range []struct {
		name         string
		let, refused int
		doubt, want  float64
	}{
		{"too few to tell", 20, 1, doubtFirst, 32},
		{"as wanted", 9905, 95, doubtFirst, 32},
		{"twice too many", 981, 19, doubtFirst, 64},
		{"far too many", 70, 70, doubtFirst, 128},
		{"none", 100, 0, doubtFirst, 20}, // not below what a second's pause costs
		{"in doubt", 70, 70, 0.5, 32},
	} {
		p := newPace()
		p.measured, p.patience = 1, 32
		p.let, p.refused, p.doubt = tt.let, tt.refused, tt.doubt
		p.steer(2 * time.Second)
		if !about(p.patience, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, p.patience, tt.want)
		}
	}
}

func TestRateNeverFallsBelowAllSense(t *testing.T) {
	p := newPace()
	p.measured = 1e-300
	if gap := p.gap(); gap <= 0 || gap > 1e9*time.Second {
		t.Errorf("gap = %v", gap)
	}
}
