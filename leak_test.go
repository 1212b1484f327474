package genaievals_test

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/bootstrap"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
	"github.com/genaievals/genaievals/internal/otlptest"
)

func TestShutdownLeavesNoGoroutineBehind(t *testing.T) {
	judge := judgetest.NewServer(judgetest.WithDelay(10 * time.Millisecond))
	backend := otlptest.Start(t)
	setenv(t, map[string]string{
		"CONCURRENT": "true", "WORKERS": "8", "DASHBOARD": "127.0.0.1:0", "JUDGE_BASE_URL": judge.URL, "JUDGE_MODEL": "judge-1",
		"OTEL_EXPORTER_OTLP_ENDPOINT": backend.Endpoint(),
	})
	telemetry, err := bootstrap.Start(context.Background(), genaievals.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	transport := genaihttp.NewTransport(&http.Transport{})
	client := &http.Client{Transport: transport}
	url := modelServer(t, "Within 30 days.")
	for range 20 {
		chat(context.Background(), t, client, url, true)
	}
	if err := telemetry.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	client.CloseIdleConnections()
	judge.Close()
	// What Shutdown has ended may still be on its way out of its last function.
	var left []string
	for range 10_000 {
		if left = ours(); len(left) == 0 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines are left:\n%s", len(left), strings.Join(left, "\n\n"))
}

// ours are the stacks of this module's goroutines other than the test's own.
func ours() (stacks []string) {
	buf := make([]byte, 1<<20)
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		for _, part := range []string{"genaievals/manager.", "genaievals/limit.", "evaluators/judge.", "judge/openai.", "judge/anthropic.", "judge/internal/wire.", "instrumentation/genaihttp.", "genaievals/internal/emit.", "genaievals/internal/dashboard."} {
			if strings.Contains(stack, part) {
				stacks = append(stacks, stack)
				break
			}
		}
	}
	return stacks
}
