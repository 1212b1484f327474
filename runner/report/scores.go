package report

// fine is how many bins the scores are kept in.
const fine = 1000

// scores is how scores in 0…1 are distributed.
type scores struct {
	tenths [10]int64
	bins   [fine]bin
}

// bin keeps what is in it exactly as long as it is all the same.
type bin struct {
	n         int64
	low, high float64
}

func (s *scores) add(x float64) {
	// 0.3 belongs to the fourth tenth, also where it is the least bit less.
	const nudge = 1e-9
	s.tenths[place(x*10+nudge, 10)]++
	b := &s.bins[place(x*fine+nudge, fine)]
	if b.n == 0 {
		b.low, b.high = x, x
	}
	b.low, b.high = min(b.low, x), max(b.high, x)
	b.n++
}

func place(x float64, of int) int { return min(max(int(x), 0), of-1) }

// median of n scores, of which there is at least one: of an even number it is the
// middle between the two.
func (s *scores) median(n int64) float64 {
	low := s.at((n - 1) / 2)
	if n%2 == 1 {
		return low
	}
	return (low + s.at(n/2)) / 2
}

// at is the score of that rank, from 0. Within a bin scores are taken to be
// evenly spread.
func (s *scores) at(rank int64) float64 {
	for i := range s.bins {
		b := &s.bins[i]
		if rank < b.n {
			if b.n == 1 {
				return b.low
			}
			return b.low + (b.high-b.low)*float64(rank)/float64(b.n-1)
		}
		rank -= b.n
	}
	return 0
}
