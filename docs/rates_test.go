package docs_test

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// TestTokenTable: calls that use 120 tokens each, of a judge that takes 2 s, get
// as far with a token limit as the cookbook says.
func TestTokenTable(t *testing.T) {
	set(t, "")
	column := regexp.MustCompile("^`JUDGE_MAX_OUTPUT_TOKENS=([0-9]+)`$")
	for _, row := range table(t, "cookbook.md", "### Token limits need room", "`TOKEN_LIMIT`") {
		for name, cell := range row {
			m := column.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			output, _ := strconv.Atoi(m[1])
			documented, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				perMinute := callsPerMinute(t, genaievals.WithTokenLimit(code(row["`TOKEN_LIMIT`"])),
					genaievals.WithJudge(func(j *envconfig.Judge) { j.MaxOutputTokens = output }))
				if math.Abs(perMinute/documented-1) > 0.05 {
					t.Errorf("%s, %s: %.0f calls a minute, documented %.0f", row["`TOKEN_LIMIT`"], name, perMinute, documented)
				}
			})
		}
	}
}

// callsPerMinute has more to evaluate than can be, and counts calls from the
// second minute to the fifth.
func callsPerMinute(t *testing.T, options ...genaievals.Option) float64 {
	t.Helper()
	scripted := judgetest.NewJudge(judgetest.WithDelay(2 * time.Second))
	handler := instrumentation.NewHandler()
	evals, err := genaievals.Start(t.Context(), append(options, quietly(), genaievals.WithHandler(handler),
		genaievals.WithJudgeClient(scripted), genaievals.WithEvaluators("judge(bias)"),
		genaievals.WithConcurrent(true), genaievals.WithWorkers(64))...)
	if err != nil {
		t.Fatal(err)
	}
	for range 5000 {
		_, inv := handler.StartInference(t.Context(), instrumentation.Inference{Input: []instrumentation.Message{instrumentation.UserMessage("How long?")}})
		inv.SetOutput(instrumentation.AssistantMessage("30 days."))
		inv.End()
	}
	const minutes = 4
	time.Sleep(time.Minute)
	before := scripted.Count()
	time.Sleep(minutes * time.Minute)
	n := scripted.Count() - before
	over, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_ = evals.Shutdown(over)
	return float64(n) / minutes
}

// TestMarginTable: what a margin costs strict pacing.
func TestMarginTable(t *testing.T) {
	for _, row := range table(t, "cookbook.md", "### Bursts", "is really") {
		rate, err := limit.ParseRate(code(row["`RATE_LIMIT`"]))
		if err != nil {
			t.Fatal(err)
		}
		documented, err := strconv.ParseFloat(strings.TrimSuffix(row["is really"], " a second"), 64)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			const sends = 100
			gate, began := limit.NewGate(limit.WithRate(rate)), time.Now()
			for range sends + 1 {
				permit, err := gate.Acquire(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				permit.Release()
			}
			if really := sends / time.Since(began).Seconds(); math.Abs(really/documented-1) > 0.002 {
				t.Errorf("%s is really %.1f a second, documented %.1f", rate, really, documented)
			}
		})
	}
}
