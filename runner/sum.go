package runner

import (
	"encoding/binary"
	"math/bits"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// Sum is the hash of an item's content that its records carry. It is made of, in
// this order: input, output, expected, system; each document's id and text; each
// earlier turn's role and text; and, if there is a Case, of the same parts of it
// and its kind. Names, metadata and position are not in it. It is the same in
// every process and stays so in every version.
func Sum(item *Item) uint64 {
	h := sum(0x9e3779b97f4a7c15)
	h.parts(item.Input, item.Output, item.Expected, item.System, item.Documents, item.History)
	if c := item.Case; c != nil {
		h.number(uint64(c.Kind) + 1)
		h.parts(c.Input, c.Output, c.Expected, c.System, c.Documents, c.History)
	}
	return uint64(h)
}

func (h *sum) parts(input, output, expected, system string, documents []instrumentation.Document, history []evaluators.Turn) {
	h.text(input)
	h.text(output)
	h.text(expected)
	h.text(system)
	h.number(uint64(len(documents)))
	for i := range documents {
		h.text(documents[i].ID)
		h.text(documents[i].Text)
	}
	h.number(uint64(len(history)))
	for i := range history {
		h.text(history[i].Role)
		h.text(history[i].Text)
	}
}

// sum multiplies eight bytes at a time into 64 bits, and folds the product. It
// is no defence against who wants two texts of one sum.
type sum uint64

func (h *sum) number(n uint64) {
	high, low := bits.Mul64(uint64(*h)^n, 0xd6e8feb86659fd93)
	*h = sum(high ^ low ^ 0xa0761d6478bd642f)
}

// text adds its length and then its bytes, the last ones padded with zeros.
func (h *sum) text(s string) {
	h.number(uint64(len(s)))
	for len(s) >= 8 {
		h.number(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
		s = s[8:]
	}
	if len(s) > 0 {
		var rest [8]byte
		copy(rest[:], s)
		h.number(binary.LittleEndian.Uint64(rest[:]))
	}
}
