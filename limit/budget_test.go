package limit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestParseBudget(t *testing.T) {
	tests := []struct {
		in   string
		want Budget
		out  string
	}{
		{"5usd/day", Budget{Amount: 5, Per: 24 * time.Hour}, "5usd/day"},
		{"200000tokens/hour", Budget{Amount: 200000, Tokens: true, Per: time.Hour}, "200000tokens/hour"},
		{" 0.50 USD / Minute ", Budget{Amount: 0.5, Per: time.Minute}, "0.5usd/minute"},
		{"1e6 Tokens/D", Budget{Amount: 1e6, Tokens: true, Per: 24 * time.Hour}, "1000000tokens/day"},
		{"1token/h", Budget{Amount: 1, Tokens: true, Per: time.Hour}, "1tokens/hour"},
		{"7usd/min", Budget{Amount: 7, Per: time.Minute}, "7usd/minute"},
	}
	for _, tt := range tests {
		got, err := ParseBudget(tt.in)
		if err != nil || got != tt.want || got.String() != tt.out {
			t.Errorf("ParseBudget(%q) = %+v, %v, written %q; want %+v, %q", tt.in, got, err, got, tt.want, tt.out)
		}
		if again, err := ParseBudget(got.String()); err != nil || again != got {
			t.Errorf("%q reads as %+v, %v", got, again, err)
		}
	}
}

func TestParseBudgetRefuses(t *testing.T) {
	tests := []struct{ in, why string }{
		{"", "no window"},
		{"5usd", "no window"},
		{"5/day", "no unit"},
		{"5eur/day", "no unit"},
		{"5usd/year", `"year" is no window`},
		{"5usd/day/2", `"day/2" is no window`},
		{"usd/day", "it has no number"},
		{"fiveusd/day", `"five" is no number`},
		{"0usd/day", "not above 0"},
		{"-5usd/day", "not above 0"},
		{"NaNusd/day", "is no number"},
		{"Inf tokens/day", "is no number"},
		{"1e300usd/day", "not above 0"},
	}
	for _, tt := range tests {
		got, err := ParseBudget(tt.in)
		if !errors.Is(err, ErrBudget) || got != (Budget{}) {
			t.Errorf("ParseBudget(%q) = %+v, %v, want ErrBudget", tt.in, got, err)
			continue
		}
		for _, want := range []string{tt.in, tt.why, "5usd/day"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("ParseBudget(%q): error %q does not say %q", tt.in, err, want)
			}
		}
	}
}

func FuzzParseBudget(f *testing.F) {
	for _, s := range []string{"5usd/day", "200000tokens/hour", "0.1 USD/min", "5/day", "1e999usd/d", "-1token/h", "tokens/h", "usd/day", "5usdusd/day", "/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseBudget(s)
		if err != nil {
			if !errors.Is(err, ErrBudget) || b != (Budget{}) {
				t.Errorf("ParseBudget(%q) = %+v, %v", s, b, err)
			}
			return
		}
		if b.Unlimited() || b.Check() != nil {
			t.Errorf("ParseBudget(%q) = %+v", s, b)
		}
		if again, err := ParseBudget(b.String()); err != nil || again != b {
			t.Errorf("%q is written %q, which reads as %+v, %v", s, b, again, err)
		}
	})
}

func TestBudgetCheck(t *testing.T) {
	for _, b := range []Budget{{Amount: math.NaN(), Per: time.Hour}, {Amount: math.Inf(1), Per: time.Hour}, {Amount: 1}, {Per: time.Hour}, {Amount: 1, Per: time.Millisecond}, {Amount: 1, Per: 400 * 24 * time.Hour}} {
		if err := b.Check(); !errors.Is(err, ErrBudget) {
			t.Errorf("%+v: %v", b, err)
		}
		g := NewGate(WithBudget(b))
		if _, err := g.Acquire(t.Context()); !errors.Is(err, ErrBudget) {
			t.Errorf("%+v: Acquire: %v", b, err)
		}
		if err := g.SetBudget(Budget{Amount: 1, Per: time.Hour}); err != nil {
			t.Error(err)
		}
		try(t, g, Outcome{})
	}
	if err := (Budget{}).Check(); err != nil || (Budget{}).String() != "unlimited" {
		t.Errorf("the zero budget: %v, %v", err, Budget{})
	}
	if got := (Budget{Amount: 2, Per: 90 * time.Second}).String(); got != "2usd/1m30s" {
		t.Errorf("a window without a name is written %q", got)
	}
}

// spend sends one and says what it really used.
func spend(ctx context.Context, g *Gate, need, used float64) error {
	p, err := g.AcquireFor(ctx, Need{Cost: need})
	if err != nil {
		return err
	}
	p.Done(Outcome{Result: ResultOK, Cost: used, HasCost: true})
	return nil
}

func TestBudgetSettles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l listen
		g := NewGate(WithBudget(Budget{Amount: 10, Per: time.Hour}), WithListener(l.hear))
		start := time.Now()
		step := func(need, used float64, spent float64, want error) {
			t.Helper()
			if err := spend(t.Context(), g, need, used); !errors.Is(err, want) {
				t.Errorf("error %v, want %v", err, want)
			}
			if s := g.Status().Budget; math.Abs(s.Spent-spent) > 1e-9 || s.Reserved != 0 {
				t.Errorf("spent %v, reserved %v, want %v and 0", s.Spent, s.Reserved, spent)
			}
		}
		step(4, 1, 1, nil)      // less than reserved
		step(4, 6, 7, nil)      // more
		step(4, 0, 7, ErrSpent) // too much for what is left
		step(3, 2, 9, nil)      // but a small one still goes
		step(1, 3, 12, nil)     // an estimate that was too low
		for range 3 {
			step(0, 0, 12, ErrSpent)
		}
		if s := g.Status().Budget; !s.Exhausted || s.Left() != 0 || !s.Renews.Equal(start.Add(time.Hour)) {
			t.Errorf("status %+v", s)
		}
		time.Sleep(time.Hour)
		if s := g.Status().Budget; s.Exhausted || s.Left() != 10 || !s.Renews.IsZero() {
			t.Errorf("in the next window: %+v", s)
		}
		step(4, 4, 4, nil)
		if got, want := l.kinds(), []EventKind{EventSpent, EventRenewed}; !slices.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
		if e := l.events[0]; !e.Until.Equal(start.Add(time.Hour)) {
			t.Errorf("event %+v", e)
		}
		if s := g.Status(); s.Refused != 4 || s.Sends != 5 {
			t.Errorf("status %+v", s)
		}
	})
}

// What others have reserved may come back: who needs it waits for that, and is
// not told that it is spent.
func TestBudgetWaitsForWhatIsReserved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBudget(Budget{Amount: 1000, Tokens: true, Per: time.Hour}))
		var flying []Permit
		for range 3 {
			p, err := g.AcquireFor(t.Context(), Need{Tokens: 300})
			if err != nil {
				t.Fatal(err)
			}
			flying = append(flying, p)
		}
		result := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := g.AcquireFor(t.Context(), Need{Tokens: 300})
				result <- err
			}()
			synctest.Wait()
		}
		if s := g.Status(); s.Waiting != 2 || s.Budget.Reserved != 900 {
			t.Errorf("%d wait, %v reserved", s.Waiting, s.Budget.Reserved)
		}
		flying[0].Done(Outcome{Result: ResultOK, Tokens: 50})
		if err := <-result; err != nil {
			t.Error(err)
		}
		flying[1].Done(Outcome{Result: ResultOK, Tokens: 800})
		if err := <-result; !errors.Is(err, ErrSpent) {
			t.Errorf("error %v, want ErrSpent", err)
		}
		flying[2].Done(Outcome{Result: ResultRateLimited, Header: headers("retry-after", "1")})
		if s := g.Status().Budget; s.Spent != 850 || s.Reserved != 300 {
			t.Errorf("status %+v", s)
		}
	})
}

// What was reserved in a window that is over does not count in the next.
func TestBudgetOfAnotherWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(WithBudget(Budget{Amount: 10, Per: time.Minute}))
		p, err := g.AcquireFor(t.Context(), Need{Cost: 8})
		if err != nil {
			t.Fatal(err)
		}
		waited := make(chan time.Duration)
		go func() {
			start := time.Now()
			if err := spend(t.Context(), g, 5, 5); err != nil {
				t.Error(err)
			}
			waited <- time.Since(start)
		}()
		if got := <-waited; got != time.Minute {
			t.Errorf("waited %v, want until the window's end, a minute", got)
		}
		p.Done(Outcome{Result: ResultOK, Cost: 9, HasCost: true})
		if s := g.Status().Budget; s.Spent != 5 || s.Reserved != 0 {
			t.Errorf("status %+v", s)
		}
	})
}

func TestSetBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l listen
		g := NewGate(WithBudget(Budget{Amount: 10, Per: time.Hour}), WithListener(l.hear))
		if err := spend(t.Context(), g, 9, 9); err != nil {
			t.Fatal(err)
		}
		if err := spend(t.Context(), g, 5, 5); !errors.Is(err, ErrSpent) {
			t.Error(err)
		}
		set := func(b Budget) {
			t.Helper()
			if err := g.SetBudget(b); err != nil {
				t.Fatal(err)
			}
		}
		set(Budget{Amount: 20, Per: time.Hour}) // what was spent counts
		if s := g.Status().Budget; s.Spent != 9 || s.Exhausted {
			t.Errorf("status %+v", s)
		}
		if err := spend(t.Context(), g, 5, 5); err != nil {
			t.Error(err)
		}
		set(Budget{Amount: 10, Per: time.Hour})
		if err := spend(t.Context(), g, 0, 0); !errors.Is(err, ErrSpent) {
			t.Error(err)
		}
		set(Budget{Amount: 10, Tokens: true, Per: time.Hour}) // another unit: from the start
		if err := spend(t.Context(), g, 1e6, 1e6); err != nil {
			t.Error(err)
		}
		set(Budget{})
		if s := g.Status(); s.Budget != nil || g.limited.Load() {
			t.Errorf("status %+v", s.Budget)
		}
		want := []EventKind{EventSpent, EventRenewed, EventSpent, EventRenewed}
		if got := l.kinds(); !slices.Equal(got, want) {
			t.Errorf("events %v, want %v", got, want)
		}
		if err := g.SetBudget(Budget{Amount: -1}); !errors.Is(err, ErrBudget) {
			t.Error(err)
		}
		if err := (*Gate)(nil).SetBudget(Budget{Amount: 1, Per: time.Hour}); err != nil {
			t.Error(err)
		}
	})
}

// Whoever sends, and however it ends: with estimates that are high enough no
// window gets more than its budget, and what is left at the end is less than a
// send needs.
func TestBudgetNeverOver(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 4))
			b := Budget{Amount: 100, Per: time.Minute}
			g := NewGate(WithBudget(b), WithRate(Rate{PerSecond: 20, Burst: 10}))
			var mu sync.Mutex
			spent := map[time.Time]float64{} // by the end of the window
			var wg sync.WaitGroup
			for range 2000 {
				time.Sleep(time.Duration(r.ExpFloat64() * float64(100*time.Millisecond)))
				need := r.Float64() * 3
				used, hold := need*r.Float64(), time.Duration(r.IntN(int(3*time.Second)))
				patience := time.Duration(r.IntN(int(5 * time.Second)))
				wg.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					p, err := g.AcquireFor(ctx, Need{Cost: need})
					if err != nil {
						return
					}
					renews := g.Status().Budget.Renews
					time.Sleep(hold)
					p.Done(Outcome{Result: ResultOK, Cost: used, HasCost: true})
					mu.Lock()
					spent[renews] += used
					mu.Unlock()
				})
			}
			wg.Wait()
			full := 0
			for _, sum := range spent {
				if sum > b.Amount*(1+1e-6) {
					t.Errorf("seed %d: %v spent in a window", seed, sum)
				}
				if sum > b.Amount-6 {
					full++
				}
			}
			if len(spent) < 3 || full < len(spent)-1 {
				t.Errorf("seed %d: %d of %d windows used up: %v", seed, full, len(spent), spent)
			}
		})
	}
}

// A send that does not fit is refused, but the budget is spent only when nothing
// else fits either; that is told once a window.
func TestBudgetIsSpentOrDoesNotFit(t *testing.T) {
	type step struct{ need, used float64 } // used below 0: refused
	tests := []struct {
		name      string
		steps     []step
		exhausted bool
	}{
		{"larger than the budget", []step{{11, -1}, {11, -1}}, false},
		{"larger than what is left", []step{{1, 5}, {6, -1}, {6, -1}, {1, 1}}, false},
		{"nothing is left", []step{{4, 10}, {1, -1}, {0, -1}}, true},
		{"too little is left for any", []step{{4, 4}, {4, 4}, {4, -1}, {4, -1}}, true},
		{"too large first, spent later", []step{{1, 5}, {6, -1}, {5, 5}, {1, -1}, {6, -1}}, true},
		{"unknown needs go until nothing is left", []step{{0, 9}, {2, -1}, {0, 0.5}, {2, -1}}, false},
		{"spent by the last that fits", []step{{0, 9}, {1, 1}, {0, -1}}, true},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			var l listen
			g := NewGate(WithBudget(Budget{Amount: 10, Per: time.Hour}), WithListener(l.hear))
			for range 2 { // windows
				for i, s := range tt.steps {
					var want error
					if s.used < 0 {
						want = ErrSpent
					}
					if err := spend(t.Context(), g, s.need, s.used); !errors.Is(err, want) {
						t.Errorf("%s: step %d: error %v, want %v", tt.name, i, err, want)
					}
				}
				if got := g.Status().Budget.Exhausted; got != tt.exhausted {
					t.Errorf("%s: exhausted %v, want %v", tt.name, got, tt.exhausted)
				}
				time.Sleep(time.Hour)
				g.Status()
			}
			var want []EventKind
			if tt.exhausted {
				want = []EventKind{EventSpent, EventRenewed, EventSpent, EventRenewed}
			}
			if got := l.kinds(); !slices.Equal(got, want) {
				t.Errorf("%s: events %v, want %v", tt.name, got, want)
			}
		})
	}
}
