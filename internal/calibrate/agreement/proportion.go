package agreement

import "math"

// Proportion is Count out of Of. Value and its interval are nil when Of is 0.
type Proportion struct {
	Count int      `json:"count"`
	Of    int      `json:"of"`
	Value *float64 `json:"value,omitempty"`
	// Low and High are the ends of the 95 % interval.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// NewProportion returns count out of of, with the score interval of Wilson
// (1927), which stays within 0…1 and does not shrink to a point at either end:
//
//	(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
func NewProportion(count, of int) Proportion {
	p := Proportion{Count: count, Of: of}
	if of <= 0 {
		return p
	}
	k, n := float64(count), float64(of)
	p.Value = new(k / n)
	centre := k + z95*z95/2
	half := z95 * math.Sqrt(k*(n-k)/n+z95*z95/4)
	whole := n + z95*z95
	// At the ends the formula gives exactly 0 and 1; rounding must not miss them.
	low, high := (centre-half)/whole, (centre+half)/whole
	if count == 0 {
		low = 0
	}
	if count == of {
		high = 1
	}
	p.Low, p.High = &low, &high
	return p
}
