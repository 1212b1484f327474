package journal

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
)

func TestTheIndexFindsEachItem(t *testing.T) {
	h := &Header{Evaluators: []Evaluator{{Name: "e"}}}
	for i := range 130 {
		h.Evaluators[0].Metrics = append(h.Evaluators[0].Metrics, Metric{Name: fmt.Sprint("m", i)})
	}
	x := newIndex(h)
	const items = 5000
	for i := range items {
		at := x.item(strconv.Itoa(i), uint64(i))
		if !x.set(at, i%131) || x.set(at, i%131) {
			t.Fatalf("item %d had a bit", i)
		}
	}
	for i := range items {
		at, ok := x.find(strconv.Itoa(i))
		if !ok || x.items[at].sum != uint64(i) || x.item(strconv.Itoa(i), 7) != at {
			t.Fatalf("item %d is at %d", i, at)
		}
		for c := range 131 {
			if x.has(at, c) != (c == i%131) {
				t.Fatalf("item %d, bit %d", i, c)
			}
		}
	}
	if _, ok := x.find("x"); ok {
		t.Error("an item that is not there")
	}
}

func TestTheIndexIsSmall(t *testing.T) {
	const items = 300_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := newIndex(&Header{Evaluators: []Evaluator{{Name: "e", Metrics: []Metric{{Name: "m"}}}}})
	for i := range items {
		x.item(strconv.Itoa(i), uint64(i))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (after.HeapAlloc - before.HeapAlloc) / items; each > 50 {
		t.Errorf("%d bytes an item", each)
	} else {
		t.Logf("%d bytes an item", each)
	}
	runtime.KeepAlive(x)
}
