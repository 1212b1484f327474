package genaievals

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/limit"
)

// textLogger writes lines of text, from level info on.
func textLogger(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// What repeats while a judge is lost is not said again, and pauses, which a
// judge may ask for every few seconds, are not said at all.
func TestChangesOfAGateAreSaidOnce(t *testing.T) {
	var log strings.Builder
	s := &settings{logger: textLogger(&log)}
	until := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	tell := s.listener("fast")
	for _, e := range []limit.Event{
		{Kind: limit.EventPaused, Until: until, Result: limit.ResultRateLimited},
		{Kind: limit.EventOpened, Until: until, Result: limit.ResultFatal, Quota: true},
		{Kind: limit.EventOpened, Until: until, Result: limit.ResultFatal, Quota: true},
		{Kind: limit.EventClosed},
		{Kind: limit.EventOpened, Until: until, Result: limit.ResultUnavailable},
		{Kind: limit.EventClosed},
		{Kind: limit.EventSpent, Until: until},
		{Kind: limit.EventRenewed},
	} {
		tell(e)
	}
	want := []string{
		"WARN opened again_at=2030-01-02T03:04:05.000Z cause=fatal quota=true",
		"INFO closed",
		"WARN opened again_at=2030-01-02T03:04:05.000Z cause=unavailable quota=false",
		"INFO closed",
		"WARN spent again_at=2030-01-02T03:04:05.000Z",
		"INFO renewed",
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("said\n%s", log.String())
	}
	for i, line := range lines {
		level, rest, _ := strings.Cut(want[i], " ")
		state, rest, _ := strings.Cut(rest, " ")
		for _, part := range append(strings.Fields(rest), "level="+level, "state="+state, "judge=fast") {
			if !strings.Contains(line, part) {
				t.Errorf("said %q, which lacks %q", line, part)
			}
		}
	}
}
