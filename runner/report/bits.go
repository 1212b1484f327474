package report

import "math/bits"

// chunkBits is how many items one chunk of a set stands for.
const chunkBits = 1 << 15

// indexSet is a set of positions in a dataset. Its memory is that of the stretches
// which have any, a bit for each position.
type indexSet struct {
	chunks map[int64]*[chunkBits / 64]uint64
	count  int64
}

// add reports whether the position is new.
func (s *indexSet) add(index int64) bool {
	chunk := s.chunks[index/chunkBits]
	if chunk == nil {
		chunk = new([chunkBits / 64]uint64)
		if s.chunks == nil {
			s.chunks = map[int64]*[chunkBits / 64]uint64{}
		}
		s.chunks[index/chunkBits] = chunk
	}
	at := uint64(index) % chunkBits //nolint:gosec // a negative one is a position, too
	word, bit := &chunk[at/64], uint64(1)<<(at%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	s.count++
	return true
}

// union counts the positions that are in either.
func union(a, b *indexSet) int64 {
	n := a.count
	for at, chunk := range b.chunks {
		other := a.chunks[at]
		for i, word := range chunk {
			if other != nil {
				word &^= other[i]
			}
			n += int64(bits.OnesCount64(word))
		}
	}
	return n
}
