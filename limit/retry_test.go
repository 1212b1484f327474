package limit

import (
	"math/rand/v2"
	"testing"
)

// At any moment retries are at most a tenth of the other sends, but for three
// in the beginning; and where every send is to be retried, they come close.
func TestAllowRetryShare(t *testing.T) {
	g := NewGate()
	retries, others := 0, 0
	r := rand.New(rand.NewPCG(3, 3))
	for range 20_000 {
		others++
		try(t, g, Outcome{})
		for r.IntN(3) > 0 && g.AllowRetry() {
			retries++
			try(t, g, Outcome{})
		}
		if retries > max(3, others/10) {
			t.Fatalf("%d retries of %d sends", retries, others)
		}
	}
	if retries < others/10-2 {
		t.Errorf("only %d retries of %d sends", retries, others)
	}
	if s := g.Status(); s.Retries != uint64(retries) || s.RetriesRefused == 0 {
		t.Errorf("status %+v, want %d", s, retries)
	}
}

// A long good time is no credit for a flood.
func TestAllowRetryKeepsLittle(t *testing.T) {
	g := NewGate()
	for range 100_000 {
		try(t, g, Outcome{})
	}
	n := 0
	for g.AllowRetry() {
		n++
	}
	if n != retryKept {
		t.Errorf("%d retries at once, want %d", n, retryKept)
	}
	for range retryShare {
		try(t, g, Outcome{})
	}
	if !g.AllowRetry() || g.AllowRetry() {
		t.Error("want one more retry after eleven sends")
	}
}

func TestAllowRetryInTheBeginning(t *testing.T) {
	g := NewGate()
	for i, want := range []bool{true, true, true, false, false} {
		if got := g.AllowRetry(); got != want {
			t.Errorf("retry %d allowed: %v", i+1, got)
		}
	}
	if !(*Gate)(nil).AllowRetry() {
		t.Error("a nil gate refuses")
	}
}
