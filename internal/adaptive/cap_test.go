package adaptive

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func newTestCap(size, ceiling int) *capacity {
	c := newCapacity()
	c.size, c.ceiling = size, ceiling
	return &c
}

func TestCapGrowsNoFurtherThanTwiceWhatSurvived(t *testing.T) {
	c := newTestCap(2, 100)
	now := time.Duration(0)
	grow := func() {
		for c.mayGrow() {
			now = max(now, c.growAt())
			c.exceed(now, 0)
		}
	}
	grow()
	if c.size != 2 {
		t.Errorf("grew to %d before anything survived", c.size)
	}
	c.survived(Token{others: 4}, true)
	grow()
	if c.size != 10 {
		t.Errorf("size %d, want 10", c.size)
	}
	c.survived(Token{others: 20}, false)
	grow()
	if c.size != 10 {
		t.Error("grew on a failure")
	}
	c.survived(Token{others: 90}, true)
	grow()
	if c.size != 100 {
		t.Errorf("size %d, want the ceiling", c.size)
	}
	c.exceed(now, 0)
	if c.size != 100 {
		t.Error("above the ceiling")
	}
}

func TestCapIsProbedRarelyAndConfirmed(t *testing.T) {
	c := newTestCap(8, 100)
	c.refused(0, 8, false, 0)
	if c.mayProbe() {
		t.Fatal("probed without a survivor")
	}
	c.survived(Token{}, true)
	if !c.mayProbe() {
		t.Fatal("never probed")
	}
	c.exceed(0, 0)
	if c.size != 9 || c.mayProbe() {
		t.Fatalf("size %d: one slot at a time", c.size)
	}
	for i := range confirm {
		if c.rising {
			t.Fatalf("believed after %d", i)
		}
		c.survived(Token{others: 7}, true) // elsewhere: says nothing
		c.survived(Token{others: 8, probe: true}, true)
	}
	if !c.rising || !c.mayProbe() || c.step != 2 {
		t.Errorf("after a probe that held: rising %t, step %d", c.rising, c.step)
	}
	c.exceed(0, 1)
	if c.size != 11 || c.trying != confirm+confirmBlur {
		t.Errorf("size %d, %d to confirm", c.size, c.trying)
	}
	c.fail()
	c.refused(0, 10, true, 0)
	if c.size != 9 || c.step != 1 || c.mayProbe() {
		t.Errorf("after one that failed: size %d, step %d", c.size, c.step)
	}
}

func TestFailingProbesBecomeRare(t *testing.T) {
	c := newTestCap(8, 100)
	c.refused(0, 8, false, 0)
	probes, sends := 0, 0
	for range 2000 {
		sends++
		c.survived(Token{others: 7}, true)
		if c.mayProbe() {
			probes++
			c.exceed(0, 0)
			c.fail()
			c.refused(0, 8, true, 0)
		}
	}
	if c.size != 8 || probes < 2000/holdMost || probes > 2000/holdMost+8 {
		t.Errorf("size %d after %d probes in %d sends", c.size, probes, sends)
	}
}

func TestProbeWaitsForWhatARefusalCost(t *testing.T) {
	c := newTestCap(8, 100)
	c.refused(time.Second, 8, false, time.Second)
	if c.notBefore != 21*time.Second {
		t.Errorf("not before %v", c.notBefore)
	}
}

func TestProbesThatFailTryOtherMoments(t *testing.T) {
	l := New(Config{Ceiling: 100})
	l.interval = time.Second
	probe := func(size int) (at []time.Duration) {
		l.cap.size = size
		for range len(phases) + 1 {
			at = append(at, l.apart())
			l.cap.slow = false
			l.cap.exceed(0, 0)
			l.cap.fail()
			l.cap.size = size
		}
		return at
	}
	ms := time.Millisecond
	if diff := cmp.Diff([]time.Duration{500 * ms, 700 * ms, 850 * ms, 500 * ms}, probe(1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]time.Duration{500 * ms, 500 * ms, 500 * ms, 500 * ms}, probe(fewSlots)); diff != "" {
		t.Error("of many slots:", diff)
	}
}
