package limit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

func TestMeterArithmetic(t *testing.T) {
	m := newMeter(Rate{PerSecond: 10, Burst: 100}, epoch, math.Inf(1), 0)
	if got := m.level(epoch); got != 100 {
		t.Fatalf("it starts with %v, want it full", got)
	}
	first := m.take(epoch, 70)
	if got := m.due(epoch, 50).Sub(epoch); got != 2*time.Second {
		t.Errorf("50 more are due after %v, want 2s", got)
	}
	// 20 less were used than reserved: what waits is due at once.
	m.settle(at(time.Second), first, 70, 50)
	if got := m.due(at(time.Second), 50); got.After(at(time.Second)) {
		t.Errorf("50 more are due after %v, want now", got.Sub(at(time.Second)))
	}
	// 40 more were used than reserved: they are owed.
	second := m.take(at(time.Second), 60)
	m.settle(at(time.Second), second, 60, 100)
	if got := m.level(at(time.Second)); got != -40 {
		t.Errorf("level = %v, want -40", got)
	}
	if got := m.due(at(time.Second), 0).Sub(at(time.Second)); got != 4*time.Second {
		t.Errorf("one that needs nothing is due after %v, want when the debt is paid, 4s", got)
	}
	if got := m.level(at(time.Hour)); got != 100 {
		t.Errorf("level = %v after an hour, want it full", got)
	}
}

// More than the burst is due when the bucket is full, and owed afterwards.
func TestMeterLetsALargeNeedPass(t *testing.T) {
	m := newMeter(Rate{PerSecond: 10, Burst: 100}, epoch, 0, 0)
	if got := m.due(epoch, 1e6).Sub(epoch); got != 10*time.Second {
		t.Fatalf("due after %v, want when it is full, 10s", got)
	}
	m.take(at(10*time.Second), 500)
	if got := m.due(at(10*time.Second), 1).Sub(epoch); got != 50*time.Second+100*time.Millisecond {
		t.Errorf("the next is due at %v, want 50.1s", got)
	}
}

// What comes back late is only what the bucket would hold without it: a full
// bucket gets nothing.
func TestMeterGivesBackNoMoreThanWasLost(t *testing.T) {
	m := newMeter(Rate{PerSecond: 1, Burst: 100}, epoch, math.Inf(1), 0)
	a := m.take(epoch, 100)
	now := at(100 * time.Second) // full again
	m.take(now, 100)
	m.settle(now, a, 100, 0)
	if got := m.level(now); got != 0 {
		t.Errorf("level = %v, want 0", got)
	}
	m = newMeter(Rate{PerSecond: 1, Burst: 100}, epoch, math.Inf(1), 0)
	a = m.take(epoch, 100)
	m.take(at(60*time.Second), 60)
	m.settle(at(60*time.Second), a, 100, 30) // had it been 30, it would have been full
	if got := m.level(at(60 * time.Second)); got != 40 {
		t.Errorf("level = %v, want 40", got)
	}
}

// usage is what a send used, and when.
type usage struct {
	at     time.Time
	tokens float64
}

// most reports the window that is furthest beyond the rate: what was used in it
// less what was permitted.
func most(uses []usage, perSecond, allowance float64) float64 {
	worst := math.Inf(-1)
	for i := range uses {
		sum := 0.0
		for _, u := range uses[i:] {
			sum += u.tokens
			worst = max(worst, sum-u.at.Sub(uses[i].at).Seconds()*perSecond-allowance)
		}
	}
	return worst
}

// Over any window no more is used than the rate permits, plus the burst or the
// largest need, if nothing uses more than it reserved; in whatever order and
// however late sends end.
func TestMeterNeverOver(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		rate := Rate{PerSecond: 1 + r.Float64()*100, Burst: 1 + r.IntN(500)}
		m := newMeter(rate, epoch, math.Inf(1), 0)
		type flight struct {
			number     uint64
			need, used float64
		}
		var flying []flight
		var uses []usage
		largest, now := 0.0, epoch
		for range 800 {
			switch now = now.Add(time.Duration(r.ExpFloat64() * float64(200*time.Millisecond))); {
			case r.IntN(2) == 0 || len(flying) == 0:
				need := float64(r.IntN(200))
				if due := m.due(now, need); due.After(now) {
					if r.IntN(3) > 0 {
						continue
					}
					now = due
				}
				used := math.Floor(need * r.Float64())
				largest = max(largest, need)
				flying = append(flying, flight{m.take(now, need), need, used})
				uses = append(uses, usage{now, used})
			default:
				i := r.IntN(len(flying))
				m.settle(now, flying[i].number, flying[i].need, flying[i].used)
				flying = append(flying[:i], flying[i+1:]...)
			}
		}
		if over := most(uses, rate.PerSecond, max(float64(rate.Burst), largest)); over > 1e-3 {
			t.Errorf("seed %d: %.3f tokens too many in a window", seed, over)
		}
		for _, f := range flying {
			m.settle(now, f.number, f.need, f.used)
		}
		if m.head != 0 || len(m.log) != 0 {
			t.Errorf("seed %d: %d uses left in the log, want none", seed, len(m.log)-m.head)
		}
		// Had all been known from the start, it would hold the same.
		known := newMeter(rate, epoch, math.Inf(1), 0)
		for _, u := range uses {
			known.take(u.at, u.tokens)
		}
		if got, want := m.level(now), known.level(now); math.Abs(got-want) > 1e-3 {
			t.Errorf("seed %d: level %v, want %v", seed, got, want)
		}
	}
}

// One send that never ends does not make the log grow for ever, nor does its
// end, when it comes, give back what it must not.
func TestMeterForgetsTheOldest(t *testing.T) {
	m := newMeter(Rate{PerSecond: 1000, Burst: 10}, epoch, math.Inf(1), 0)
	stuck := m.take(epoch, 10)
	now := epoch
	for range 10 * longestLog {
		now = now.Add(time.Millisecond)
		n := m.take(now, 1)
		m.settle(now, n, 1, 1)
	}
	if len(m.log) > 2*longestLog+1 {
		t.Errorf("the log holds %d uses", len(m.log))
	}
	before := m.level(now)
	m.settle(now, stuck, 10, 0)
	if got := m.level(now); got != before {
		t.Errorf("level %v after the oldest came back, want %v", got, before)
	}
	late := m.take(now, 1)
	for range 2 * longestLog {
		m.settle(now, m.take(now, 0), 0, 0)
	}
	before = m.level(now)
	m.settle(now, late, 1, 7)
	if got := m.level(now); got != before-6 {
		t.Errorf("level %v after 6 more were used than reserved, want %v", got, before-6)
	}
}

func TestTokenRateAtTheGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithTokenRate(Rate{PerSecond: 100, Burst: 1000}))
		start := time.Now()
		send := func(need, used int64, want time.Duration) {
			t.Helper()
			p, err := g.AcquireFor(t.Context(), Need{Tokens: need})
			if err != nil {
				t.Fatal(err)
			}
			if got := time.Since(start); (got - want).Abs() > time.Microsecond {
				t.Errorf("sent at %v, want %v", got, want)
			}
			p.Done(Outcome{Result: ResultOK, Tokens: used})
		}
		send(1000, 400, 0)            // holds 600
		send(600, 600, 0)             // holds 0
		send(200, 500, 2*time.Second) // owes 300
		send(100, 100, 6*time.Second)
		send(5000, 2000, 16*time.Second) // when it is full; owes 1000
		send(0, 0, 26*time.Second)
		if got := g.Status(); got.Tokens > 1 || got.TokenRate.Burst != 1000 {
			t.Errorf("status: %v tokens, rate %v", got.Tokens, got.TokenRate)
		}
	})
}

// A refusal uses nothing; without usage the estimate stands.
func TestTokensOfOutcomes(t *testing.T) {
	tests := []struct {
		outcome Outcome
		left    float64
	}{
		{Outcome{}, 40},
		{Outcome{Result: ResultOK}, 40},
		{Outcome{Result: ResultOK, Tokens: 20}, 80},
		{Outcome{Result: ResultUnavailable}, 40},
		{Outcome{Result: ResultRateLimited}, 100},
		{Outcome{Result: ResultOverloaded}, 100},
		{Outcome{Result: ResultFatal}, 100},
		{Outcome{Result: ResultFatal, Tokens: 5}, 95},
		{Outcome{Result: ResultOK, Tokens: -5}, 40},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(WithTokenRate(Rate{PerSecond: 1, Burst: 100}))
			p, err := g.AcquireFor(t.Context(), Need{Tokens: 60})
			if err != nil {
				t.Fatal(err)
			}
			p.Done(tt.outcome)
			p.Done(tt.outcome) // by mistake
			if s := g.Status(); s.Tokens != tt.left || s.InFlight != 0 {
				t.Errorf("%+v leaves %v tokens and %d in flight, want %v and 0", tt.outcome, s.Tokens, s.InFlight, tt.left)
			}
		})
	}
}

func TestSetTokenRateCarriesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithTokenRate(Rate{PerSecond: 10, Burst: 1000}))
		before, err := g.AcquireFor(t.Context(), Need{Tokens: 1500})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			rate Rate
			want float64
		}{
			{Rate{PerSecond: 100, Burst: 50}, -500},
			{Rate{PerSecond: 1, Burst: 5000}, -500},
		} {
			if err := g.SetTokenRate(step.rate); err != nil {
				t.Fatal(err)
			}
			if got := g.Status().Tokens; got != step.want {
				t.Errorf("after the change to %v it holds %v, want %v", step.rate, got, step.want)
			}
		}
		before.Done(Outcome{Result: ResultOK, Tokens: 1600})
		if got := g.Status().Tokens; got != -600 {
			t.Errorf("it holds %v, want the 100 that were used beyond the reserve owed, and nothing given back", got)
		}
		if err := g.SetTokenRate(Rate{PerSecond: 1, Strict: true}); !errors.Is(err, ErrRate) {
			t.Errorf("strict pacing of tokens: %v", err)
		}
		waited := make(chan error)
		go func() {
			_, err := g.AcquireFor(t.Context(), Need{Tokens: 10})
			waited <- err
		}()
		synctest.Wait()
		if err := g.SetTokenRate(Rate{}); err != nil {
			t.Fatal(err)
		}
		if err := <-waited; err != nil {
			t.Error(err)
		}
		if s := g.Status(); s.Tokens != 0 || s.TokenRate != (Rate{}) {
			t.Errorf("status %+v", s)
		}
	})
}

func TestBadTokenRateRefusesEverything(t *testing.T) {
	for _, r := range []Rate{{PerSecond: 1, Strict: true}, {PerSecond: math.Inf(1)}} {
		g := NewGate(WithTokenRate(r), WithRate(Rate{PerSecond: 1}))
		if _, err := g.Acquire(context.Background()); !errors.Is(err, ErrRate) {
			t.Errorf("Acquire: %v", err)
		}
		if err := g.SetRate(Rate{PerSecond: 2}); err != nil {
			t.Fatal(err)
		}
		if _, err := g.Acquire(context.Background()); !errors.Is(err, ErrRate) {
			t.Errorf("Acquire after another rate was set: %v, want it refused still", err)
		}
	}
}

// One answer that tells an absurd use, or many, keep nobody waiting for longer
// than an hour, and a change of the rate does not make it longer.
func TestAbsurdUseOfTokens(t *testing.T) {
	minute := Rate{PerSecond: 100.0 / 60, Burst: 100}
	tests := []struct {
		name   string
		rate   Rate
		need   int64
		used   []int64
		left   float64
		absurd uint64
	}{
		{"within reason", Rate{PerSecond: 1000, Burst: 1000}, 100, []int64{500_000}, -499_000, 0},
		{"1e12", Rate{PerSecond: 1e6, Burst: 1000}, 100, []int64{1e12}, 1000 - 10e6, 1},
		{"64 times a large need", Rate{PerSecond: 1e6, Burst: 1e6}, 1e6, []int64{1e12}, 1e6 - 64e6, 1},
		{"more than an hour of the rate", minute, 10, []int64{1e12}, -6000, 1},
		{"again and again", minute, 10, []int64{1e12, math.MaxInt64, 5e6}, -6000, 3},
		{"a need beyond an hour stands", minute, 50_000, []int64{50_000}, -49_900, 0},
		{"and what is beyond it does not", minute, 50_000, []int64{60_000}, -49_900, 1},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(WithTokenRate(tt.rate))
			var flying []Permit
			for range tt.used {
				p, err := g.AcquireFor(t.Context(), Need{Tokens: tt.need})
				if err != nil {
					t.Fatal(err)
				}
				flying = append(flying, p)
			}
			for i, p := range flying {
				p.Done(Outcome{Result: ResultOK, Tokens: tt.used[i]})
			}
			if s := g.Status(); math.Abs(s.Tokens-tt.left) > 1e-3 || s.Absurd != tt.absurd {
				t.Errorf("%s: %v tokens, %d absurd, want %v and %d", tt.name, s.Tokens, s.Absurd, tt.left, tt.absurd)
			}
			slow := Rate{PerSecond: 1, Burst: 10}
			if err := g.SetTokenRate(slow); err != nil {
				t.Fatal(err)
			}
			if got, want := g.Status().Tokens, max(tt.left, -3600); math.Abs(got-want) > 1e-3 {
				t.Errorf("%s: the slower rate owes %v, want %v", tt.name, got, want)
			}
		})
	}
}
