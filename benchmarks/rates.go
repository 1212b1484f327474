package main

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/trace/noop"
)

func rateClaims() []claim {
	return []claim{
		{name: "pacing_2rps", bound: 1.005, says: "time over what physics allows for 10 calls to a judge of 2 calls/s, 2–5 s latency, 0–2 ms of network",
			measure: pacing2rps, bubbles: true},
		{name: "two_rates", bound: 0.01, says: "deviation from its own rate: 500 calls at 60/min beside 500 at 1000/min, 8 at once; 100/min beside 10/min, 5 at once",
			measure: twoRates, bubbles: true},
		{name: "every_permit", bound: 1, atLeast: true, says: "share of the permits used in an hour at 60/min by 32 workers × 4 metrics",
			measure: everyPermit, bubbles: true},
	}
}

// scripted is a judge behind a gate, as an evaluator of one metric, bias.
func scripted(name string, client judge.Client, gate *limit.Gate) (*judge.Evaluator, error) {
	return judge.New(client, judge.WithName(name), judge.WithGate(gate), judge.WithTimeout(time.Hour))
}

// assign assigns bias, or all metrics, of inference to a judge.
func assign(e *judge.Evaluator, all bool) evaluators.Assignment {
	metrics := e.Metrics()
	if !all {
		metrics = metrics[:1]
	}
	return evaluators.Assignment{Evaluator: e, Metrics: map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: metrics}}
}

// load is a manager with a handler, and what came of it.
type load struct {
	*manager.Manager
	handler *instrumentation.Handler

	mu      sync.Mutex
	scored  int
	others  map[string]int // results that are not scored, by reason or error type
	waited  time.Duration  // the longest wait at a gate
	results map[string]int // scored, by evaluator
}

func newLoad(cfg manager.Config) (*load, error) {
	l := &load{others: map[string]int{}, results: map[string]int{}}
	cfg.Logger = silent()
	cfg.ResultHandlers = append(cfg.ResultHandlers, func(_ *instrumentation.Invocation, results []evaluators.Result) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, r := range results {
			l.waited = max(l.waited, r.LimitWait)
			if r.Outcome == evaluators.OutcomeScored {
				l.scored++
				l.results[r.Evaluator]++
			} else {
				l.others[r.Reason+r.ErrorType]++
			}
		}
	})
	m, err := manager.New(cfg)
	if err != nil {
		return nil, err
	}
	l.Manager = m
	l.handler = instrumentation.NewHandler(instrumentation.WithTracerProvider(noop.NewTracerProvider()))
	l.handler.Register(m)
	return l, m.Start()
}

// stop shuts down at once.
func (l *load) stop() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_ = l.Shutdown(ctx)
}

// arrivals checks and times the calls that a judge received.
type arrivals []time.Time

// most is the most arrivals in any window that long.
func (a arrivals) most(window time.Duration) (most int) {
	for i, j := 0, 0; i < len(a); i++ {
		for a[i].Sub(a[j]) >= window {
			j++
		}
		most = max(most, i-j+1)
	}
	return most
}

func twoRates() (float64, error) {
	worst := 0.0
	for _, tt := range []struct {
		rates   [2]string
		ceiling int
		calls   [2]int
		latency time.Duration
	}{
		{[2]string{"60/min", "1000/min"}, 8, [2]int{500, 500}, 300 * time.Millisecond},
		{[2]string{"100/min", "10/min"}, 5, [2]int{500, 500}, time.Second},
	} {
		err := bubble(func() error {
			off, err := twoRatesRun(tt.rates, tt.calls, tt.ceiling, tt.latency)
			worst = max(worst, off)
			return err
		})
		if err != nil {
			return 0, err
		}
	}
	fmt.Println("in real time, over a hundred times faster:")
	off, err := twoRatesRun([2]string{"20/sec", "100/sec"}, [2]int{100, 500}, 8, 10*time.Millisecond)
	fmt.Printf("(not part of the claim: off by %.4f)\n", off)
	return worst, err
}

// twoRatesRun evaluates by two judges of different rates under one ceiling, and
// returns how far the worse is off its own rate, counted at the judge.
func twoRatesRun(rates [2]string, calls [2]int, ceiling int, latency time.Duration) (worst float64, err error) {
	cfg := manager.Config{Concurrent: true, Workers: 8, MaxInFlight: ceiling, MaxAge: 24 * time.Hour}
	var judges [2]*judgetest.Judge
	var permitted [2]limit.Rate
	for i, text := range rates {
		if permitted[i], err = limit.ParseRate(text); err != nil {
			return 0, err
		}
		perMinute := int(math.Round(permitted[i].PerSecond * 60))
		gate := limit.NewGate(limit.WithRate(permitted[i]))
		judges[i] = judgetest.NewJudge(judgetest.WithDelay(latency), judgetest.WithRecordLimit(10_000),
			judgetest.WithPolicies(judgetest.Bucket(perMinute, time.Minute, 1+gate.Status().Rate.Burst)))
		e, err := scripted(fmt.Sprintf("judge%d", i), judges[i], gate)
		if err != nil {
			return 0, err
		}
		cfg.Assignments = append(cfg.Assignments, assign(e, false))
	}
	l, err := newLoad(cfg)
	if err != nil {
		return 0, err
	}
	defer l.stop()
	for range max(calls[0], calls[1]) {
		answer(l.handler)
	}
	if err := l.Flush(context.Background()); err != nil {
		return 0, err
	}
	for i, j := range judges {
		at := j.Admitted()
		took := at[len(at)-1].Sub(at[0]).Seconds()
		rate := (float64(len(at)) - 1) / took
		off := math.Abs(rate/permitted[i].PerSecond - 1)
		fmt.Printf("%-9s under a ceiling of %d: %d calls at %.4f of its rate, %d refused\n", rates[i], ceiling, len(at), rate/permitted[i].PerSecond, j.Stats().RateLimited)
		if n := j.Stats().RateLimited; n > 0 {
			return 0, fmt.Errorf("%d calls were refused", n)
		}
		worst = max(worst, off)
	}
	if len(l.others) > 0 {
		return 0, fmt.Errorf("not everything was scored: %v", l.others)
	}
	return worst, nil
}

func everyPermit() (share float64, err error) {
	err = bubble(func() (err error) {
		share, err = everyPermitRun("60/min", time.Hour, 2*time.Second)
		return err
	})
	if err != nil {
		return 0, err
	}
	fmt.Println("in real time, a hundred times faster:")
	inReal, err := everyPermitRun("100/sec", 6*time.Second, 20*time.Millisecond)
	fmt.Printf("(not part of the claim: %.4f of the permits)\n", inReal)
	return share, err
}

// everyPermitRun offers a quarter more than a rate can judge, for some time, to
// 32 workers × 4 metrics.
func everyPermitRun(text string, length, latency time.Duration) (share float64, err error) {
	rate, err := limit.ParseRate(text)
	if err != nil {
		return 0, err
	}
	server := judgetest.NewJudge(judgetest.WithDelay(latency), judgetest.WithRecordLimit(10_000))
	e, err := scripted("judge", server, limit.NewGate(limit.WithRate(rate)))
	if err != nil {
		return 0, err
	}
	l, err := newLoad(manager.Config{Assignments: []evaluators.Assignment{assign(e, true)}, Concurrent: true, Workers: 32, QueueSize: 100, MaxAge: 10 * time.Minute})
	if err != nil {
		return 0, err
	}
	permits := int(rate.PerSecond * length.Seconds())
	began := time.Now()
	for time.Since(began) < length { // one invocation a permit, of four calls each
		answer(l.handler)
		time.Sleep(time.Duration(float64(time.Second) / rate.PerSecond))
	}
	used := 0
	for _, at := range server.Arrivals() {
		if at.Sub(began) < length {
			used++
		}
	}
	status := l.Status().Lanes[0]
	fmt.Printf("%d calls in %v at %s; not scored: %v; longest wait at the gate %v; %d wait, dropped %v\n",
		used, length, text, l.others, l.waited.Round(time.Millisecond), status.Queued, status.Dropped)
	l.stop()
	time.Sleep(latency) // what was being judged ends
	delete(l.others, evaluators.ErrorShutdown)
	delete(l.others, evaluators.ErrorCancelled)
	if len(l.others) > 0 {
		return 0, fmt.Errorf("metrics failed: %v", l.others)
	}
	return float64(used) / float64(permits), nil
}
