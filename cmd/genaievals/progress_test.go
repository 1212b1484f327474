package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
)

func refunds() progress {
	return progress{
		Progress: runner.Progress{
			Name: "refunds-v7", Done: 6214, Total: 10000, Rate: 38.4, ETA: 98 * time.Second, InFlight: 12,
			Waiting: 0.71, RateLimited: 12, Failed: 23, Spend: 1.84, HasSpend: true,
		},
		limited: true, budget: 5,
	}
}

func TestProgressLosesPartsWhereTheTerminalIsNarrow(t *testing.T) {
	for _, tt := range []struct {
		width int
		want  string
	}{
		{200, "refunds-v7  62.1% ━━━━━━━━━━━━────────  6,214/10,000  38.4/s  ETA 1m38s  in flight 12  waiting 71%  429s 12  failed 23  $1.84/$5.00"},
		{132, "refunds-v7  62.1% ━━━━━━━━━━━━────────  6,214/10,000  38.4/s  ETA 1m38s  in flight 12  waiting 71%  429s 12  failed 23  $1.84/$5.00"},
		{130, "refunds-v7  62.1% ━━━━━━━━━━━━────────  6,214/10,000  38.4/s  ETA 1m38s  waiting 71%  429s 12  failed 23  $1.84/$5.00"},
		{115, "refunds-v7  62.1% ━━━━━━━━━━━━────────  6,214/10,000  38.4/s  ETA 1m38s  waiting 71%  failed 23  $1.84/$5.00"},
		{105, "refunds-v7  62.1% ━━━━━━━━━━━━────────  6,214/10,000  38.4/s  ETA 1m38s  failed 23  $1.84/$5.00"},
		{90, "refunds-v7  62.1%  6,214/10,000  38.4/s  ETA 1m38s  failed 23  $1.84/$5.00"},
		{72, "62.1%  6,214/10,000  38.4/s  ETA 1m38s  failed 23  $1.84/$5.00"},
		{60, "62.1%  6,214/10,000  38.4/s  ETA 1m38s  failed 23"},
		{48, "62.1%  6,214/10,000  ETA 1m38s  failed 23"},
		{40, "62.1%  6,214/10,000  ETA 1m38s"},
		{20, "62.1%  6,214/10,000"},
		{10, "62.1%  6,"},
		{0, ""},
	} {
		if got := refunds().line(tt.width); got != tt.want {
			t.Errorf("%d columns:\n got %q\nwant %q", tt.width, got, tt.want)
		}
	}
}

// A line as wide as the terminal would make it scroll.
func TestProgressNeverReachesTheLastColumn(t *testing.T) {
	for _, p := range []progress{
		refunds(),
		{Progress: runner.Progress{Name: strings.Repeat("退款", 30), Done: 1 << 40, Total: 1 << 41, Failed: 1 << 30}, limited: true},
		{Progress: runner.Progress{Name: "x\x1b[31m\n\ty", Done: 3}},
		{},
	} {
		for width := range 250 {
			line := p.line(width)
			if n := columns(line); n > max(0, width-1) {
				t.Errorf("%d columns in %d: %q", n, width, line)
			}
			if strings.ContainsAny(line, "\x1b\n\t\r") {
				t.Errorf("control characters: %q", line)
			}
		}
	}
}

func TestProgressSaysOnlyWhatIsKnown(t *testing.T) {
	p := refunds()
	p.Total, p.ETA = 0, 0
	if want := "refunds-v7  6,214  38.4/s  in flight 12  waiting 71%  429s 12  failed 23  $1.84/$5.00"; p.line(200) != want {
		t.Errorf("without a total: %q", p.line(200))
	}
	if want := "progress done=6214 rate=38.4/s in_flight=12 waiting=0.71 status_429=12 failed=23 spend_usd=1.84"; p.log() != want {
		t.Errorf("without a total: %q", p.log())
	}
	p = refunds()
	p.limited, p.HasSpend, p.ETA = false, false, 0
	if want := "refunds-v7  62.1% ━━━━━━━━━━━━────────  6,214/10,000  38.4/s  in flight 12  failed 23"; p.line(200) != want {
		t.Errorf("without limits: %q", p.line(200))
	}
	p = refunds()
	p.Done, p.plain, p.budget = p.Total-1, true, 0
	if want := "refunds-v7  99.9% ###################-  9,999/10,000"; !strings.HasPrefix(p.line(200), want) || !strings.HasSuffix(p.line(200), "  $1.84") {
		t.Errorf("nearly done: %q", p.line(200))
	}
	p.Done = p.Total + 5 // a dataset that grew while it was read
	if want := "refunds-v7  100.0% ####################  10,005/10,000"; !strings.HasPrefix(p.line(200), want) {
		t.Errorf("more than all: %q", p.line(200))
	}
}

func TestProgressInALogIsOneLineOfNamesAndValues(t *testing.T) {
	const want = "progress done=6214 total=10000 rate=38.4/s eta=1m38s in_flight=12 waiting=0.71 status_429=12 failed=23 spend_usd=1.84"
	if got := refunds().log(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestTheBudgetIsShownWhereAllSpendCountsAgainstOne(t *testing.T) {
	lane := func(b limit.Budget) runner.EvaluatorStatus {
		return runner.EvaluatorStatus{Gate: &limit.Status{Budget: &limit.BudgetStatus{Budget: b}}}
	}
	dollars, tokens := limit.Budget{Amount: 2, Per: time.Hour}, limit.Budget{Amount: 9, Tokens: true, Per: time.Hour}
	for name, tt := range map[string]struct {
		lanes  []runner.EvaluatorStatus
		budget float64
	}{
		"two in money":           {[]runner.EvaluatorStatus{lane(dollars), lane(dollars), {}}, 4},
		"one in money":           {[]runner.EvaluatorStatus{lane(dollars), {Gate: &limit.Status{}}}, 0},
		"tokens are no money":    {[]runner.EvaluatorStatus{lane(dollars), lane(tokens)}, 0},
		"nobody is under limits": {[]runner.EvaluatorStatus{{}}, 0},
	} {
		p := progressOf(runner.Status{Evaluators: tt.lanes}, false)
		if p.budget != tt.budget || p.limited != (name != "nobody is under limits") {
			t.Errorf("%s: budget %v, limited %v", name, p.budget, p.limited)
		}
	}
}

func TestNumbersAndTimesAsTheyAreShown(t *testing.T) {
	var got []string
	for _, n := range []int64{0, 999, 1000, 1234567, -1, -1234} {
		got = append(got, grouped(n))
	}
	if diff := cmp.Diff([]string{"0", "999", "1,000", "1,234,567", "-1", "-1,234"}, got); diff != "" {
		t.Error(diff)
	}
	got = nil
	for _, d := range []time.Duration{0, 900 * time.Millisecond, 59 * time.Second, 59600 * time.Millisecond, time.Hour, 26 * time.Hour} {
		got = append(got, roughly(d))
	}
	if diff := cmp.Diff([]string{"0s", "1s", "59s", "1m0s", "1h0m", "1d2h"}, got); diff != "" {
		t.Error(diff)
	}
}
