package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

// network delays calls on their way to a judge.
type network struct {
	judge.Client
	mu     sync.Mutex
	random *rand.Rand
	most   time.Duration
}

func (n *network) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	n.mu.Lock()
	d := time.Duration(n.random.Int64N(int64(n.most)))
	n.mu.Unlock()
	time.Sleep(d)
	return n.Client.Complete(ctx, r)
}

// latencies are drawn once, so that each way of calling meets the same ones.
func latencies(n int, least, most time.Duration, seed uint64) []time.Duration {
	random := rand.New(rand.NewPCG(seed, 0))
	drawn := make([]time.Duration, n)
	for i := range drawn {
		drawn[i] = least + time.Duration(random.Int64N(int64(most-least)))
	}
	return drawn
}

const pacedCalls = 10

func pacing2rps() (float64, error) {
	const seeds = 20
	fmt.Printf("%-34s %8s %8s %6s %s\n", "", "end", "ideal", "429s", "most in a sliding second")
	worst := 0.0
	for seed := range uint64(seeds) {
		delays := latencies(pacedCalls, 2*time.Second, 5*time.Second, seed)
		row, err := pacedRun(delays, seed, throughManager)
		if err != nil {
			return 0, err
		}
		if seed == 0 {
			row.print("this gate, strict:2/sec")
			for _, other := range []struct {
				name string
				call caller
			}{{"pool of 2 blocking workers", poolOfTwo}, {"all at once, exponential retry", allAtOnce}} {
				row, err := pacedRun(delays, seed, other.call)
				if err != nil {
					return 0, err
				}
				row.print(other.name)
			}
		}
		if row.refused > 0 || row.most > 2 {
			row.print(fmt.Sprintf("seed %d", seed))
			return 0, errors.New("the judge's limit was not kept")
		}
		worst = max(worst, row.over())
	}
	fmt.Printf("worst of %d seeds: %.5f of the ideal\n", seeds, worst)
	inReal, err := pacedReal(latencies(pacedCalls, 2*time.Second, 5*time.Second, 0))
	if err != nil {
		return 0, err
	}
	inReal.print("this gate, real time over HTTP")
	if inReal.refused > 0 || inReal.most > 2 {
		return 0, errors.New("the judge's limit was not kept in real time")
	}
	return max(worst, inReal.over()), nil
}

// paced is how a run of the ten calls ended.
type paced struct {
	end, ideal    time.Duration
	refused, most int
}

func (p paced) over() float64 { return p.end.Seconds() / p.ideal.Seconds() }

func (p paced) print(name string) {
	fmt.Printf("%-34s %7.3fs %7.3fs %6d %d\n", name, p.end.Seconds(), p.ideal.Seconds(), p.refused, p.most)
}

// idealEnd is when the last answer can come at the earliest: the calls leave
// half a second apart, each takes its latency.
func idealEnd(delays []time.Duration) (end time.Duration) {
	for i, d := range delays {
		end = max(end, time.Duration(i)*500*time.Millisecond+d)
	}
	return end
}

// caller makes ten calls of a client, in one way or another.
type caller func(judge.Client) error

func pacedRun(delays []time.Duration, seed uint64, call caller) (row paced, err error) {
	err = bubble(func() error {
		server := judgetest.NewJudge(judgetest.WithPolicies(judgetest.SlidingWindow(2, time.Second)),
			judgetest.WithDelays(func(i int) time.Duration { return delays[i%len(delays)] }))
		client := &network{Client: server, random: rand.New(rand.NewPCG(seed, 1)), most: 2 * time.Millisecond}
		began := time.Now()
		if err := call(client); err != nil {
			return err
		}
		row = paced{time.Since(began), idealEnd(delays), server.Stats().RateLimited, arrivals(server.Admitted()).most(time.Second)}
		return nil
	})
	return row, err
}

func throughManager(client judge.Client) error {
	rate, err := limit.ParseRate("strict:2/sec")
	if err != nil {
		return err
	}
	e, err := scripted("judge", client, limit.NewGate(limit.WithRate(rate)))
	if err != nil {
		return err
	}
	l, err := newLoad(manager.Config{Assignments: []evaluators.Assignment{assign(e, false)}, Concurrent: true, Workers: pacedCalls})
	if err != nil {
		return err
	}
	defer l.stop()
	for range pacedCalls {
		answer(l.handler)
	}
	if err := l.Flush(context.Background()); err != nil {
		return err
	}
	if l.scored != pacedCalls {
		return fmt.Errorf("%d of %d were scored: %v", l.scored, pacedCalls, l.others)
	}
	return nil
}

func pacedReal(delays []time.Duration) (paced, error) {
	server := judgetest.NewServer(judgetest.WithPolicies(judgetest.SlidingWindow(2, time.Second)),
		judgetest.WithDelays(func(i int) time.Duration { return delays[i%len(delays)] }))
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge", HTTPClient: &http.Client{}})
	if err != nil {
		return paced{}, err
	}
	began := time.Now()
	if err := throughManager(&network{Client: client, random: rand.New(rand.NewPCG(1, 1)), most: 2 * time.Millisecond}); err != nil {
		return paced{}, err
	}
	return paced{time.Since(began), idealEnd(delays), server.RateLimited(), arrivals(server.Admitted()).most(time.Second)}, nil
}

// ask calls until it is answered, waiting longer after each refusal.
func ask(client judge.Client, wait time.Duration, factor float64) {
	for {
		if _, err := client.Complete(context.Background(), judge.Request{Metrics: []string{"bias"}}); err == nil {
			return
		}
		time.Sleep(wait)
		wait = time.Duration(float64(wait) * factor)
	}
}

func poolOfTwo(client judge.Client) error {
	jobs := make(chan struct{}, pacedCalls)
	for range pacedCalls {
		jobs <- struct{}{}
	}
	close(jobs)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range jobs {
				ask(client, 3*time.Second, 2)
			}
		})
	}
	wg.Wait()
	return nil
}

func allAtOnce(client judge.Client) error {
	var wg sync.WaitGroup
	for range pacedCalls {
		wg.Go(func() { ask(client, 3*time.Second, 2) })
	}
	wg.Wait()
	return nil
}
