package agreement

import (
	"cmp"
	"math"
	"slices"
)

// Graded is one score, and whether the person found the fault there.
type Graded struct {
	Score float64
	Fault bool
}

func byScore(a, b Graded) int { return cmp.Compare(a.Score, b.Score) }

// AUC is the area under the curve of true over false positives: how probable it
// is that a faulty sample has the worse score than one without fault, ties
// counting half. 0.5 is chance.
type AUC struct {
	Value         float64  `json:"value"`
	StandardError *float64 `json:"standard_error,omitempty"`
	Low           *float64 `json:"low,omitempty"`
	High          *float64 `json:"high,omitempty"`
}

// NewAUC returns the statistic of Mann and Whitney (1947) over the number of
// pairs, which is the area (Bamber 1975), with the standard error of Hanley and
// McNeil (1982). lowerIsBetter says that a higher score is the worse one. It is
// nil when all samples are faulty, or none, or all have the same score; the
// error and the interval are absent where the formula gives 0.
func NewAUC(graded []Graded, lowerIsBetter bool) *AUC {
	sorted := slices.SortedFunc(slices.Values(graded), byScore)
	faults := 0
	for _, g := range sorted {
		if g.Fault {
			faults++
		}
	}
	others := len(sorted) - faults
	if faults == 0 || others == 0 || sorted[0].Score == sorted[len(sorted)-1].Score {
		return nil
	}
	// twice counts, in halves, the pairs in which the faulty one scores higher.
	twice, othersBelow := 0, 0
	for from := 0; from < len(sorted); {
		to, f, o := from, 0, 0
		for to < len(sorted) && sorted[to].Score == sorted[from].Score {
			if sorted[to].Fault {
				f++
			} else {
				o++
			}
			to++
		}
		twice += f * (2*othersBelow + o)
		othersBelow += o
		from = to
	}
	pairs := faults * others
	if !lowerIsBetter {
		twice = 2*pairs - twice
	}
	a := AUC{Value: float64(twice) / float64(2*pairs)}
	q1, q2 := a.Value/(2-a.Value), 2*a.Value*a.Value/(1+a.Value)
	square := a.Value * a.Value
	variance := (a.Value*(1-a.Value) + float64(faults-1)*(q1-square) + float64(others-1)*(q2-square)) / float64(pairs)
	if twice != 0 && twice != 2*pairs && variance > 0 {
		se := math.Sqrt(variance)
		a.StandardError = &se
		a.Low, a.High = new(max(0, a.Value-z95*se)), new(min(1, a.Value+z95*se))
	}
	return &a
}
