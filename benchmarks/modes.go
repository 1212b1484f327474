package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel/trace/noop"
)

func modeClaims() []claim {
	return []claim{
		{name: "speedup_4x4", bound: 15.5, atLeast: true, says: "concurrent over sequential mode: 4 workers × 4 metrics, a judge of 200 ms (16 is ideal)",
			measure: speedup},
		{name: "efficiency_256x4", bound: 0.98, atLeast: true, says: "share of the ideal throughput: 256 workers × 4 metrics, a judge of 1 s over HTTP on loopback, after at most 10 s of learning",
			measure: efficiency},
	}
}

// start starts genaievals on a handler of its own, with everything said to
// nobody. The environment counts for nothing.
func start(options ...genaievals.Option) (*genaievals.Evals, error) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, envconfig.Prefix) {
			_ = os.Unsetenv(name)
		}
	}
	handler := instrumentation.NewHandler(instrumentation.WithTracerProvider(noop.NewTracerProvider()))
	return genaievals.Start(context.Background(), append([]genaievals.Option{
		genaievals.WithHandler(handler),
		genaievals.WithLogger(silent()),
		genaievals.WithEvaluators("judge(inference)"),
		genaievals.WithShutdownTimeout(time.Millisecond),
	}, options...)...)
}

// answer records a chat with documents, so that every metric applies.
func answer(h *instrumentation.Handler) {
	ctx := instrumentation.WithDocuments(context.Background(), instrumentation.Document{ID: "returns", Text: "Shoes can be returned within 30 days."})
	_, inv := h.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "gpt-4o-mini",
		Input: []instrumentation.Message{instrumentation.UserMessage("How long can I return shoes?")},
	})
	inv.SetOutput(instrumentation.AssistantMessage("You can return shoes within 30 days."))
	inv.End()
}

func speedup() (float64, error) {
	const invocations, metrics = 32, 4
	const latency = 200 * time.Millisecond
	// Everything is on as by default: the gate learns that the judge takes 16
	// calls at once before anything is measured.
	run := func(concurrent bool, peak int) (time.Duration, error) {
		judge := judgetest.NewJudge(judgetest.WithDelay(latency))
		var scored atomic.Int64
		evals, err := start(genaievals.WithJudgeClient(judge), genaievals.WithConcurrent(concurrent),
			genaievals.WithWorkers(4), genaievals.WithMaxConcurrent(metrics), countScored(&scored))
		if err != nil {
			return 0, err
		}
		defer evals.Shutdown(context.Background())
		for learning := time.Now(); judge.Peak() < peak; {
			if time.Since(learning) > 10*time.Second {
				return 0, fmt.Errorf("%d calls at once after 10 s, want %d", judge.Peak(), peak)
			}
			for range 8 {
				answer(evals.Handler())
			}
			if err := evals.Flush(context.Background()); err != nil {
				return 0, err
			}
		}
		scored.Store(0)
		began := time.Now()
		for range invocations {
			answer(evals.Handler())
		}
		if err := evals.Flush(context.Background()); err != nil {
			return 0, err
		}
		took := time.Since(began)
		fmt.Printf("concurrent=%t: %v for %d scores, at most %d calls at once\n", concurrent, took.Round(time.Millisecond), scored.Load(), judge.Peak())
		switch {
		case scored.Load() != invocations*metrics:
			return 0, fmt.Errorf("%d of %d were scored", scored.Load(), invocations*metrics)
		case judge.Peak() != peak:
			return 0, fmt.Errorf("%d calls ran at once, want exactly %d", judge.Peak(), peak)
		}
		return took, nil
	}
	concurrent, err := run(true, 16)
	if err != nil {
		return 0, err
	}
	sequential, err := run(false, 1)
	if err != nil {
		return 0, err
	}
	return sequential.Seconds() / concurrent.Seconds(), nil
}

func countScored(n *atomic.Int64) genaievals.Option {
	return genaievals.WithResultHandler(func(_ *instrumentation.Invocation, results []evaluators.Result) {
		for _, r := range results {
			if r.Outcome == evaluators.OutcomeScored {
				n.Add(1)
			}
		}
	})
}

func efficiency() (float64, error) {
	const workers, metrics = 256, 4
	const wave, measured = workers * metrics, 10 // waves of 1 s
	const learning = 10 * time.Second            // in which the gate reaches its ceiling
	url, stop, err := judgeProcess("1s")
	if err != nil {
		return 0, err
	}
	defer stop()
	var done, failed atomic.Int64
	var from, to time.Time
	var first int64 // results before the measurement; set with from
	over := make(chan struct{})
	began := time.Now()
	var mu sync.Mutex
	count := genaievals.WithResultHandler(func(_ *instrumentation.Invocation, results []evaluators.Result) {
		for _, r := range results {
			if r.Outcome != evaluators.OutcomeScored {
				failed.Add(1)
			}
			n := done.Add(1)
			mu.Lock()
			switch now := time.Now(); {
			case from.IsZero() && now.Sub(began) >= learning:
				from, first = now, n
			case !from.IsZero() && to.IsZero() && n >= first+measured*wave:
				to = now
				close(over)
			}
			mu.Unlock()
		}
	})
	evals, err := start(count, genaievals.WithConcurrent(true), genaievals.WithWorkers(workers), genaievals.WithMaxConcurrent(metrics),
		genaievals.WithJudge(func(j *envconfig.Judge) { j.BaseURL, j.Model = url, "judge" }))
	if err != nil {
		return 0, err
	}
	defer evals.Shutdown(context.Background())
	for range (measured + 13) * workers {
		answer(evals.Handler())
	}
	select {
	case <-over:
	case <-time.After(2 * time.Minute):
		return 0, fmt.Errorf("only %d results after 2 minutes", done.Load())
	}
	took := to.Sub(from).Seconds()
	fmt.Printf("%d results in %.3f s, ideal %d s; %d not scored\n", measured*wave, took, measured, failed.Load())
	if n := failed.Load(); n > 0 {
		return 0, fmt.Errorf("%d were not scored", n)
	}
	return measured / took, nil
}

// judgeProcess runs this program as a judge in a process of its own, so that
// what the judge costs is not measured.
func judgeProcess(latency string) (url string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(self, "-serve", latency)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	}
	if url, err = bufio.NewReader(stdout).ReadString('\n'); err != nil {
		stop()
		return "", nil, errors.New("the judge's process did not say where it listens")
	}
	return strings.TrimSpace(url), stop, nil
}

// serveJudge is that process: it says where it listens and serves until its
// input ends.
func serveJudge(latency string) int {
	d, err := time.ParseDuration(latency)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	judge := judgetest.NewServer(judgetest.WithDelay(d))
	defer judge.Close()
	mux := http.NewServeMux()
	mux.Handle("/", judge)
	mux.HandleFunc("GET /v1/in_flight", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, judge.InFlight()) })
	server := httptest.NewServer(mux)
	defer server.Close()
	fmt.Println(server.URL + "/v1")
	_, _ = io.Copy(io.Discard, os.Stdin)
	server.CloseClientConnections()
	return 0
}
