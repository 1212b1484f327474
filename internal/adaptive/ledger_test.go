package adaptive

import (
	"testing"
	"time"
)

func TestLedgerKnowsWhatIsCarried(t *testing.T) {
	var l ledger
	now := time.Duration(0)
	add := func(level, n int) {
		for range n {
			now++
			l.add(Token{others: level, sent: now})
		}
	}
	add(7, often-1)
	if l.carries(7) {
		t.Error("carried by luck")
	}
	add(9, 1)
	if !l.carries(7) || l.carries(8) {
		t.Error("higher levels count for lower ones, not the other way round")
	}
	add(2, generation)
	if !l.carries(7) {
		t.Error("forgotten within a generation")
	}
	add(2, generation)
	if l.carries(7) || !l.carries(2) {
		t.Error("only the last two generations count")
	}
	l.clear(now)
	if l.carries(0) {
		t.Error("not cleared")
	}
	for range often {
		l.add(Token{others: 9, sent: now})
	}
	if l.carries(0) {
		t.Error("sends from before the clearing count")
	}
}
