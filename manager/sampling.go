package manager

import (
	"math"

	"github.com/genaievals/genaievals/instrumentation"
)

// samplingDomain separates this hash from others over the same trace ids: an
// application that head-samples 10 % by trace id and evaluates 10 % of that
// evaluates 1 % of all, not all of the first 10 %.
const samplingDomain = 0x9f1b_6d0a_43c2_e857

// samplingPoint places an invocation on the line 0…2⁶⁴. It is evaluated at
// rate r when its point is below r of the line, so that whatever is evaluated
// at 10 % is evaluated at 50 % too, and all metrics agree.
func samplingPoint(s *instrumentation.Summary) uint64 { return mix(s.Key[0], s.Key[1]) }

// mix is the finaliser of splitmix64 over both halves.
func mix(a, b uint64) uint64 {
	x := (a ^ samplingDomain) * 0x9e37_79b9_7f4a_7c15
	x ^= x>>32 ^ b
	x = (x ^ x>>30) * 0xbf58_476d_1ce4_e5b9
	x = (x ^ x>>27) * 0x94d0_49bb_1331_11eb
	return x ^ x>>31
}

// samplingBound is the highest point that is evaluated at a rate, and whether
// any is.
type samplingBound struct {
	highest uint64
	any     bool
}

func boundOf(rate float64) samplingBound {
	switch {
	case !(rate > 0): // NaN too
		return samplingBound{}
	case rate >= 1:
		return samplingBound{math.MaxUint64, true}
	}
	return samplingBound{uint64(rate * math.MaxUint64), true}
}

// all reports whether the bound includes every point, so that none need be
// known.
func (b samplingBound) all() bool { return b.any && b.highest == math.MaxUint64 }

func (b samplingBound) includes(point uint64) bool { return b.any && point <= b.highest }
