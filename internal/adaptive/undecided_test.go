package adaptive

import (
	"testing"
	"time"
)

func TestUndecidedInOrder(t *testing.T) {
	var u undecided
	const n = 100 // more than the ring starts with
	for i := range uint64(n) {
		u.push(Token{seq: i, sent: time.Duration(i)})
	}
	if !u.take(5) || u.take(5) || u.take(n) {
		t.Error("a send is decided exactly once, and only if there was one")
	}
	for i := range uint64(n) {
		if i == 5 {
			continue
		}
		if got, ok := u.oldest(); !ok || got.seq != i {
			t.Fatalf("oldest = %d, %t, want %d", got.seq, ok, i)
		}
		if !u.take(i) {
			t.Fatalf("%d was decided before", i)
		}
	}
	if _, ok := u.oldest(); ok || u.count != 0 {
		t.Errorf("%d left", u.count)
	}
}
