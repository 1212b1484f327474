package runner

import (
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// work is one item under way. The reader makes it, and gives it to the task, or
// at once to the lanes; who is the last to have done his part hands it on.
type work struct {
	item    Item
	c       evaluators.Case // what evaluators see; not changed once they do
	sum     uint64
	size    atomic.Int64 // what it holds of the window
	resumed int          // results that the journal has
	shares  []share

	pending   atomic.Int32 // parts that are not done
	unhappy   atomic.Bool  // a metric failed
	abandoned atomic.Bool  // the run ended first

	errorType string // why the item failed as a whole
	err       error

	clock stopwatch
}

// share is what one lane has to do for an item.
type share struct {
	w    *work
	menu *menu
	// wanted are the metrics, by their place in the menu; nil is all.
	wanted []int
	plan   *plan
	// results by place in the menu; those without outcome are not there.
	results   []evaluators.Result
	parts     atomic.Int32 // groups that are not done
	abandoned atomic.Bool
}

// caseOf is what evaluators are shown of an item.
func caseOf(item *Item) evaluators.Case {
	if item.Case != nil {
		c := *item.Case
		if c.ID == "" {
			c.ID = item.ID
		}
		return c
	}
	return evaluators.Case{
		ID: item.ID, Kind: instrumentation.KindInference, Output: item.Output, Choices: 1, Input: item.Input,
		History: item.History, System: item.System, Documents: withText(item.Documents), Expected: item.Expected,
	}
}

// withText leaves out blank documents.
func withText(documents []instrumentation.Document) []instrumentation.Document {
	for i, d := range documents {
		if !evaluators.Blank(d.Text) {
			continue
		}
		left := append([]instrumentation.Document(nil), documents[:i]...)
		for _, d := range documents[i+1:] {
			if !evaluators.Blank(d.Text) {
				left = append(left, d)
			}
		}
		return left
	}
	return documents
}

// overhead is what an item takes beside its text, about.
const overhead = 500

// sizeOf is what an item holds of the window.
func sizeOf(item *Item) int64 {
	n := overhead + len(item.ID) + len(item.Input) + len(item.Output) + len(item.Expected) + len(item.System)
	n += textOf(item.Documents, item.History)
	for k, v := range item.Metadata {
		n += len(k) + len(v) + 32
	}
	if c := item.Case; c != nil {
		n += len(c.Input) + len(c.Output) + len(c.Expected) + len(c.System) + textOf(c.Documents, c.History)
	}
	return int64(n)
}

func textOf(documents []instrumentation.Document, history []evaluators.Turn) (n int) {
	for _, d := range documents {
		n += len(d.ID) + len(d.Text) + 40
	}
	for _, t := range history {
		n += len(t.Role) + len(t.Text) + 32
	}
	return n
}

// held is what a result holds of the window, about: it stays until all lanes are
// through with the item, and the slowest may be far behind.
func held(r *evaluators.Result) int64 {
	n := 300 + len(r.Label) + len(r.Explanation) + len(r.JudgeModel)
	if r.Err != nil {
		n += len(r.Err.Error())
	}
	for i := range r.Attributes {
		n += 64 + len(r.Attributes[i].Key)
		switch v := &r.Attributes[i].Value; v.Type() {
		case attribute.STRING:
			n += len(v.AsString())
		case attribute.BOOLSLICE, attribute.INT64SLICE, attribute.FLOAT64SLICE, attribute.STRINGSLICE:
			n += len(v.String())
		}
	}
	return int64(n)
}

// stopwatch adds up the time for which at least one works on an item.
type stopwatch struct {
	mu    sync.Mutex
	on    int
	since time.Time
	total time.Duration
}

// start returns what was used up before.
func (s *stopwatch) start(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on == 0 {
		s.since = now
	}
	s.on++
	return s.total + now.Sub(s.since)
}

// stop takes off what of the time was waiting for limits.
func (s *stopwatch) stop(now time.Time, waited time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on--; s.on == 0 {
		s.total += max(0, now.Sub(s.since)-waited)
	}
}
