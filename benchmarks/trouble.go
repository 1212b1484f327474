package main

import (
	"context"
	"errors"
	"fmt"
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

func troubleClaims() []claim {
	return []claim{
		{name: "storm_429", bound: 0, says: "calls sent before the end of 30 s of 429 with Retry-After: 30, after the first was refused; no item lost",
			measure: storm, bubbles: true},
		{name: "outage", bound: 1, says: "the most calls in one open period of the breaker, in 5 minutes down; everything waiting is scored afterwards",
			measure: outage, bubbles: true},
	}
}

// guarded is a gate with all that the environment switches on.
func guardedGate(ceiling int) *limit.Gate {
	return limit.NewGate(limit.WithAdaptive(ceiling), limit.WithBreaker(limit.Breaker{}))
}

// troubled runs invocations through a manager with everything on while the
// judge is in trouble, and waits until all are done.
func troubled(client judge.Client, invocations int, every time.Duration, during func()) (*load, error) {
	e, err := scripted("judge", client, guardedGate(40))
	if err != nil {
		return nil, err
	}
	l, err := newLoad(manager.Config{
		Assignments: []evaluators.Assignment{assign(e, false)},
		Concurrent:  true, Workers: 4, MaxAge: 10 * time.Minute, Timeout: time.Minute,
	})
	if err != nil {
		return nil, err
	}
	defer l.stop()
	go during()
	for range invocations {
		answer(l.handler)
		time.Sleep(every)
	}
	err = l.Flush(context.Background())
	return l, err
}

func storm() (float64, error) {
	const length = 30 * time.Second
	refuse := judgetest.HTTP(http.StatusTooManyRequests, http.Header{"Retry-After": {"30"}}, `{"error":{"code":"rate_limit_exceeded"}}`)
	run := func(judge judge.Client, arrivals func() []time.Time, override func(judgetest.Answer, time.Duration), calls int, every time.Duration) (early int, err error) {
		began := time.Now()
		begins := make(chan time.Time, 1) // when the storm does
		l, err := troubled(judge, calls, every, func() {
			time.Sleep(time.Second + every/2) // between two calls
			begins <- time.Now()
			override(refuse, length)
		})
		if err != nil {
			return 0, err
		}
		first := <-begins
		var told time.Time // the first refusal has arrived by then
		for _, at := range arrivals() {
			switch {
			case at.Before(first):
			case told.IsZero():
				told = at.Add(100 * time.Millisecond)
			case at.After(told) && at.Before(first.Add(length)):
				early++
			}
		}
		fmt.Printf("storm from %v: %d calls, %d of them in the storm after the first answer; %d of %d scored, others %v\n",
			first.Sub(began).Round(time.Millisecond), len(arrivals()), early, l.scored, calls, l.others)
		if l.scored != calls {
			return 0, fmt.Errorf("%d of %d were scored: %v", l.scored, calls, l.others)
		}
		return early, nil
	}
	early := 0
	err := bubble(func() error {
		j := judgetest.NewJudge(judgetest.WithDelay(50*time.Millisecond), judgetest.WithRecordLimit(10_000))
		n, err := run(j, j.Arrivals, j.Override, 200, 200*time.Millisecond)
		early += n
		return err
	})
	if err != nil {
		return 0, err
	}
	fmt.Println("in real time over HTTP:")
	server := judgetest.NewServer(judgetest.WithDelay(50 * time.Millisecond))
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge"})
	if err != nil {
		return 0, err
	}
	n, err := run(client, server.Arrivals, server.Override, 40, 50*time.Millisecond)
	return float64(early + n), err
}

func outage() (most float64, err error) {
	err = bubble(func() (err error) {
		most, err = outageRun(time.Second, limit.Breaker{})
		return err
	})
	if err != nil {
		return 0, err
	}
	fmt.Println("in real time, a hundred times faster:")
	inReal, err := outageRun(10*time.Millisecond, limit.Breaker{OpenFor: 50 * time.Millisecond, OpenMax: 600 * time.Millisecond})
	return max(most, inReal), err
}

// outageRun offers an invocation every so often, 420 in all; the judge goes
// down after 60 and comes back after another 300.
func outageRun(every time.Duration, breaker limit.Breaker) (most float64, err error) {
	const calls, before, down = 420, 60, 300
	j := judgetest.NewJudge(judgetest.WithDelay(every), judgetest.WithRecordLimit(10_000))
	// opened are the times at which the breaker opened, each the beginning of a
	// period in which one call may try.
	var mu sync.Mutex
	var opened []time.Time
	gate := limit.NewGate(limit.WithAdaptive(40), limit.WithBreaker(breaker), limit.WithListener(func(e limit.Event) {
		if e.Kind == limit.EventOpened {
			mu.Lock()
			defer mu.Unlock()
			opened = append(opened, time.Now())
		}
	}))
	e, err := scripted("judge", j, gate)
	if err != nil {
		return 0, err
	}
	l, err := newLoad(manager.Config{
		Assignments: []evaluators.Assignment{assign(e, false)},
		Concurrent:  true, Workers: 4, MaxAge: 10 * time.Minute, Timeout: time.Minute,
	})
	if err != nil {
		return 0, err
	}
	began := time.Now()
	var up time.Time // again
	for i := range calls {
		if i == before {
			up = time.Now().Add(down * every)
			j.Override(judgetest.HTTP(http.StatusServiceUnavailable, nil, "down"), down*every)
		}
		answer(l.handler)
		time.Sleep(time.Until(began.Add(time.Duration(i+1) * every)))
	}
	if err := l.Flush(context.Background()); err != nil {
		return 0, err
	}
	l.stop()
	mu.Lock()
	defer mu.Unlock()
	for i, from := range opened {
		until := up
		if i+1 < len(opened) {
			until = opened[i+1]
		}
		n := 0
		for _, at := range j.Arrivals() {
			if at.After(from) && !at.After(until) {
				n++
			}
		}
		most = max(most, float64(n))
	}
	status := l.Status().Lanes[0]
	fmt.Printf("%d open periods in %v, at most %.0f calls in one; %d of %d scored, others %v, dropped %v\n",
		len(opened), down*every, most, l.scored, calls, l.others, status.Dropped)
	switch failed := calls - l.scored; {
	case len(opened) == 0:
		return 0, errors.New("the breaker never opened")
	case len(status.Dropped) > 0:
		return 0, fmt.Errorf("dropped: %v", status.Dropped)
	case failed > 4: // what the four workers had in hand when the breaker opened
		return 0, fmt.Errorf("%d failed: %v", failed, l.others)
	}
	return most, nil
}
