package queue

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestQueueKeepsOrderThroughRandomPushesAndPops(t *testing.T) {
	var q Queue[int]
	rng := rand.New(rand.NewPCG(1, 2))
	var pushed, popped int
	for range 200_000 {
		// Phases of filling and draining, so that segments come and go.
		fill := pushed/5000%2 == 0
		if rng.IntN(10) < 7 == fill {
			q.Push(pushed)
			pushed++
		} else if item, ok := q.Pop(); ok {
			if item != popped {
				t.Fatalf("popped %d, want %d", item, popped)
			}
			popped++
		} else if pushed != popped {
			t.Fatalf("empty with %d pushed and %d popped", pushed, popped)
		}
		if q.Len() != pushed-popped {
			t.Fatalf("Len() = %d, want %d", q.Len(), pushed-popped)
		}
		if item, ok := q.Peek(); ok != (q.Len() > 0) || ok && item != popped {
			t.Fatalf("Peek() = %d, %t with oldest %d of %d", item, ok, popped, q.Len())
		}
	}
}

func TestQueueForgetsWhatWasPopped(t *testing.T) {
	var q Queue[*[1 << 10]byte]
	freed := make(chan struct{})
	func() {
		item := new([1 << 10]byte)
		runtime.AddCleanup(item, func(struct{}) { close(freed) }, struct{}{})
		q.Push(item)
		q.Push(new([1 << 10]byte))
		q.Pop()
	}()
	for range 10 {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(&q)
			return
		default:
		}
	}
	// The cleanup runs on a goroutine of the runtime; give it its turn.
	<-freed
	runtime.KeepAlive(&q)
}

func TestQueueDoesNotAllocateInSteadyState(t *testing.T) {
	var q Queue[int]
	for range segmentLen {
		q.Push(0)
	}
	if n := testing.AllocsPerRun(10*segmentLen, func() { q.Push(0); q.Pop() }); n > 0.05 {
		t.Errorf("%v allocations a push and pop, want none", n)
	}
}

func BenchmarkPush(b *testing.B) {
	var q Queue[[2]uintptr]
	b.ReportAllocs()
	for b.Loop() {
		q.Push([2]uintptr{})
	}
}

func TestAtIsTheItemBehindSoManyOthers(t *testing.T) {
	var q Queue[int]
	for i := range 4 * segmentLen {
		q.Push(i)
	}
	for popped := range 3 * segmentLen {
		for _, i := range []int{0, 1, segmentLen - 1, segmentLen, q.Len() - 1} {
			if got := q.At(i); got != popped+i {
				t.Fatalf("after %d Pops At(%d) = %d, want %d", popped, i, got, popped+i)
			}
		}
		q.Pop()
	}
}
