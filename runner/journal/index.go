package journal

import (
	"hash/maphash"

	"github.com/genaievals/genaievals/evaluators"
)

// index is what a journal has, in memory: for each item a hash of its id, that of
// its content, and a bit for each metric. The ids are not kept; two of a million
// have the same hash in one of 37 million journals.
type index struct {
	seed    maphash.Seed
	columns map[[2]string]int // of evaluator and metric, from 1
	words   int               // of bits for each item
	items   []indexed
	bits    []uint64
	// slots find an item by its key: its position + 1, or 0, at the first free place
	// from where the key says. A map would take twice the memory of all the rest.
	slots []uint32
	// outputs are where the lines are that have the output of a task.
	outputs map[uint32]int64
}

type indexed struct{ key, sum uint64 }

// seen is the bit that says that the run has asked for an item.
const seen = 0

func newIndex(h *Header) *index {
	x := &index{seed: maphash.MakeSeed(), columns: map[[2]string]int{}, slots: make([]uint32, 64), outputs: map[uint32]int64{}}
	for _, e := range h.Evaluators {
		for _, m := range e.Metrics {
			x.columns[[2]string{e.Name, m.Name}] = len(x.columns) + 1
		}
	}
	x.words = (len(x.columns) + 1 + 63) / 64
	return x
}

// slot is where a key is, or would be.
func (x *index) slot(key uint64) int {
	mask := len(x.slots) - 1
	for i := int(key) & mask; ; i = (i + 1) & mask {
		if at := x.slots[i]; at == 0 || x.items[at-1].key == key {
			return i
		}
	}
}

func (x *index) find(id string) (at uint32, ok bool) {
	at = x.slots[x.slot(maphash.String(x.seed, id))]
	return at - 1, at > 0
}

// item finds an item or adds it, with no bits.
func (x *index) item(id string, sum uint64) uint32 {
	key := maphash.String(x.seed, id)
	i := x.slot(key)
	if at := x.slots[i]; at > 0 {
		return at - 1
	}
	x.items = append(x.items, indexed{key: key, sum: sum})
	for range x.words {
		x.bits = append(x.bits, 0)
	}
	x.slots[i] = uint32(len(x.items))
	if len(x.items)*4 > len(x.slots)*3 {
		x.slots = make([]uint32, 2*len(x.slots))
		for at := range x.items {
			x.slots[x.slot(x.items[at].key)] = uint32(at + 1)
		}
	}
	return uint32(len(x.items) - 1)
}

// renew forgets what is known of an item, whose content is another now.
func (x *index) renew(at uint32, sum uint64) {
	was := x.has(at, seen)
	x.items[at].sum = sum
	clear(x.bits[int(at)*x.words:][:x.words])
	delete(x.outputs, at)
	if was {
		x.set(at, seen)
	}
}

func (x *index) has(at uint32, column int) bool {
	return x.bits[int(at)*x.words+column/64]>>(column%64)&1 != 0
}

// set says that a metric is done; false: it was already.
func (x *index) set(at uint32, column int) bool {
	if x.has(at, column) {
		return false
	}
	x.bits[int(at)*x.words+column/64] |= 1 << (column % 64)
	return true
}

// settled reports whether a result stays when a run is resumed. One that failed
// may not fail again, and what was skipped for want of a budget, or since the run
// was ended, was never asked.
func settled(r *evaluators.Result) bool {
	switch r.Outcome {
	case evaluators.OutcomeScored:
		return true
	case evaluators.OutcomeSkipped:
		return r.Reason != evaluators.SkipBudget && r.Reason != evaluators.SkipCancelled
	}
	return false
}
