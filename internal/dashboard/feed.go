package dashboard

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
)

// Results are kept by stratum, a metric with one label, reason or error type, so
// that of a rare one some are there however many others came since.
const (
	strataMax  = 512 // the one that was offered nothing for longest makes room
	stratumMax = 24
	keptMax    = 96 * stratumMax // in all; the largest stratum makes room
	// sampleStep is the time in which a stratum takes takesPassed results that
	// pass, and takesOther of the others, which are wanted more.
	sampleStep  = 500 * time.Millisecond
	takesPassed = 1
	takesOther  = 3

	textMax    = 2 << 10 // bytes kept of a text
	nameMax    = 128     // and of a name
	labelsMax  = 12      // of a metric, counted apart
	metricsMax = 256
	buckets    = 10
	other      = "_OTHER"
)

type stratum struct{ evaluator, metric, outcome, what string }

// kept is a result in the feed.
type kept struct {
	Seq         uint64   `json:"seq"`
	At          int64    `json:"at"`
	Evaluator   string   `json:"evaluator"`
	Metric      string   `json:"metric"`
	Outcome     string   `json:"outcome"`
	Score       *float64 `json:"score,omitempty"`
	Label       string   `json:"label,omitempty"`
	Passed      bool     `json:"passed,omitempty"`
	Reason      string   `json:"reason,omitempty"` // or error type
	Error       string   `json:"error,omitempty"`
	Explanation string   `json:"explanation,omitempty"`
	Model       string   `json:"model,omitempty"`
	Took        float64  `json:"took"` // seconds
	Waited      float64  `json:"waited"`
	Tokens      int64    `json:"tokens,omitempty"`
	Cost        *float64 `json:"cost,omitempty"`
	Attempts    int      `json:"attempts,omitempty"`
	TraceID     string   `json:"trace_id,omitempty"`
	SpanID      string   `json:"span_id,omitempty"`
	Item        string   `json:"item,omitempty"`
	Line        int      `json:"line,omitempty"`
	Input       string   `json:"input,omitempty"`
	Output      string   `json:"output,omitempty"`
}

type shelf struct {
	results []kept // at most stratumMax, oldest first
	until   time.Time
	taken   int
}

// about is what the feed knows of a metric that a status does not tell.
type about struct {
	direction evaluators.Direction
	threshold float64
	typ       string
	model     string
	scored    uint64
	total     float64
	buckets   [buckets]uint64
	labels    map[string]uint64
}

// feed is the results' sample and tallies, under one lock that is held for a few
// instructions.
type feed struct {
	explanation, content bool

	mu      sync.Mutex
	seq     uint64
	size    int // of all shelves
	shelves map[stratum]*shelf
	metrics map[metricKey]*about
}

type metricKey struct{ evaluator, metric string }

func newFeed(cfg Config) *feed {
	return &feed{
		explanation: cfg.Explanation, content: cfg.Content,
		shelves: make(map[stratum]*shelf), metrics: make(map[metricKey]*about),
	}
}

// offer counts a result, and keeps it if its stratum takes it.
func (f *feed) offer(r Result) {
	if r.At.IsZero() {
		r.At = time.Now()
	}
	if !f.count(&r) {
		return
	}
	k := f.keep(&r) // outside the lock: it may call the application's code
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.shelves[strataOf(&r)]
	if s == nil {
		return
	}
	f.seq++
	k.Seq = f.seq
	switch {
	case len(s.results) >= stratumMax:
		f.shorten(s)
	case f.size >= keptMax:
		f.shorten(f.largest())
	}
	s.results = append(s.results, k)
	f.size++
}

// shorten takes a shelf's oldest result away.
func (f *feed) shorten(s *shelf) {
	last := copy(s.results, s.results[1:])
	s.results[last] = kept{}
	s.results = s.results[:last]
	f.size--
}

func (f *feed) largest() (found *shelf) {
	for _, s := range f.shelves {
		if found == nil || len(s.results) > len(found.results) {
			found = s
		}
	}
	return found
}

// makeRoom gives up the stratum that was offered nothing for longest.
func (f *feed) makeRoom() {
	var oldest stratum
	var s *shelf
	for at, other := range f.shelves {
		if s == nil || other.until.Before(s.until) {
			oldest, s = at, other
		}
	}
	f.size -= len(s.results)
	delete(f.shelves, oldest)
}

func (f *feed) count(r *Result) (keep bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := metricKey{clip(r.Evaluator, nameMax), clip(r.Metric, nameMax)}
	a := f.metrics[key]
	if a == nil {
		if len(f.metrics) >= metricsMax {
			return false
		}
		a = &about{labels: make(map[string]uint64)}
		f.metrics[key] = a
	}
	a.direction, a.threshold, a.typ = r.Direction, r.Threshold, r.EvaluatorType
	if r.JudgeModel != "" {
		a.model = clip(r.JudgeModel, nameMax)
	}
	if r.Outcome == evaluators.OutcomeScored && r.Finite() {
		a.scored++
		a.total += r.Score
		a.buckets[min(buckets-1, max(0, int(r.Score*buckets)))]++
		label := clip(r.Label, nameMax)
		if _, known := a.labels[label]; !known && len(a.labels) >= labelsMax {
			label = other
		}
		a.labels[label]++
	}
	at := strataOf(r)
	s := f.shelves[at]
	if s == nil {
		if len(f.shelves) >= strataMax {
			f.makeRoom()
		}
		s = &shelf{}
		f.shelves[at] = s
	}
	if r.At.After(s.until) || s.until.Sub(r.At) > sampleStep {
		s.until, s.taken = r.At.Add(sampleStep), 0
	}
	takes := takesOther
	if r.Outcome == evaluators.OutcomeScored && r.Passed {
		takes = takesPassed
	}
	s.taken++
	return s.taken <= takes
}

func strataOf(r *Result) stratum {
	what := r.Label
	switch r.Outcome {
	case evaluators.OutcomeSkipped:
		what = r.Reason
	case evaluators.OutcomeFailed:
		what = r.ErrorType
	}
	return stratum{clip(r.Evaluator, nameMax), clip(r.Metric, nameMax), r.Outcome.String(), clip(what, nameMax)}
}

func (f *feed) keep(r *Result) kept {
	at := strataOf(r)
	k := kept{
		At: r.At.UnixMilli(), Evaluator: at.evaluator, Metric: at.metric, Outcome: at.outcome,
		Model: clip(r.JudgeModel, nameMax), Took: r.Duration.Seconds(), Waited: r.LimitWait.Seconds(),
		Tokens: r.InputTokens + r.OutputTokens, Attempts: r.Attempts,
		TraceID: clip(r.TraceID, nameMax), SpanID: clip(r.SpanID, nameMax), Item: clip(r.Item, nameMax), Line: r.Line,
	}
	if r.HasCost {
		k.Cost = &r.Cost
	}
	switch {
	case r.Outcome != evaluators.OutcomeScored:
		k.Reason = at.what
	case r.Finite():
		k.Score, k.Label, k.Passed = &r.Score, at.what, r.Passed
	}
	if r.Err != nil {
		k.Error = clip(errorText(r.Err), textMax)
	}
	if f.explanation {
		k.Explanation = clip(r.Explanation, textMax)
	}
	if f.content && r.Content != nil {
		k.Input, k.Output = contentOf(r.Content)
	}
	return k
}

// contentOf and errorText contain what the application's code panics about.
func contentOf(content func() (string, string)) (input, output string) {
	defer func() { _ = recover() }()
	input, output = content()
	return clip(input, textMax), clip(output, textMax)
}

func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "(the error's text panicked)"
		}
	}()
	return err.Error()
}

// clip returns at most n bytes of a text, whole characters, and a copy, so that a
// part does not keep the whole in memory.
func clip(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return strings.ToValidUTF8(strings.Clone(s[:n]), "") + "…"
}

// latest returns up to n results that match, newest first: those after seq, and of
// them rather those that did not pass.
func (f *feed) latest(filter filter, seq uint64, n int) []kept {
	var found []kept
	f.mu.Lock()
	for at, s := range f.shelves {
		if !filter.takesStratum(at) {
			continue
		}
		for _, k := range s.results {
			if k.Seq > seq && filter.takes(&k) {
				found = append(found, k)
			}
		}
	}
	f.mu.Unlock()
	newest := func(a, b kept) int { return int(int64(b.Seq) - int64(a.Seq)) }
	if seq > 0 && len(found) > n {
		slices.SortFunc(found, func(a, b kept) int {
			if a.Passed != b.Passed {
				if b.Passed {
					return -1
				}
				return 1
			}
			return newest(a, b)
		})
		found = found[:n]
	}
	slices.SortFunc(found, newest)
	return found[:min(n, len(found))]
}

// known returns a copy of what is known of the metrics, the number of results kept,
// and the last one's number.
func (f *feed) known() (metrics map[metricKey]about, size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	metrics = make(map[metricKey]about, len(f.metrics))
	for key, a := range f.metrics {
		c := *a
		c.labels = maps.Clone(a.labels)
		metrics[key] = c
	}
	return metrics, f.size
}

func (f *feed) last() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seq
}
