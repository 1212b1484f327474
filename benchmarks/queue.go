package main

import (
	"fmt"
	"runtime"

	"github.com/genaievals/genaievals/manager"
)

func queueClaims() []claim {
	return []claim{{name: "queue_overhead", bound: 512, says: "bytes kept for a waiting invocation beyond the invocation itself, the most of one lane and four",
		measure: queueOverhead}}
}

func queueOverhead() (float64, error) {
	most := 0.0
	for _, lanes := range []int{1, 4} {
		for _, waiting := range []int{1000, 100_000} {
			invocations := completed(waiting)
			m, stop, err := stalledManager(manager.Config{}, lanes)
			if err != nil {
				return 0, err
			}
			before := heap()
			for _, inv := range invocations {
				m.OnCompletion(inv)
			}
			kept := float64(heap()-before) / float64(waiting)
			fmt.Printf("%d lane(s), %d waiting: %.1f bytes each\n", lanes, waiting, kept)
			runtime.KeepAlive(invocations)
			runtime.KeepAlive(m)
			stop()
			most = max(most, kept)
		}
	}
	return most, nil
}

// heap is what is in use after everything unreachable is gone.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
