package adaptive

// undecided holds the sends that were neither answered nor are old enough to
// have survived, oldest first. Sends are numbered in order, so that one is
// found by its number.
type undecided struct {
	ring  []entry // length a power of two
	first uint64  // number of the oldest that is still held
	next  uint64  // number of the next send
	count int     // of those that are undecided
}

type entry struct {
	token   Token
	decided bool
}

func (u *undecided) push(t Token) {
	if int(u.next-u.first) == len(u.ring) {
		u.grow()
	}
	*u.at(t.seq) = entry{token: t}
	u.next = t.seq + 1
	u.count++
}

// take decides a send; false if it was decided before.
func (u *undecided) take(seq uint64) bool {
	if seq < u.first || seq >= u.next || u.at(seq).decided {
		return false
	}
	u.at(seq).decided = true
	u.count--
	for u.first < u.next && u.at(u.first).decided {
		u.first++
	}
	return true
}

func (u *undecided) oldest() (Token, bool) {
	if u.first == u.next {
		return Token{}, false
	}
	return u.at(u.first).token, true
}

func (u *undecided) at(seq uint64) *entry { return &u.ring[seq&uint64(len(u.ring)-1)] }

func (u *undecided) grow() {
	wider := *u
	wider.ring = make([]entry, max(16, 2*len(u.ring)))
	for seq := u.first; seq < u.next; seq++ {
		*wider.at(seq) = *u.at(seq)
	}
	*u = wider
}
