package browsertest

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"github.com/genaievals/genaievals/runner"
)

// keep writes a picture down for whoever wants to look, with -pictures.
func keep(t *testing.T, b *browser, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	shot := run(b, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), shot, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTroubleIsToldInWords(t *testing.T) {
	s, b := visit(t, 50, 1280, 900)
	b.until("a rate", `/\d\/s/.test(document.querySelector(".lanes .through").textContent)`)
	s.mu.Lock()
	fast, strong, house := &s.status.Lanes[0], &s.status.Lanes[1], &s.status.Lanes[2]
	fast.Evaluators[0].Gate.Breaker = &limit.BreakerStatus{State: limit.BreakerOpen, Until: time.Now().Add(5 * time.Minute), Reason: "judge_auth", Opened: 1}
	strong.Evaluators[0].Gate.Budget.Exhausted = true
	strong.Evaluators[0].Gate.Budget.Spent = 25
	house.Tasks += 40
	house.Dropped["queue_full"] += 40
	s.status.Door.Offered += 3 // of which nobody knows what became
	s.mu.Unlock()
	for what, expression := range map[string]string{
		"the breaker":      `[...document.querySelectorAll(".lanes .breaker")].some((x) => /✕ open.*tries in (4 min|5 min).*judge_auth/s.test(x.textContent))`,
		"the gate":         `document.querySelector(".lanes .gate").textContent.includes("closed by the breaker")`,
		"the budget":       `[...document.querySelectorAll(".lanes .budget")].some((x) => /budget spent.*a day, resets/s.test(x.textContent))`,
		"the lane's state": `document.querySelector(".lanes .state").textContent.includes("breaker open")`,
		"the drops":        `[...document.querySelectorAll(".lanes .state")].some((x) => x.textContent.includes("dropping"))`,
		"the law":          `document.querySelector(".sum.off .check").textContent === "△ off by 3"`,
		"attention":        `/\d things need attention/.test(document.querySelector("#attention").textContent)`,
		"the title":        `/^\(\d\) /.test(document.title)`,
		"what is read out": `document.querySelector("#said").textContent.includes("need attention")`,
	} {
		b.until(what, expression)
	}
	keep(t, b, "trouble")
}

// Without a scored result there is no pass rate, least of all 0.
func TestNothingScoredIsNoRate(t *testing.T) {
	s := newScene()
	for i := range s.status.Lanes {
		s.status.Lanes[i].Tasks, s.status.Lanes[i].Dropped["queue_full"] = 9, 9
	}
	s.status.Door = manager.DoorStatus{Offered: 9, FannedOut: 9}
	_, url := serve(t, s, "127.0.0.1:0", nil)
	b := newBrowser(t, 1280, 900)
	b.open(url)
	b.until("cards without a rate", `document.querySelectorAll(".card").length === 6 && [...document.querySelectorAll(".card .big")].every((x) => x.textContent === "–")`)
}

func TestARunHasItsPanel(t *testing.T) {
	var done atomic.Int64
	done.Store(6214)
	began := time.Now()
	status := func() runner.Status {
		n := done.Load()
		return runner.Status{
			Progress: runner.Progress{
				Name: "refunds-v7.jsonl", Done: n, Total: 10_000, Failed: 23, InFlight: 12, Elapsed: time.Since(began), Rate: 38.4, ETA: 98 * time.Second,
				Waiting: 0.71, RateLimited: 12, Spend: 1.84, HasSpend: true, InputTokens: 4_400_000, OutputTokens: 210_000,
			},
			Started: began, ItemsFailed: map[string]int64{"bad_item": 2},
			Evaluators: []runner.EvaluatorStatus{{
				Name: "judge", Concurrency: 32, Queued: 4, Running: 12, Waiting: 9, Gate: &limit.Status{Rate: mustRate("60/min"), Waiting: 9, InFlight: 3},
				Metrics: []runner.MetricStatistics{{
					Name: "faithfulness", Threshold: 0.8, Scored: uint64(n), Passed: uint64(n) * 86 / 100, Mean: 0.88, Failed: map[string]uint64{"judge_timeout": 21},
					Latency: runner.Distribution{Count: uint64(n), P50: 640 * time.Millisecond}, Cost: 1.84, HasCost: true,
				}},
			}},
		}
	}
	gates := func() []dashboard.Gate {
		return []dashboard.Gate{
			{Name: "faithfulness pass rate", Now: "86.0 %", Need: "90.0 %"},
			{Name: "failed items", Now: "0.3 %", Need: "2.0 %", Passes: true},
		}
	}
	_, url := serve(t, newScene(), "127.0.0.1:0", func(c *dashboard.Config) { c.App, c.Run, c.Gates, c.Name = nil, status, gates, "" })
	b := newBrowser(t, 1280, 900)
	b.open(url)
	b.until("the panel", `/refunds-v7.jsonl.*62.1 %.*38.4 items.*1 min 38 s.*\$1.84.*71.0 %.*12 429s.*23/s.test(document.querySelector("#run").textContent)`)
	b.until("the gates", `/faithfulness pass rate86.0 %, needs 90.0 %would fail/.test(document.querySelector(".gates").textContent)`)
	b.until("the items' sum", `document.querySelector(".sum .check").textContent === "✓ adds up" && document.querySelector(".sum").textContent.includes("to come")`)
	done.Store(7000)
	b.until("it goes on", `document.querySelector("#run").textContent.includes("70.0 %")`)
	if got := eval[string](b, `document.querySelector("#run [role=progressbar]").getAttribute("aria-valuenow")`); got != "70" {
		t.Errorf("the bar says %s to a screen reader", got)
	}
	keep(t, b, "run")
}
