package envconfig

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/limit"
)

// isNone reports whether a text means that there is no limit.
func isNone(text string) bool {
	word := strings.ToLower(strings.TrimSpace(text))
	return word == "none" || word == "off"
}

// ParseRateLimits reads RATE_LIMIT: one rate, rates by name, none or off.
func ParseRateLimits(s string) (map[string]limit.Rate, error) {
	return parseByName(s, limit.ParseRate)
}

// ParseTokenLimits reads TOKEN_LIMIT, as [ParseRateLimits] does. Strict pacing
// has no meaning for tokens and is refused.
func ParseTokenLimits(s string) (map[string]limit.Rate, error) {
	return parseByName(s, parseTokenRate)
}

// ParseBudgets reads BUDGET: one budget, budgets by name, none or off.
func ParseBudgets(s string) (map[string]limit.Budget, error) {
	return parseByName(s, limit.ParseBudget)
}

// tokenBurst is the burst of a token limit that names none, in seconds: a tenth
// of a second, which is right for calls, would not hold what one call takes.
const tokenBurst = 6

func parseTokenRate(s string) (limit.Rate, error) {
	r, err := limit.ParseRate(s)
	switch {
	case err != nil:
		return r, err
	case r.Strict:
		return r, fmt.Errorf("%w %q: tokens have no strict pacing", limit.ErrRate, s)
	case !strings.Contains(strings.ToLower(s), "burst"):
		r.Burst = max(1, int(min(r.PerSecond*tokenBurst, limit.MaxBurst)))
	}
	return r, nil
}

// parseByName reads limits of one kind: one for everybody, or several by name
// as in judge=60/min;fast=600/min. One without a name has the key "".
func parseByName[T any](s string, parse func(string) (T, error)) (map[string]T, error) {
	if isNone(s) {
		return nil, nil
	}
	limits := map[string]T{}
	spelled := map[string]bool{} // names as they are compared
	for entry := range strings.SplitSeq(s, ";") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, text, ok := strings.Cut(entry, "=")
		if !ok || strings.ContainsAny(name, "/:,") { // the = is an option's
			name, text = "", entry
		} else if strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("%q has no name before the =", entry)
		}
		name = strings.TrimSpace(name)
		if spelled[plainName(name)] {
			return nil, fmt.Errorf("%q has %q twice, perhaps in another spelling", s, name)
		}
		spelled[plainName(name)] = true
		one, err := parse(text)
		if err != nil {
			return nil, err
		}
		limits[name] = one
	}
	if len(limits) == 0 {
		return nil, errors.New("it is empty")
	}
	return limits, nil
}

func decodeByName[T any](parse func(string) (T, error)) func(string) (any, error) {
	return func(text string) (any, error) { return parseByName(text, parse) }
}

func encodeByName[T fmt.Stringer](value any) string {
	limits := value.(map[string]T)
	if len(limits) == 0 {
		return "none"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if name == "" {
			parts = append(parts, limits[name].String())
			continue
		}
		parts = append(parts, name+"="+limits[name].String())
	}
	return strings.Join(parts, ";")
}

// decodePointer reads one limit; none is the zero value and not nil, which
// stands for not set.
func decodePointer[T any](parse func(string) (T, error)) func(string) (any, error) {
	return func(text string) (any, error) {
		var one T
		if isNone(text) {
			return &one, nil
		}
		one, err := parse(text)
		if err != nil {
			return nil, err
		}
		return &one, nil
	}
}

// encodeLimit writes a limit that can be none.
func encodeLimit[T interface {
	comparable
	fmt.Stringer
}](value any) string {
	var none T
	p := value.(*T)
	switch {
	case p == nil:
		return ""
	case *p == none:
		return "none"
	}
	return (*p).String()
}

func decodePrice(text string) (any, error) {
	p, err := ParsePrice(text)
	if err != nil {
		return nil, err
	}
	return &p, nil
}

func encodePrice(value any) string {
	if p := value.(*Price); p != nil {
		return p.String()
	}
	return ""
}
