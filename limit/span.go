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
	tryAgain   = regexp.MustCompile(`(?i)\b(?:try(?:ing)? again|retry)(?: your request)? (?:in|after)\s+(\d[\d.]*\s*[a-zµ]*(?:\s*\d[\d.]*\s*[a-zµ]+)*)`)
)

// bodyWait reads the wait that the body of a refusal asks for, as seconds:
// Google's RetryInfo, or the words of OpenAI and Azure.
func bodyWait(body []byte) (seconds float64, ok bool) {
	body = body[:min(len(body), bodyMax)]
	if m := retryDelay.FindSubmatch(body); m != nil {
		if seconds, ok = span(string(m[1])); ok {
			return seconds, true
		}
	}
	for _, m := range tryAgain.FindAllSubmatch(body, 8) {
		text := strings.TrimRight(string(m[1]), ". ")
		if seconds, ok = span(text); ok {
			return seconds, true
		}
	}
	return 0, false
}
