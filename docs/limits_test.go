package docs_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/limit"
)

// TestBreakerTable: what opens a breaker, for how long at first and at most.
func TestBreakerTable(t *testing.T) {
	fail := func(o limit.Outcome, sends int) func(*limit.Gate) {
		return func(g *limit.Gate) {
			var permits []limit.Permit
			for range sends {
				if p, err := g.Acquire(context.Background()); err == nil {
					permits = append(permits, p)
				}
			}
			for _, p := range permits {
				p.Done(o)
			}
		}
	}
	open := map[string]func(*limit.Gate){
		"credentials": fail(limit.Outcome{Result: limit.ResultFatal}, 1),
		"billing":     fail(limit.Outcome{Result: limit.ResultFatal, Quota: true}, 1),
		"five":        fail(limit.Outcome{Result: limit.ResultUnavailable}, 5),
		"as many":     (*limit.Gate).Trip,
	}
	rows := table(t, "DESIGN.md", "## Limits", "opens on")
	if len(rows) != len(open) {
		t.Errorf("%d rows, want %d", len(rows), len(open))
	}
	for _, row := range rows {
		for begins, trouble := range open {
			if strings.HasPrefix(row["opens on"], begins) {
				synctest.Test(t, func(t *testing.T) {
					gate := limit.NewGate(limit.WithBreaker(limit.Breaker{}))
					trouble(gate)
					opened := time.Until(gate.Status().Breaker.Until)
					checkTime(t, row["opens on"]+", first", opened, row["first for"])
					for range 20 { // each probe fails in the same way
						time.Sleep(time.Until(gate.Status().Breaker.Until))
						trouble(gate)
						opened = time.Until(gate.Status().Breaker.Until)
					}
					checkTime(t, row["opens on"]+", at most", opened, row["at most for"])
				})
			}
		}
	}
}

func checkTime(t *testing.T, what string, got time.Duration, documented string) {
	t.Helper()
	want, err := time.ParseDuration(strings.NewReplacer(" ", "", "min", "m").Replace(documented))
	if err != nil || (got-want).Abs() > time.Millisecond {
		t.Errorf("%s: open for %v, documented %s (%v)", what, got, documented, err)
	}
}

// TestPauseTable: the headers that are documented are read.
func TestPauseTable(t *testing.T) {
	expand := strings.NewReplacer("requests` and `-tokens", "requests` `x-ratelimit-reset-tokens", "anthropic-ratelimit-*", "anthropic-ratelimit-requests")
	tested := 0
	for _, row := range table(t, "DESIGN.md", "## Limits", "forms") {
		for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(expand.Replace(row["where"]), -1) {
			tested++
			h := http.Header{}
			h.Set(strings.Replace(m[1], "reset", "remaining", 1), "0")
			want := 7 * time.Second
			if strings.HasPrefix(row["forms"], "milliseconds") {
				want = 7 * time.Millisecond
			}
			h.Set(m[1], "7")
			if hint := limit.ParseRetry(h, nil, time.Now()); hint.Wait != want {
				t.Errorf("%s: %+v", m[1], hint)
			}
		}
	}
	if tested != 8 {
		t.Errorf("%d headers were tested", tested)
	}
	for _, body := range []string{`{"retryDelay": "1.2s"}`, `Please try again in 1.2s.`} {
		if hint := limit.ParseRetry(nil, []byte(body), time.Now()); hint.Wait != 1200*time.Millisecond {
			t.Errorf("%s: %+v", body, hint)
		}
	}
}
