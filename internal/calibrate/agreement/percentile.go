package agreement

import (
	"cmp"
	"math"
	"slices"
)

// Percentile returns the smallest value that at least that fraction of all is
// not above (nearest rank), and false when there is none. The fraction is in
// 0…1; the values are not changed.
func Percentile[T cmp.Ordered](values []T, fraction float64) (v T, ok bool) {
	if len(values) == 0 {
		return v, false
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(fraction * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1], true
}
