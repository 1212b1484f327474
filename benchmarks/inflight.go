package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
)

func inFlightClaims() []claim {
	return []claim{{name: "in_flight_10k", bound: 8 << 10, says: "bytes that a judge's call in flight costs beyond what net/http alone does, 10,000 at once; all of it at most 32 KiB",
		measure: inFlight}}
}

const manyCalls = 10_000

// inFlight compares what 10,000 calls in flight cost through genaievals with
// the same calls of a bare client.
func inFlight() (float64, error) {
	url, stop, err := judgeProcess("20s")
	if err != nil {
		return 0, err
	}
	defer stop()
	bare, _, err := hold(func(release <-chan struct{}) error { return bareCalls(url, release) }, url)
	if err != nil {
		return 0, fmt.Errorf("bare calls: %w", err)
	}
	ours, goroutines, err := hold(func(release <-chan struct{}) error { return judgedCalls(url, release) }, url)
	if err != nil {
		return 0, fmt.Errorf("judged calls: %w", err)
	}
	fmt.Printf("a call in flight: %.1f KiB in all, of which net/http alone %.1f KiB; %.2f goroutines\n",
		ours/1024, bare/1024, goroutines)
	switch {
	case ours > 32<<10:
		return 0, fmt.Errorf("%.1f KiB a call in all, want at most 32", ours/1024)
	case goroutines > 6:
		return 0, fmt.Errorf("%.1f goroutines a call", goroutines)
	}
	return ours - bare, nil
}

// hold starts calls, waits until all are with the judge, and returns what each
// costs in memory and goroutines.
func hold(start func(release <-chan struct{}) error, url string) (bytesEach, goroutinesEach float64, err error) {
	before, routines := used(), runtime.NumGoroutine()
	release, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- start(release) }()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		n, err := inFlightAt(url)
		if err != nil {
			return 0, 0, err
		}
		if n >= manyCalls {
			break
		}
		if time.Since(began) > 18*time.Second {
			return 0, 0, fmt.Errorf("only %d calls in flight", n)
		}
	}
	each := float64(used()-before) / manyCalls
	goroutines := float64(runtime.NumGoroutine()-routines) / manyCalls
	close(release)
	return each, goroutines, <-done
}

// used is the memory of heap and stacks that is in use, once the collector has
// run a few times: it halves a stack that has grown and is hardly used, each
// time.
func used() int64 {
	for range 4 {
		runtime.GC()
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapInuse + s.StackInuse)
}

// inFlightAt asks the judge's process how many calls it holds.
func inFlightAt(url string) (int, error) {
	res, err := http.Get(url + "/in_flight")
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(bytes.TrimSpace(text)))
}

func bareCalls(url string, release <-chan struct{}) error {
	transport := &http.Transport{MaxIdleConnsPerHost: manyCalls}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	body := []byte(`{"model":"judge","messages":[{"role":"user","content":"How long can I return shoes?"}]}`)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range manyCalls {
		wg.Go(func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/chat/completions", bytes.NewReader(body))
			if err != nil {
				return
			}
			req.Header.Set("Content-Type", "application/json")
			res, err := client.Do(req)
			if err == nil {
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		})
	}
	<-release
	cancel()
	wg.Wait()
	return nil
}

// judgedCalls has three judges of 834 workers × 4 metrics, which is 10,008
// calls at once.
func judgedCalls(url string, release <-chan struct{}) error {
	here := func(j *envconfig.Judge) { j.BaseURL, j.Model = url, "judge" }
	evals, err := start(genaievals.WithConcurrent(true), genaievals.WithWorkers(manyCalls/12+1), genaievals.WithAdaptive(false),
		genaievals.WithEvaluators("judge(inference),second(inference),third(inference)"),
		genaievals.WithJudge(here), genaievals.WithNamedJudge("second", here), genaievals.WithNamedJudge("third", here))
	if err != nil {
		return err
	}
	if off := evals.Off(); off != "" {
		return errors.New(off)
	}
	for range manyCalls/12 + 1 {
		answer(evals.Handler())
	}
	<-release
	_ = evals.Shutdown(context.Background()) // cut short: that is how it ends
	return nil
}
