package limit

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ErrBudget is wrapped by every error about a budget that cannot be kept.
var ErrBudget = errors.New("limit: bad budget")

// ErrSpent is returned by an [Gate.Acquire] for which the budget does not
// suffice: it is spent, or what is left is less than this send needs.
var ErrSpent = errors.New("limit: the budget is spent")

// Bounds of a [Budget]. What is beyond them is a slip of the pen.
const (
	MaxBudget       = 1e15
	MaxBudgetWindow = 31 * 24 * time.Hour
)

// Budget says how much may be spent in a window of time: money or tokens. The
// zero Budget is no limit. A window begins with the first send after the one
// before it is over, on the monotonic clock, not with a day or hour of the
// calendar.
type Budget struct {
	// Amount that may be spent in a window: above 0, at most [MaxBudget].
	Amount float64
	// Tokens: the amount is tokens, and else money in the currency of
	// [Need.Cost].
	Tokens bool
	// Per is the length of a window, from a second to [MaxBudgetWindow].
	Per time.Duration
}

const budgetSyntax = "want an amount above 0 with usd or tokens, a slash and minute, hour or day, such as 5usd/day or 200000tokens/hour"

var windows = map[string]time.Duration{
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour,
}

// ParseBudget reads a budget: an amount with its unit, a slash and a window.
//
//	5usd/day  0.5 USD / hour  200000tokens/hour
//
// Units are usd, and tokens or token; windows are minute, min or m, hour or h,
// day or d. Case and blanks around the parts do not matter. What cannot be
// read, or is out of bounds, is refused with an error that wraps [ErrBudget]
// and names the value and what is accepted: a limit is never guessed.
func ParseBudget(s string) (Budget, error) {
	b, err := parseBudget(s)
	if err == nil {
		err = b.check()
	}
	if err != nil {
		return Budget{}, fmt.Errorf("%w %q: %w; %s", ErrBudget, s, err, budgetSyntax)
	}
	return b, nil
}

func parseBudget(s string) (Budget, error) {
	amount, window, ok := strings.Cut(strings.ToLower(s), "/")
	if !ok {
		return Budget{}, errors.New("it has no window")
	}
	per, ok := windows[strings.TrimSpace(window)]
	if !ok {
		return Budget{}, fmt.Errorf("%q is no window", strings.TrimSpace(window))
	}
	amount = strings.TrimSpace(amount)
	b := Budget{Per: per}
	number, ok := strings.CutSuffix(amount, "usd")
	if !ok {
		b.Tokens = true
		number, ok = strings.CutSuffix(strings.TrimSuffix(amount, "s"), "token")
	}
	if !ok {
		return Budget{}, errors.New("it has no unit")
	}
	n, err := parseNumber(strings.TrimSpace(number))
	if err != nil {
		return Budget{}, err
	}
	b.Amount = n
	return b, nil
}

// Unlimited reports whether b is the zero Budget.
func (b Budget) Unlimited() bool { return b == Budget{} }

// Check returns an error that wraps [ErrBudget] when the budget cannot be kept:
// not finite, or out of the bounds that its fields have. The zero Budget is
// fine.
func (b Budget) Check() error {
	if b.Unlimited() {
		return nil
	}
	if err := b.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrBudget, err)
	}
	return nil
}

func (b Budget) check() error {
	switch {
	case math.IsNaN(b.Amount) || b.Amount <= 0 || b.Amount > MaxBudget:
		return fmt.Errorf("%g is not above 0 and at most %g", b.Amount, float64(MaxBudget))
	case b.Per < time.Second || b.Per > MaxBudgetWindow:
		return fmt.Errorf("a window of %v is not between 1s and %v", b.Per, MaxBudgetWindow)
	}
	return nil
}

// String returns the budget as [ParseBudget] reads it, where its window has a
// name; "unlimited" for the zero Budget, which ParseBudget does not read.
func (b Budget) String() string {
	if b.Unlimited() {
		return "unlimited"
	}
	unit := "usd"
	if b.Tokens {
		unit = "tokens"
	}
	window := b.Per.String()
	for _, name := range []string{"minute", "hour", "day"} {
		if windows[name] == b.Per {
			window = name
		}
	}
	return strconv.FormatFloat(b.Amount, 'f', -1, 64) + unit + "/" + window
}

// of is how much of a budget a send needs, or used.
func (b Budget) of(n Need) float64 {
	if b.Tokens {
		return float64(n.Tokens)
	}
	return n.Cost
}

// purse is a budget in use. It is arithmetic only; the gate's lock guards it.
type purse struct {
	budget          Budget
	window          uint64 // number of the window; reservations belong to one
	began           time.Time
	open            bool // a window has begun
	spent, reserved float64
	least           float64 // smallest need that went in this window
	exhausted       bool    // a send was refused in this window once it was used up
}

// roll ends the window when it is over; renewed: one that was exhausted.
func (p *purse) roll(now time.Time) (renewed bool) {
	if !p.open || now.Before(p.ends(now)) {
		return false
	}
	renewed = p.exhausted
	*p = purse{budget: p.budget, window: p.window + 1}
	return renewed
}

// ends is the end of the window that has begun, or would begin now.
func (p *purse) ends(now time.Time) time.Time {
	if !p.open {
		return now.Add(p.budget.Per)
	}
	return p.began.Add(p.budget.Per)
}

// suffices reports whether there is enough for n beside what was spent. What
// other sends have reserved does not count: some of it may come back.
func (p *purse) suffices(n float64) bool { return p.has(p.spent, n) }

// used reports whether the budget is used up: nothing is left, or too little for
// the smallest of the sends that went in this window. One that is too large for
// what is left says nothing about the others.
func (p *purse) used() bool { return p.spent > 0 && !p.suffices(p.least) }

// free reports whether there is enough for n beside what was spent and
// reserved.
func (p *purse) free(n float64) bool { return p.has(p.spent+p.reserved, n) }

func (p *purse) has(gone, n float64) bool {
	const rounding = 1e-9 // of sums of many small costs
	whole := p.budget.Amount * (1 + rounding)
	return gone+n <= whole && gone < p.budget.Amount
}

// reserve takes n, which must be free, and returns the window to settle it in.
func (p *purse) reserve(now time.Time, n float64) uint64 {
	if !p.open {
		p.open, p.began, p.least = true, now, n
	}
	p.least = min(p.least, n)
	p.reserved += n
	return p.window
}

// settle says that of a reserved n, used was spent. What belongs to a window
// that is over changes nothing.
func (p *purse) settle(window uint64, n, used float64) {
	if window != p.window {
		return
	}
	p.reserved = max(0, p.reserved-n)
	p.spent += used
}
