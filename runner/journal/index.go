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
	columns map[[2]string]int // of evaluator and metric
	words   int               // of bits for each item
	at      map[uint64]uint32
	items   []indexed
	bits    []uint64
	// outputs are where the lines are that have the output of a task.
	outputs map[uint32]int64
}

type indexed struct {
	sum  uint64
	seen bool // the run has asked for it
}

func newIndex(h *Header) *index {
	x := &index{seed: maphash.MakeSeed(), columns: map[[2]string]int{}, at: map[uint64]uint32{}, outputs: map[uint32]int64{}}
	for _, e := range h.Evaluators {
		for _, m := range e.Metrics {
			x.columns[[2]string{e.Name, m.Name}] = len(x.columns)
		}
	}
	x.words = (len(x.columns) + 63) / 64
	return x
}

func (x *index) find(id string) (at uint32, ok bool) {
	at, ok = x.at[maphash.String(x.seed, id)]
	return at, ok
}

// item finds an item or adds it, with no bits.
func (x *index) item(id string, sum uint64) uint32 {
	key := maphash.String(x.seed, id)
	at, ok := x.at[key]
	if !ok {
		at = uint32(len(x.items))
		x.at[key] = at
		x.items = append(x.items, indexed{sum: sum})
		for range x.words {
			x.bits = append(x.bits, 0)
		}
	}
	return at
}

// renew forgets what is known of an item, whose content is another now.
func (x *index) renew(at uint32, sum uint64) {
	x.items[at].sum = sum
	clear(x.bits[int(at)*x.words:][:x.words])
	delete(x.outputs, at)
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
