package limit

import (
	"regexp"
	"strconv"
	"strings"
)

// spanUnits are the units that judges write durations in, and their seconds.
var spanUnits = map[string]float64{
	"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6,
	"ms": 1e-3, "msec": 1e-3, "msecs": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
	"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
	"m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
	"h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600,
	"d": 86400, "day": 86400, "days": 86400,
}

// span reads a duration as seconds: a number alone, which is seconds, or
// numbers with units, such as 120ms, 6m0s, 1d2h, 2m59.56s, "1 minute 30 seconds".
func span(s string) (seconds float64, ok bool) {
	if seconds, ok = plain(s); ok {
		return seconds, true
	}
	rest, negative := strings.CutPrefix(strings.ToLower(strings.TrimSpace(s)), "-")
	for rest != "" {
		end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if end <= 0 {
			return 0, false
		}
		n, err := strconv.ParseFloat(rest[:end], 64)
		if err != nil {
			return 0, false
		}
		rest = strings.TrimLeft(rest[end:], " ")
		end = strings.IndexAny(rest, "0123456789. ")
		if end < 0 {
			end = len(rest)
		}
		unit, known := spanUnits[rest[:end]]
		if !known {
			return 0, false
		}
		seconds += n * unit
		rest, ok = strings.TrimLeft(rest[end:], " "), true
	}
	if negative {
		seconds = -seconds
	}
	return seconds, ok
}

// plain reads a plain decimal number, also in the form 1e12. What is too large
// for a float64 is not read; NaN, Inf and hexadecimal are not numbers here.
func plain(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && !strings.ContainsRune(".+-eE", rune(c)) {
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// bodyMax is how much of a body is looked at.
const bodyMax = 64 << 10

var (
	retryDelay = regexp.MustCompile(`"retryDelay"\s*:\s*"([^"]{1,40})"`)
	tryAgain   = regexp.MustCompile(`(?i)\b(?:try(?:ing)? again|retry)(?: your request)? (?:in|after)\s+`)
	spanPart   = regexp.MustCompile(`(?i)^\s*(?:,\s*)?(?:and\s+)?(\d[\d.]*)\s*([a-zµμ]*)`)
	goesOn     = regexp.MustCompile(`^\s*(?:[-–:/]|,\d)`)
)

// bodyWait reads the wait that the body of a refusal asks for, as seconds:
// Google's RetryInfo, or the words of OpenAI and Azure.
func bodyWait(body []byte) (seconds float64, ok bool) {
	body = body[:min(len(body), bodyMax)]
	past, isPast := 0.0, false
	if m := retryDelay.FindSubmatch(body); m != nil {
		if seconds, ok = span(string(m[1])); ok && seconds >= 0 {
			return seconds, true
		}
		past, isPast = seconds, ok
	}
	for _, at := range tryAgain.FindAllIndex(body, 8) {
		if seconds, ok = spoken(body[at[1]:]); ok {
			return seconds, true
		}
	}
	return past, isPast
}

// spoken reads the duration that text begins with, as seconds: "20s.",
// "1 minute 30 seconds, please", "1 hour and 30 minutes". What it cannot read to
// the end, such as "1:30" and "2-3 minutes", it does not read at all, since the
// beginning is shorter than what was told.
func spoken(text []byte) (seconds float64, ok bool) {
	for {
		m := spanPart.FindSubmatch(text)
		if m == nil {
			return seconds, ok
		}
		text = text[len(m[0]):]
		unit, known := spanUnits[strings.ToLower(string(m[2]))]
		if len(m[2]) == 0 && !ok { // a number alone
			unit, known = 1, !goesOn.Match(text)
		}
		n, err := strconv.ParseFloat(string(m[1]), 64)
		switch {
		case known && err == nil:
			seconds, ok = seconds+n*unit, true
		case known || !ok:
			return 0, false
		default:
			return seconds, true // it is about something else
		}
		if len(m[2]) == 0 {
			return seconds, ok
		}
	}
}
