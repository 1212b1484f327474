package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
)

func pageClaims() []claim {
	return []claim{{name: "page_cost", bound: 0.05, says: "share of one core that the live page costs its process: 2,000 results a second, two streams of four updates a second, reading them included",
		measure: pageCost}}
}

const (
	pageResults  = 2000 // a second
	pageStreams  = 2
	pageWarmUp   = 2 * time.Second
	pageMeasured = 6 * time.Second
	pagePairs    = 5
)

// pageCost is the processor time of an application with the page less that of the
// same one without it, by the time that passed: the median of pairs.
func pageCost() (float64, error) {
	var shares []float64
	for range pagePairs {
		without, _, err := pageLoad(false)
		if err != nil {
			return 0, err
		}
		with, updates, err := pageLoad(true)
		if err != nil {
			return 0, err
		}
		fmt.Printf("processor time by time passed: %.4f with the page, %.4f without; %.1f updates a second and stream\n", with, without, updates)
		if updates < 3.5 || updates > 4.5 {
			return 0, fmt.Errorf("%.1f updates a second, want 4", updates)
		}
		shares = append(shares, with-without)
	}
	return median(shares), nil
}

// pageLoad runs an application whose four evaluators give so many results a second,
// and returns its processor time by the time passed.
func pageLoad(page bool) (share, updates float64, err error) {
	var results atomic.Int64
	options := []genaievals.Option{genaievals.WithConcurrent(true), genaievals.WithEvaluators("one,two,three,four"), countScored(&results)}
	for _, name := range []string{"one", "two", "three", "four"} {
		metric := evaluators.Metric{Name: name, Threshold: 0.5}
		options = append(options, genaievals.WithEvaluator(evaluators.Func(name, metric, func(_ context.Context, c *evaluators.Case) evaluators.Result {
			return evaluators.Scored(name, float64(len(c.Output)%10)/10, "Fine", "what was found, in a sentence of some length")
		})))
	}
	if page {
		options = append(options, genaievals.WithDashboard("127.0.0.1:0"))
	}
	evals, err := start(options...)
	if err != nil {
		return 0, 0, err
	}
	defer evals.Shutdown(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var frames atomic.Int64
	if page {
		for range pageStreams {
			if err := readStream(ctx, evals.DashboardURL()+"events", &frames); err != nil {
				return 0, 0, err
			}
		}
	}
	load := func(d time.Duration) {
		began := time.Now()
		for done := 0; time.Since(began) < d; time.Sleep(5 * time.Millisecond) {
			for due := int(time.Since(began).Seconds() * pageResults / 4); done < due; done++ {
				answer(evals.Handler())
			}
		}
	}
	load(pageWarmUp)
	results.Store(0)
	frames.Store(0)
	before := processorTime()
	began := time.Now()
	load(pageMeasured)
	passed := time.Since(began).Seconds()
	after := processorTime()
	if rate := float64(results.Load()) / passed; rate < 0.95*pageResults {
		return 0, 0, fmt.Errorf("%.0f results a second, want %d", rate, pageResults)
	}
	return (after - before).Seconds() / passed, float64(frames.Load()) / passed / pageStreams, nil
}

// readStream reads a page's stream until ctx ends, and counts its updates.
func readStream(ctx context.Context, url string, frames *atomic.Int64) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		_ = res.Body.Close()
		return fmt.Errorf("the stream: %s", res.Status)
	}
	go func() {
		defer res.Body.Close()
		for lines := bufio.NewReader(res.Body); ; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			if strings.HasPrefix(line, "event: change") {
				frames.Add(1)
			}
		}
	}()
	return nil
}
