package report

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// resamples of a bootstrap and of a randomisation test.
	resamples = 2000
	// manyPairs is from where the normal distribution is as good: a bootstrap
	// would take long, and differ in the third digit.
	manyPairs = 20_000
	// fewNonzero differences have so few signs that all are tried.
	fewNonzero = 12
)

// interval95 is the 95 % interval of the mean of differences; there are two or
// more. Up to manyPairs it is the percentile interval of the bootstrap, widened
// for small samples as Hesterberg (2015, section 5.3) proposes; past that the
// normal one.
func interval95(differences []float64, random *rand.PCG) (low, high float64) {
	n := len(differences)
	if n > manyPairs {
		var s sum
		for _, d := range differences {
			s.add(d)
		}
		half := normal975 * s.deviation() / math.Sqrt(float64(n))
		return s.average() - half, s.average() + half
	}
	means := make([]float64, resamples)
	for i := range means {
		means[i] = resample(differences, random) / float64(n)
	}
	slices.Sort(means)
	// The tail that makes the interval as wide as Student's for normal data.
	tail := normal(-math.Sqrt(float64(n)/float64(n-1)) * student(int64(n-1)))
	return quantile(means, tail), quantile(means, 1-tail)
}

// resample sums up as many differences as there are, drawn with replacement.
func resample(differences []float64, random *rand.PCG) float64 {
	n := uint64(len(differences))
	var a, b float64
	for range n / 2 {
		x := random.Uint64() // two places at once, to within n/2³²
		a += differences[(x>>32)*n>>32]
		b += differences[(x&math.MaxUint32)*n>>32]
	}
	if n%2 == 1 {
		a += differences[(random.Uint64()>>32)*n>>32]
	}
	return a + b
}

// quantile of a sorted list, between its members.
func quantile(sorted []float64, fraction float64) float64 {
	at := fraction*float64(len(sorted)+1) - 1
	i := min(max(int(math.Floor(at)), 0), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (sorted[j]-sorted[i])*min(max(at-float64(i), 0), 1)
}

// normal is the distribution function of the standard normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// signPValue is the two-sided p-value of the mean of paired differences when each
// could as well have had the other sign: Fisher's randomisation test (1935).
// Unlike a bootstrap it does not take a handful of differences for proof.
func signPValue(differences []float64, random *rand.PCG) float64 {
	var s sum
	var nonzero []float64
	for _, d := range differences {
		s.add(d)
		if math.Abs(d) > alike {
			nonzero = append(nonzero, d)
		}
	}
	k := len(nonzero)
	total := math.Abs(s.high+s.low) - alike*float64(k+1)
	switch {
	case k == 0:
		return 1
	case len(differences) > manyPairs:
		deviation := s.deviation() * math.Sqrt(float64(s.n))
		return 2 * normal(-math.Abs(s.high+s.low)/deviation)
	case k <= fewNonzero:
		extreme := 0
		for signs := range uint64(1) << k {
			if math.Abs(signed(nonzero, func() uint64 { return signs })) >= total {
				extreme++
			}
		}
		return float64(extreme) / float64(uint64(1)<<k)
	}
	extreme := 1
	for range resamples {
		if math.Abs(signed(nonzero, random.Uint64)) >= total {
			extreme++
		}
	}
	return float64(extreme) / (resamples + 1)
}

// signed sums numbers up with the signs that bits give them, 64 at a time.
func signed(numbers []float64, bits func() uint64) float64 {
	total := 0.0
	for len(numbers) > 0 {
		signs := bits()
		for _, x := range numbers[:min(64, len(numbers))] {
			total += x * float64(1-2*int64(signs&1)) //nolint:gosec // one bit
			signs >>= 1
		}
		numbers = numbers[min(64, len(numbers)):]
	}
	return total
}

// flipPValue is the two-sided p-value of the exact test of McNemar (1947): as many
// items broken and fixed as chance would have it.
func flipPValue(broken, fixed int64) float64 {
	n := float64(broken + fixed)
	if n == 0 {
		return 1
	}
	logFactorial := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v }
	tail := 0.0
	for i := int64(0); i <= min(broken, fixed); i++ {
		tail += math.Exp(logFactorial(n) - logFactorial(float64(i)) - logFactorial(n-float64(i)) - n*math.Ln2)
	}
	return min(1, 2*tail)
}
