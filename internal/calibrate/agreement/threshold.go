package agreement

import (
	"math"
	"slices"
	"strconv"
)

// Point is what a threshold would give: a sample is called faulty when its score
// does not pass.
type Point struct {
	Threshold float64 `json:"threshold"`
	// TruePositiveRate is nil when the person found no fault, FalsePositiveRate
	// when the person found nothing else.
	TruePositiveRate  *float64 `json:"true_positive_rate,omitempty"`
	FalsePositiveRate *float64 `json:"false_positive_rate,omitempty"`
	Agreement         float64  `json:"agreement"`
	// Step is the score at which the point begins to hold, coming from the one
	// before; NaN where nothing changes there.
	Step     float64 `json:"-"`
	agreeing int
}

// Curve is all that a threshold can do.
type Curve struct {
	// Points in ascending order of threshold: one for each different way to split
	// the scores, and the configured one.
	Points []Point `json:"points"`
	// Configured is the point of the threshold in use, Best the one that agrees
	// best; of those that agree alike the one nearest to the configured.
	Configured Point `json:"configured"`
	Best       Point `json:"best"`
}

// NewCurve returns what the thresholds would give, nil when all scores are the
// same or there are none. Thresholds are between the scores that occur, with as
// few digits as that allows, so that they can be copied from a page, and 0 and 1
// beyond them.
func NewCurve(graded []Graded, lowerIsBetter bool, configured float64) *Curve {
	sorted := slices.SortedFunc(slices.Values(graded), byScore)
	var distinct []float64
	for i, g := range sorted {
		if i == 0 || g.Score != sorted[i-1].Score {
			distinct = append(distinct, g.Score)
		}
	}
	if len(distinct) < 2 {
		return nil
	}
	thresholds := []float64{0, 1, configured}
	for i := 1; i < len(distinct); i++ {
		thresholds = append(thresholds, between(distinct[i-1], distinct[i]))
	}
	slices.Sort(thresholds)

	s := sweep{sorted: sorted, lowerIsBetter: lowerIsBetter}
	for _, g := range sorted {
		if g.Fault {
			s.faults++
		}
	}
	var c Curve
	for i, t := range slices.Compact(thresholds) {
		p := s.to(t)
		c.Points = append(c.Points, p)
		if t == configured {
			c.Configured = p
		}
		nearer := math.Abs(t-configured) < math.Abs(c.Best.Threshold-configured)
		if i == 0 || p.agreeing > c.Best.agreeing || p.agreeing == c.Best.agreeing && nearer {
			c.Best = p
		}
	}
	return &c
}

// sweep goes up the sorted scores once, threshold by threshold.
type sweep struct {
	sorted        []Graded
	lowerIsBetter bool
	faults        int // in all
	// split is how many scores are on the lower side, faultsBelow how many of
	// those are of faulty samples.
	split, faultsBelow int
}

// to returns the point of the next threshold. A score equal to it passes: where
// lower is better it is on the lower side, else on the upper.
func (s *sweep) to(threshold float64) Point {
	step := math.NaN()
	for s.split < len(s.sorted) {
		g := s.sorted[s.split]
		if g.Score > threshold || g.Score == threshold && !s.lowerIsBetter {
			break
		}
		if g.Fault {
			s.faultsBelow++
		}
		s.split++
		step = g.Score
	}
	all := len(s.sorted)
	called, found := s.split, s.faultsBelow
	if s.lowerIsBetter {
		called, found = all-s.split, s.faults-s.faultsBelow
	}
	others := all - s.faults
	agreeing := found + others - (called - found)
	p := Point{Threshold: threshold, Agreement: float64(agreeing) / float64(all), Step: step, agreeing: agreeing}
	if s.faults > 0 {
		p.TruePositiveRate = new(float64(found) / float64(s.faults))
	}
	if others > 0 {
		p.FalsePositiveRate = new(float64(called-found) / float64(others))
	}
	return p
}

// between returns the number between two others that has the fewest decimals and
// is, of those, next to the middle.
func between(low, high float64) float64 {
	middle := low + (high-low)/2
	for decimals := 1; decimals <= 17; decimals++ {
		// Through text, so that the number is the one that is printed.
		t, err := strconv.ParseFloat(strconv.FormatFloat(middle, 'f', decimals, 64), 64)
		if err == nil && low < t && t < high {
			return t
		}
	}
	return middle
}
