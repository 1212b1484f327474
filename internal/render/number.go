package render

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// None stands for what is not defined.
const None = "–"

// Percent writes a share with one decimal, [None] for nil.
func Percent(x *float64) string {
	if x == nil {
		return None
	}
	return Rounded(100**x, 1) + "%"
}

// Decimal writes three decimals, [None] for nil.
func Decimal(x *float64) string {
	if x == nil {
		return None
	}
	return Rounded(*x, 3)
}

// Rounded writes so many decimals, halves away from zero, as people round: 13 of
// 16 are 81.3 %.
func Rounded(x float64, decimals int) string {
	scale := math.Pow10(decimals)
	whole := math.Round(x * scale)
	if whole == 0 {
		whole = 0 // and not -0
	}
	return strconv.FormatFloat(whole/scale, 'f', decimals, 64)
}

// Between is an interval, empty where there is none.
func Between(low, high *float64, format func(*float64) string) string {
	if low == nil || high == nil {
		return ""
	}
	return "[" + format(low) + ", " + format(high) + "]"
}

// Threshold is written in full: rounded, it would not be the same one.
func Threshold(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Duration writes seconds in a unit that fits.
func Duration(seconds float64) string {
	switch {
	case seconds == 0:
		return "0 s"
	case seconds < 1e-3:
		return fmt.Sprintf("%.0f µs", seconds*1e6)
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// Grouped writes a whole number with its thousands apart: 48,213.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// Counts lists the most frequent first.
func Counts(by map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(keys))
	for i, key := range keys {
		parts[i] = fmt.Sprintf("%s %d", key, by[key])
	}
	return strings.Join(parts, ", ")
}
