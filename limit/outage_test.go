package limit

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The outage: five minutes of failures with a backlog that waits at the door.
// At most one probe goes in each open period, and then everything is done.
func TestOutage(t *testing.T) {
	for name, opts := range map[string][]Option{
		"breaker only": nil,
		"adaptive":     {WithAdaptive(16)},
		"rate":         {WithRate(Rate{PerSecond: 5, Burst: 2})},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := NewGate(append(opts, WithBreaker(Breaker{}))...)
				start := time.Now()
				var mu sync.Mutex
				var during []time.Duration // sends while it is down
				scored, failed := 0, 0
				work := make(chan int, 300)
				for i := range cap(work) {
					work <- i
				}
				close(work)
				item := func() bool {
					ticket, err := g.Admit(t.Context())
					if err != nil {
						t.Error(err)
						return false
					}
					defer ticket.Close()
					if _, ok := <-work; !ok {
						return false
					}
					p, err := g.Acquire(ticket.Context(t.Context()))
					if err != nil {
						mu.Lock()
						failed++
						mu.Unlock()
						return true
					}
					sent := time.Since(start)
					time.Sleep(300 * time.Millisecond)
					down := sent < 5*time.Minute
					result := ResultOK
					if down {
						result = ResultUnavailable
					}
					p.Done(Outcome{Result: result, Header: http.Header{}})
					mu.Lock()
					defer mu.Unlock()
					if down {
						during = append(during, sent)
						failed++
					} else {
						scored++
					}
					return true
				}
				var wg sync.WaitGroup
				for range 8 {
					wg.Go(func() {
						for item() {
						}
					})
				}
				wg.Wait()
				s := g.Status()
				// The first ones in flight opened it; each probe is one open period.
				if probes := int(s.Breaker.Probes); probes > int(s.Breaker.Opened) || probes < 6 || probes > 10 {
					t.Errorf("%d probes in %d open periods of 5 minutes", probes, s.Breaker.Opened)
				}
				if scored+failed != 300 || scored < 270 {
					t.Errorf("%d scored and %d failed of 300", scored, failed)
				}
				if s.Breaker.State != BreakerClosed || s.InFlight != 0 || s.Waiting+s.Admitting+s.Expected != 0 {
					t.Errorf("left behind: %+v", s)
				}
				late := 0
				for _, at := range during {
					if at > 5*time.Second {
						late++
					}
				}
				if late > int(s.Breaker.Opened) {
					t.Errorf("%d sends after it had opened, in %d open periods", late, s.Breaker.Opened)
				}
			})
		})
	}
}
