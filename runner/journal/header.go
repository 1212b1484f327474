package journal

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
)

// Version is that of the format that this package writes. A file of a later one
// is refused.
const Version = 1

// Header is the first line of a journal: what was asked of which evaluators.
type Header struct {
	// Version of the format; 0 is written as [Version].
	Version int
	// Run and Dataset are names for people. A run that is resumed may have others.
	Run, Dataset string
	// Started is when the run began, the first time.
	Started time.Time
	// Total is the number of items, 0 where it is not known.
	Total int64
	// Evaluators in the order of the run.
	Evaluators []Evaluator
	// Content says that inputs and outputs are in the records.
	Content bool
}

// Evaluator is one that is asked, with its metrics.
type Evaluator struct {
	Name, Version, Type string
	// Model is asked by a judge where a metric names no other, empty if unknown.
	Model   string
	Metrics []Metric
}

// Metric is one that is asked, with all that its scores depend on.
type Metric struct {
	Name      string
	Direction evaluators.Direction
	Threshold float64
	Labels    []string
	// Judge and Model are those that the metric names, empty for the evaluator's.
	Judge, Model string
	// Fingerprint is a hash of the options that the metric itself announced; empty
	// without any.
	Fingerprint string
}

// HeaderOf describes evaluators, with each metric once: an evaluator that has it
// for several kinds of invocations has it here as for the first, inference before
// agent before workflow. Run, Dataset, Started, Total and Content are the caller's
// to fill in.
func HeaderOf(evals runner.Evaluators) Header {
	h := Header{Version: Version}
	if evals == nil {
		return h
	}
	for _, a := range evals.Assignments() {
		e := Evaluator{Name: a.Evaluator.Name(), Version: a.Evaluator.Version(), Type: a.Evaluator.Type()}
		if m, ok := a.Evaluator.(interface{ Model() string }); ok {
			e.Model = m.Model()
		}
		for kind := range instrumentation.Kind(instrumentation.Kinds) {
			for _, m := range a.Metrics[kind] {
				if !slices.ContainsFunc(e.Metrics, func(o Metric) bool { return o.Name == m.Name }) {
					e.Metrics = append(e.Metrics, metricOf(m))
				}
			}
		}
		h.Evaluators = append(h.Evaluators, e)
	}
	return h
}

func metricOf(m evaluators.Metric) Metric {
	return Metric{
		Name: m.Name, Direction: m.Direction, Threshold: m.Threshold, Labels: slices.Clone(m.Labels),
		Judge: m.Judge, Model: m.Model, Fingerprint: fingerprint(m.Params),
	}
}

func fingerprint(params map[string]string) string {
	if len(params) == 0 {
		return ""
	}
	hash := fnv.New64a()
	for _, name := range slices.Sorted(maps.Keys(params)) {
		fmt.Fprintf(hash, "%q=%q;", name, params[name])
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// Metric returns what the header says of a metric; ok is false where it does not
// have it.
func (h *Header) Metric(evaluator, metric string) (m Metric, ok bool) {
	for _, e := range h.Evaluators {
		if e.Name != evaluator {
			continue
		}
		for _, m := range e.Metrics {
			if m.Name == metric {
				return m, true
			}
		}
	}
	return Metric{}, false
}

// End is the last line of a journal: the run is over.
type End struct {
	Ended time.Time
	// Incomplete says why not all items were evaluated; empty: they were.
	Incomplete string
	// Items are those of the dataset that were read, Failed those of them that
	// failed as a whole or have a failed metric.
	Items, Failed int64
	// Orphans are items that the journal has of an earlier run and that the dataset
	// does not have any more; [Journal.Finish] counts them. Their results stay.
	Orphans int64
}

// Types of lines.
const (
	typeRun     = "run"
	typeResults = "results"
	typeItem    = "item"
	typeEnd     = "end"
)

// headerLine and endLine are how header and end are written.
type headerLine struct {
	Type       string          `json:"type"`
	Version    int             `json:"version"`
	Run        string          `json:"run,omitempty"`
	Dataset    string          `json:"dataset,omitempty"`
	Started    time.Time       `json:"started,omitzero"`
	Total      int64           `json:"total,omitempty"`
	Content    bool            `json:"content,omitempty"`
	Evaluators []evaluatorLine `json:"evaluators"`
}

type evaluatorLine struct {
	Name    string       `json:"name"`
	Version string       `json:"version,omitempty"`
	Type    string       `json:"type,omitempty"`
	Model   string       `json:"model,omitempty"`
	Metrics []metricLine `json:"metrics"`
}

type metricLine struct {
	Name        string   `json:"name"`
	Direction   string   `json:"direction"`
	Threshold   float64  `json:"threshold"`
	Labels      []string `json:"labels,omitempty"`
	Judge       string   `json:"judge,omitempty"`
	Model       string   `json:"model,omitempty"`
	Fingerprint string   `json:"fingerprint,omitempty"`
}

type endLine struct {
	Type       string    `json:"type"`
	Ended      time.Time `json:"ended,omitzero"`
	Incomplete string    `json:"incomplete,omitempty"`
	Items      int64     `json:"items"`
	Failed     int64     `json:"failed"`
	Orphans    int64     `json:"orphans,omitempty"`
}

func (h *Header) line() ([]byte, error) {
	l := headerLine{
		Type: typeRun, Version: Version, Run: h.Run, Dataset: h.Dataset, Started: h.Started,
		Total: h.Total, Content: h.Content, Evaluators: []evaluatorLine{},
	}
	for _, e := range h.Evaluators {
		el := evaluatorLine{Name: e.Name, Version: e.Version, Type: e.Type, Model: e.Model, Metrics: []metricLine{}}
		for _, m := range e.Metrics {
			el.Metrics = append(el.Metrics, metricLine{
				Name: m.Name, Direction: m.Direction.String(), Threshold: m.Threshold, Labels: m.Labels,
				Judge: m.Judge, Model: m.Model, Fingerprint: m.Fingerprint,
			})
		}
		l.Evaluators = append(l.Evaluators, el)
	}
	return encoded(l)
}

func (e End) line() ([]byte, error) {
	return encoded(endLine{Type: typeEnd, Ended: e.Ended, Incomplete: e.Incomplete, Items: e.Items, Failed: e.Failed, Orphans: e.Orphans})
}

func encoded(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write a line of the journal: %w", err)
	}
	return append(b, '\n'), nil
}

// headerOf reads the first line.
func headerOf(line []byte) (Header, error) {
	var l headerLine
	if err := json.Unmarshal(line, &l); err != nil || l.Type != typeRun {
		return Header{}, fmt.Errorf("%w: its first line is not one of type %s", ErrNotJournal, typeRun)
	}
	if l.Version < 1 || l.Version > Version {
		return Header{}, fmt.Errorf("%w that is read here: its format is of version %d, expected at most %d", ErrNotJournal, l.Version, Version)
	}
	h := Header{Version: l.Version, Run: l.Run, Dataset: l.Dataset, Started: l.Started, Total: l.Total, Content: l.Content}
	for _, el := range l.Evaluators {
		e := Evaluator{Name: el.Name, Version: el.Version, Type: el.Type, Model: el.Model}
		for _, ml := range el.Metrics {
			m := Metric{
				Name: ml.Name, Threshold: ml.Threshold, Labels: ml.Labels,
				Judge: ml.Judge, Model: ml.Model, Fingerprint: ml.Fingerprint,
			}
			if ml.Direction == evaluators.LowerIsBetter.String() {
				m.Direction = evaluators.LowerIsBetter
			}
			e.Metrics = append(e.Metrics, m)
		}
		h.Evaluators = append(h.Evaluators, e)
	}
	return h, nil
}

func endOf(line []byte) (End, error) {
	var l endLine
	if err := json.Unmarshal(line, &l); err != nil {
		return End{}, err
	}
	return End{Ended: l.Ended, Incomplete: l.Incomplete, Items: l.Items, Failed: l.Failed, Orphans: l.Orphans}, nil
}
