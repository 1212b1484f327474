package report

import "math"

// sum adds numbers up without losing what floats lose: the mean of ten times 0.8
// is 0.8, and of three times 0.1 it is 0.1.
type sum struct {
	n         int64
	high, low float64 // the sum, in two parts
	// What Welford's method keeps of the spread.
	mean, squares float64
}

func (s *sum) add(x float64) {
	s.n++
	// Knuth's sum of two: what rounding takes from the high part goes to the low.
	high := s.high + x
	part := high - s.high
	s.low += (s.high - (high - part)) + (x - part)
	s.high = high

	d := x - s.mean
	s.mean += d / float64(s.n)
	s.squares += d * (x - s.mean)
}

// average is the mean; there must be at least one number.
func (s *sum) average() float64 {
	n := float64(s.n)
	q := s.high / n
	return q + (math.FMA(-q, n, s.high)+s.low)/n
}

// deviation is that of the sample, 0 with fewer than two.
func (s *sum) deviation() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(max(0, s.squares) / float64(s.n-1))
}

// estimate is the mean with the interval of Student (1908). It stays within
// low…high, which is where the numbers are from.
func (s *sum) estimate(low, high float64) *Estimate {
	if s.n == 0 {
		return nil
	}
	e := &Estimate{Value: s.average()}
	if d := s.deviation(); d > alike {
		half := student(s.n-1) * d / math.Sqrt(float64(s.n))
		e.Low, e.High = new(max(low, e.Value-half)), new(min(high, e.Value+half))
	}
	return e
}

// alike is a deviation that is none but for rounding.
const alike = 1e-12

// student975 are the 0.975 quantiles of Student's t with 1, 2, … degrees of
// freedom.
var student975 = [...]float64{
	12.7062047362, 4.3026527297, 3.1824463053, 2.7764451052, 2.5705818356,
	2.4469118511, 2.3646242516, 2.3060041352, 2.2621571628, 2.2281388520,
}

// normal975 is that quantile of the normal distribution.
const normal975 = 1.959963984540054

// student returns the 0.975 quantile of Student's t: by the series of Abramowitz
// and Stegun 26.7.5 where the table ends, exact to five digits there.
func student(freedom int64) float64 {
	if freedom <= int64(len(student975)) {
		return student975[max(freedom, 1)-1]
	}
	const z = normal975
	v := float64(freedom)
	g1 := (math.Pow(z, 3) + z) / 4
	g2 := (5*math.Pow(z, 5) + 16*math.Pow(z, 3) + 3*z) / 96
	g3 := (3*math.Pow(z, 7) + 19*math.Pow(z, 5) + 17*math.Pow(z, 3) - 15*z) / 384
	return z + g1/v + g2/(v*v) + g3/(v*v*v)
}
