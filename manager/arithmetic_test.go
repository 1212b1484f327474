package manager

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
)

func TestSharesAreEightThreeOne(t *testing.T) {
	for total, want := range map[int64][classes]int64{
		0: {}, 1: {0, 0, 1}, 2: {0, 1, 1}, 3: {1, 1, 1}, 4: {1, 1, 2}, 6: {1, 2, 3},
		12: {1, 3, 8}, 1200: {100, 300, 800}, 64 << 20: {5592405, 16777216, 44739243},
	} {
		if got := shares(total); got != want {
			t.Errorf("shares of %d are %v (low, normal, high), want %v", total, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		total := rng.Int64N(1 << rng.IntN(63))
		s := shares(total)
		if s[low]+s[normal]+s[high] != total || min(s[low], s[normal], s[high]) < 0 || total >= classes && s[low] < 1 {
			t.Errorf("shares of %d are %v", total, s)
		}
	}
	if s := shares(math.MaxInt64); s[low] != math.MaxInt64/12+1 || s[normal] != math.MaxInt64/4+1 {
		t.Errorf("shares of the largest are %v", s)
	}
}

func TestTurnsServeTheWaitingInProportion(t *testing.T) {
	var turns turns
	var served [classes]int
	last := 0
	for i := 1; i <= 12_000; i++ {
		class := turns.next([classes]bool{true, true, true})
		served[class]++
		if class == low {
			last = i
		} else if i-last > 12 {
			t.Fatalf("low waited for %d others", i-last)
		}
		for class, n := range served {
			if due := float64(i) * float64(weights[class]) / 12; math.Abs(float64(n)-due) > 1.5 {
				t.Fatalf("after %d: %v served, %v of class %d were due", i, served, due, class)
			}
		}
	}
	if want := [classes]int{1000, 3000, 8000}; served != want {
		t.Errorf("served %v, want %v", served, want)
	}
}

// Whatever waits when: somebody who waits is served, and those who wait all the
// time get their shares of what they are served together, give or take one.
func TestTurnsAreFairWhoeverElseComesAndGoes(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var turns turns
		for range 50 {
			// A while in which two wait all the time and the third comes and goes.
			comes := rng.IntN(classes)
			var served [classes]float64
			for range 200 + rng.IntN(200) {
				waits := [classes]bool{true, true, true}
				waits[comes] = rng.IntN(2) == 0
				class := turns.next(waits)
				if !waits[class] {
					t.Fatalf("class %d was served and did not wait", class)
				}
				served[class]++
			}
			a, b := (comes+1)%classes, (comes+2)%classes
			wa, wb := float64(weights[a]), float64(weights[b])
			if gap := math.Abs(served[a]/wa - served[b]/wb); gap > 1/wa+1/wb {
				t.Fatalf("seed %d: with class %d coming and going, %v were served", seed, comes, served)
			}
			if most := served[a] / wa * float64(weights[comes]); served[comes] > most+float64(weights[comes])/wa+1 {
				t.Fatalf("seed %d: class %d came and went and got more than its share: %v", seed, comes, served)
			}
		}
	}
}

func TestWhoHadNothingWaitingIsNotMadeUpForIt(t *testing.T) {
	var turns turns
	for range 1000 {
		if class := turns.next([classes]bool{low: true}); class != low {
			t.Fatal("one that does not wait was served")
		}
	}
	var served [classes]int
	for range 24 {
		served[turns.next([classes]bool{true, true, true})]++
	}
	if served[high] > 17 || served[low] < 1 {
		t.Errorf("after a thousand turns of low alone, 24 turns went %v (low, normal, high)", served)
	}
}

func TestSlotsGoRoundTheLanes(t *testing.T) {
	l := lines{waiting: make([][]chan struct{}, 3)}
	names := map[chan struct{}]string{}
	join := func(lane int, name string) {
		who := make(chan struct{})
		names[who] = name
		l.join(lane, who)
	}
	for _, name := range []string{"a1", "a2", "a3", "a4"} {
		join(0, name)
	}
	join(2, "c1")
	join(2, "c2")
	l.served(0) // one of the first lane was let through at once
	var order []string
	for {
		who, ok := l.next()
		if !ok {
			break
		}
		order = append(order, names[who])
		if names[who] == "a2" {
			join(1, "b1") // comes late, and still before the first lane's third
		}
	}
	if want := []string{"c1", "a1", "c2", "a2", "b1", "a3", "a4"}; !slices.Equal(order, want) {
		t.Errorf("slots went to %q, want %q", order, want)
	}
	if l.leave(0, make(chan struct{})) {
		t.Error("somebody left who was not there")
	}
}

func TestDuplicatesAreRememberedWithinSizeAndAge(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	id := func(n int) identity {
		return identity{trace: trace.TraceID{byte(n), byte(n >> 8)}, span: trace.SpanID{1}}
	}
	memory := func() *duplicates { return newDuplicates(DuplicateMemory{Size: 100, Age: time.Hour}) }

	d := memory()
	for i := range 1000 {
		if d.remember(id(i), began) {
			t.Fatalf("%d is new", i)
		}
		if kept := len(d.young) + len(d.old); kept > 100 {
			t.Fatalf("%d are kept, more than 100", kept)
		}
		for back := range min(i, 50) {
			if !d.remember(id(i-back), began) {
				t.Fatalf("%d is forgotten when %d have come since", i-back, back)
			}
		}
	}

	for first := time.Duration(0); first < time.Hour; first += 7 * time.Minute {
		for later := time.Duration(0); later < 3*time.Hour; later += 7 * time.Minute {
			d := memory()
			d.remember(id(0), began)
			d.remember(id(1), began.Add(first))
			known := d.remember(id(1), began.Add(first+later))
			if later < 30*time.Minute && !known || later > time.Hour && known {
				t.Errorf("taken after %v, again %v later: known %t", first, later, known)
			}
		}
	}
	if newDuplicates(DuplicateMemory{Size: -1}) != nil {
		t.Error("a negative size remembers something")
	}
}
