package limit

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Bounds of a [Rate]: from one a day to a hundred million a second (of tokens,
// that is), bursts up to as many, margins up to a minute. What is beyond them is
// a slip of the pen.
const (
	MinPerSecond = 1.0 / (24 * 60 * 60)
	MaxPerSecond = 1e8
	MaxBurst     = 100_000_000
	MaxMargin    = time.Minute
)

// DefaultMargin is the margin of strict pacing where none is given.
const DefaultMargin = time.Millisecond

// ErrRate is wrapped by every error about a rate that cannot be kept.
var ErrRate = errors.New("limit: bad rate")

// Rate says how many sends are permitted. The zero Rate is no limit.
//
// A rate is kept in one of two ways. A token bucket permits PerSecond on
// average, and up to Burst at once after a pause. Strict pacing never lets two
// sends come closer than 1/PerSecond plus Margin, however long nothing was
// sent.
type Rate struct {
	// PerSecond is the number of sends in a second, between [MinPerSecond] and
	// [MaxPerSecond].
	PerSecond float64
	// Burst is how many may go at once, up to [MaxBurst]. Zero is a tenth of
	// PerSecond, at least 1. It has no meaning in strict pacing.
	Burst int
	// Strict paces: no bursts at all.
	Strict bool
	// Margin is added to the distance between two sends in strict pacing, so
	// that they are still that far apart when they arrive after a network
	// whose delay varies by as much. At most [MaxMargin]; zero is none.
	// [ParseRate] sets [DefaultMargin] where the text gives none.
	Margin time.Duration
}

const rateSyntax = "want a number above 0, a slash and sec, min or hour, such as 60/min; " +
	"then optionally ,burst=N; or strict: before it and optionally ,margin=DURATION after it"

// units are the accepted names of a unit and its seconds.
var units = map[string]float64{
	"s": 1, "sec": 1, "second": 1,
	"m": 60, "min": 60, "minute": 60,
	"h": 3600, "hour": 3600,
}

// ParseRate reads a rate: a number, a slash and a unit, then options.
//
//	60/min  10/sec  1000/hour  0.5/sec,burst=4
//	strict:2/sec  strict:2/sec,margin=2ms
//
// Units are sec, second or s, min, minute or m, hour or h. Case and blanks
// around the parts do not matter. Without burst= the burst is a tenth of the
// rate in a second, at least 1; without margin= the margin is [DefaultMargin].
// What cannot be read, or is out of bounds, is refused with an error that
// wraps [ErrRate] and names the value and what is accepted: a limit is never
// guessed.
func ParseRate(s string) (Rate, error) {
	r, err := parseRate(s)
	if err != nil {
		return Rate{}, fmt.Errorf("%w %q: %w; %s", ErrRate, s, err, rateSyntax)
	}
	return r, nil
}

func parseRate(s string) (Rate, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	var r Rate
	if rest, ok := strings.CutPrefix(text, "strict:"); ok {
		text, r.Strict, r.Margin = rest, true, DefaultMargin
	}
	text, options, hasOptions := strings.Cut(text, ",")
	number, unit, ok := strings.Cut(text, "/")
	if !ok {
		return Rate{}, errors.New("it has no unit")
	}
	seconds, ok := units[strings.TrimSpace(unit)]
	if !ok {
		return Rate{}, fmt.Errorf("%q is no unit", strings.TrimSpace(unit))
	}
	n, err := parseNumber(strings.TrimSpace(number))
	if err != nil {
		return Rate{}, err
	}
	r.PerSecond = n / seconds
	if hasOptions {
		if err := r.parseOptions(options); err != nil {
			return Rate{}, err
		}
	}
	if err := r.check(); err != nil {
		return Rate{}, err
	}
	r.Burst = r.burst()
	return r, nil
}

// parseNumber reads a plain decimal number; strconv would also take NaN, Inf
// and hexadecimal.
func parseNumber(s string) (float64, error) {
	if s == "" {
		return 0, errors.New("it has no number")
	}
	if strings.Trim(s, "0123456789.e+-") != "" {
		return 0, fmt.Errorf("%q is no number", s)
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", s)
	}
	return n, nil
}

func (r *Rate) parseOptions(options string) error {
	seen := map[string]bool{}
	for option := range strings.SplitSeq(options, ",") {
		key, value, _ := strings.Cut(option, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if seen[key] {
			return fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		switch {
		case key == "burst" && r.Strict:
			return errors.New("strict pacing has no burst")
		case key == "burst":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > MaxBurst {
				return fmt.Errorf("burst %q is no whole number from 1 to %d", value, MaxBurst)
			}
			r.Burst = n
		case key == "margin" && !r.Strict:
			return errors.New("only strict pacing has a margin")
		case key == "margin":
			d, err := time.ParseDuration(value)
			if err != nil || d < 0 || d > MaxMargin {
				return fmt.Errorf("margin %q is no duration from 0s to %v", value, MaxMargin)
			}
			r.Margin = d
		default:
			return fmt.Errorf("%q is no option", key)
		}
	}
	return nil
}

// ParseRates reads rates for several evaluators or judges by name, separated
// by semicolons: mine=5/sec;judge=60/min. A rate without a name has the key
// "". Names are trimmed and otherwise kept as they are. Nothing at all, and a
// name that is given twice, are errors; all wrap [ErrRate].
func ParseRates(s string) (map[string]Rate, error) {
	rates := map[string]Rate{}
	for entry := range strings.SplitSeq(s, ";") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, text, ok := strings.Cut(entry, "=")
		if !ok || strings.ContainsAny(name, "/:,") { // the = is an option's
			name, text = "", entry
		} else if strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("%w %q: no name before the =", ErrRate, entry)
		}
		name = strings.TrimSpace(name)
		if _, ok := rates[name]; ok {
			return nil, fmt.Errorf("%w %q: %q has two rates", ErrRate, s, name)
		}
		r, err := ParseRate(text)
		if err != nil {
			return nil, err
		}
		rates[name] = r
	}
	if len(rates) == 0 {
		return nil, fmt.Errorf("%w %q: it is empty; %s", ErrRate, s, rateSyntax)
	}
	return rates, nil
}

// Unlimited reports whether r is the zero Rate.
func (r Rate) Unlimited() bool { return r == Rate{} }

// Check returns an error that wraps [ErrRate] when the rate cannot be kept:
// not finite, or out of the bounds that its fields have. The zero Rate is fine.
func (r Rate) Check() error {
	if r.Unlimited() {
		return nil
	}
	if err := r.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrRate, err)
	}
	return nil
}

func (r Rate) check() error {
	switch {
	case math.IsNaN(r.PerSecond) || r.PerSecond < MinPerSecond || r.PerSecond > MaxPerSecond:
		return fmt.Errorf("%g a second is not between 1 a day and %g a second", r.PerSecond, MaxPerSecond)
	case r.Burst < 0 || r.Burst > MaxBurst:
		return fmt.Errorf("burst %d is not between 1 and %d", r.Burst, MaxBurst)
	case r.Margin < 0 || r.Margin > MaxMargin:
		return fmt.Errorf("margin %v is not between 0s and %v", r.Margin, MaxMargin)
	}
	return nil
}

// burst is the burst in effect: 0 in strict pacing.
func (r Rate) burst() int {
	if r.Strict {
		return 0
	}
	if r.Burst > 0 {
		return r.Burst
	}
	return r.defaultBurst()
}

// filled is r with its burst filled in.
func (r Rate) filled() Rate {
	if !r.Unlimited() {
		r.Burst = r.burst()
	}
	return r
}

func (r Rate) defaultBurst() int { return max(1, int(r.PerSecond/10)) }

// String returns the rate as [ParseRate] reads it, in the unit in which it is
// shortest; "unlimited" for the zero Rate, which ParseRate does not read.
func (r Rate) String() string {
	if r.Unlimited() {
		return "unlimited"
	}
	var b strings.Builder
	if r.Strict {
		b.WriteString("strict:")
	}
	b.WriteString(perUnit(r.PerSecond))
	if !r.Strict && r.burst() != r.defaultBurst() {
		fmt.Fprintf(&b, ",burst=%d", r.burst())
	}
	if r.Strict && r.Margin != DefaultMargin {
		fmt.Fprintf(&b, ",margin=%v", r.Margin)
	}
	return b.String()
}

// perUnit writes a rate in the unit in which it is shortest, among those that
// read back as exactly the same rate. Seconds always do.
func perUnit(perSecond float64) string {
	best := strconv.FormatFloat(perSecond, 'f', -1, 64) + "/sec"
	for _, unit := range []string{"min", "hour"} {
		// A product such as 1000/3600*3600 may be off in the last digit.
		for _, precision := range []int{12, -1} {
			short := strconv.FormatFloat(perSecond*units[unit], 'g', precision, 64)
			n, err := strconv.ParseFloat(short, 64)
			if err != nil || n/units[unit] != perSecond {
				continue
			}
			if text := strconv.FormatFloat(n, 'f', -1, 64) + "/" + unit; len(text) < len(best) {
				best = text
			}
		}
	}
	return best
}
