package runner

import "hash/maphash"

// seen knows the ids that were there, by hashes of 64 bits and 4 bytes for the
// place: 16 to 32 bytes an item, whatever the ids. Two ids of a million have the
// same hash with a chance of one in forty million. The reader owns it.
type seen struct {
	seed   maphash.Seed
	shards [256]shard // by the hash's first byte, so that growing copies little at a time
}

// shard is a table of open addresses, at most three quarters full. A hash of
// zero is taken for one; zero is an empty slot.
type shard struct {
	hashes []uint64
	places []uint32 // the line, or else the position, of the first
	n      int
}

const firstSlots = 16 // a power of two

func newSeen() *seen { return &seen{seed: maphash.MakeSeed()} }

// first notes an id and where it is, and returns where it was before, if it was.
func (s *seen) first(id string, at uint32) (before uint32, again bool) {
	h := max(1, maphash.String(s.seed, id))
	t := &s.shards[h>>56]
	if 4*t.n >= 3*len(t.hashes) {
		t.grow()
	}
	slot := t.slot(h)
	if t.hashes[slot] == h {
		return t.places[slot], true
	}
	t.hashes[slot], t.places[slot] = h, at
	t.n++
	return 0, false
}

// slot is where a hash is, or belongs.
func (t *shard) slot(h uint64) uint64 {
	mask := uint64(len(t.hashes) - 1)
	slot := h & mask
	for t.hashes[slot] != 0 && t.hashes[slot] != h {
		slot = (slot + 1) & mask
	}
	return slot
}

func (t *shard) grow() {
	old := *t
	size := max(firstSlots, 2*len(old.hashes))
	t.hashes, t.places = make([]uint64, size), make([]uint32, size)
	for i, h := range old.hashes {
		if h != 0 {
			slot := t.slot(h)
			t.hashes[slot], t.places[slot] = h, old.places[i]
		}
	}
}
