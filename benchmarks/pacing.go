package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

func pacingClaims() []claim {
	return []claim{{name: "strict_pacing", bound: 1.005, says: "time over the ideal for 10 calls at strict:2/sec, none closer than 0.5 s",
		measure: strictPacing}}
}

func strictPacing() (float64, error) {
	const calls, apart = 10, 500 * time.Millisecond
	server := judgetest.NewServer()
	defer server.Close()
	sends := &sendTimes{}
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge", HTTPClient: &http.Client{Transport: sends}})
	if err != nil {
		return 0, err
	}
	var scored atomic.Int64
	evals, err := start(countScored(&scored), genaievals.WithConcurrent(true), genaievals.WithWorkers(calls),
		genaievals.WithEvaluators("judge(inference(bias))"), genaievals.WithRateLimit("strict:2/sec"),
		genaievals.WithJudgeClient(client))
	if err != nil {
		return 0, err
	}
	defer evals.Shutdown(context.Background())
	for range calls {
		answer(evals.Handler())
	}
	if err := evals.Flush(context.Background()); err != nil {
		return 0, err
	}
	if len(sends.at) != calls || scored.Load() != calls {
		return 0, fmt.Errorf("%d calls were sent and %d scored, want %d", len(sends.at), scored.Load(), calls)
	}
	took, closest := spacing(sends.at)
	ideal := (calls - 1) * apart
	_, arrived := spacing(server.Arrivals())
	fmt.Printf("%d calls took %v, ideal %v; the closest two were sent %v apart and arrived %v apart\n", calls, took, ideal, closest, arrived)
	if closest < apart {
		return 0, fmt.Errorf("two calls were sent %v apart, want at least %v", closest, apart)
	}
	return took.Seconds() / ideal.Seconds(), nil
}

// sendTimes is a transport that notes when each request is sent.
type sendTimes struct {
	mu sync.Mutex
	at []time.Time
}

func (s *sendTimes) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.at = append(s.at, time.Now())
	s.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

// spacing is the time from the first to the last, and the least between two.
func spacing(at []time.Time) (took, closest time.Duration) {
	closest = time.Hour
	for i := 1; i < len(at); i++ {
		closest = min(closest, at[i].Sub(at[i-1]))
	}
	return at[len(at)-1].Sub(at[0]), closest
}
