package runner

import "hash/maphash"

// seen knows the ids that were there, by hashes of 64 bits: about 25 bytes an
// item, whatever the ids. Two ids of a million have the same hash with a chance
// of one in forty million. The reader owns it.
type seen struct {
	seed maphash.Seed
	at   map[uint64]uint32 // the line, or else the position, of the first
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), at: make(map[uint64]uint32)} }

// first notes an id and where it is, and returns where it was before, if it was.
func (s *seen) first(id string, at uint32) (before uint32, again bool) {
	h := maphash.String(s.seed, id)
	if before, again = s.at[h]; !again {
		s.at[h] = at
	}
	return before, again
}
