package calibrate

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/calibrate/samples"
	"github.com/genaievals/genaievals/internal/render"
)

// ErrSamples is wrapped by the errors of [Run] that the samples are to blame
// for. Nothing has been evaluated then.
var ErrSamples = errors.New("the samples cannot be used")

// Source begins the stream of the samples. It is called first to count and check
// them all, and then once for each metric that has any, side by side. It gives
// the same ones each time.
type Source func() (iter.Seq2[samples.Sample, error], error)

// census is what the first reading of the samples found.
type census struct {
	all, eligible int
	// of counts the eligible ones of each metric.
	of map[string]int
	// leftOut counts rows that their format leaves out, by reason.
	leftOut map[string]int
	// ignored counts samples of metrics that are not asked.
	ignored map[string]int
	// unusable counts rows that are no sample, or whose label is none of the
	// metric's; examples are the first texts about them.
	unusable int
	examples []string
	tell     func(why string)
}

// read calls use for each sample of a metric that is asked, its label spelt as
// the metric does, until that returns false. The rest goes to the census, if
// there is one.
func (r *run) read(use func(*question, *samples.Sample) bool, c *census) error {
	stream, err := r.cfg.Source()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSamples, err)
	}
	for s, err := range stream {
		var row *samples.RowError
		var out *samples.LeftOutError
		switch {
		case errors.As(err, &out):
			c.onPurpose(out.Reason)
			continue
		case errors.As(err, &row):
			c.refuse(err.Error())
			continue
		case err != nil:
			return fmt.Errorf("%w: %w", ErrSamples, err)
		}
		q := r.questions[s.Metric]
		if q == nil {
			c.ignore(s.Metric)
			continue
		}
		label, ok := q.label(s.Label)
		if !ok {
			c.refuse(fmt.Sprintf("sample %q: label %q is none of %s (%s)", s.ID, s.Label, s.Metric, strings.Join(q.classes, ", ")))
			continue
		}
		s.Label = label
		if !use(q, &s) {
			return nil
		}
	}
	return nil
}

func (c *census) ignore(metric string) {
	if c != nil {
		c.all++
		countFew(&c.ignored, metric)
	}
}

func (c *census) onPurpose(reason string) {
	if c != nil {
		countFew(&c.leftOut, reason)
	}
}

// countFew counts by name, of so many names that a file cannot fill the report
// with them.
func countFew(by *map[string]int, name string) {
	const most = 32
	name = render.Clip(name, maxCause)
	if (*by)[name] == 0 && len(*by) >= most {
		name = "others"
	}
	count(by, name)
}

func (c *census) refuse(why string) {
	if c == nil {
		return
	}
	const most = 100
	c.all++
	c.unusable++
	if len(c.examples) == most {
		return
	}
	why = render.Clip(why, maxCause)
	c.examples = append(c.examples, why)
	if c.tell != nil {
		c.tell(why)
	}
}

func (r *run) takeCensus() error {
	c := &census{ignored: map[string]int{}, of: map[string]int{}, tell: r.cfg.Unusable}
	err := r.read(func(q *question, _ *samples.Sample) bool {
		c.all++
		c.eligible++
		c.of[q.Name]++
		return true
	}, c)
	switch {
	case err != nil:
	case c.eligible == 0:
		err = fmt.Errorf("%w: %s", ErrSamples, c.none())
	case r.cfg.WantsAll && len(c.ignored) > 0:
		err = fmt.Errorf("%w: of all metrics something is wanted, and there are samples of metrics that are not asked: %s",
			ErrSamples, strings.Join(slices.Sorted(maps.Keys(c.ignored)), ", "))
	}
	r.census = *c
	return err
}

// none says why there is no sample to evaluate.
func (c *census) none() string {
	switch {
	case c.all == 0:
		return "there are none"
	case c.unusable > 0:
		return fmt.Sprintf("none of %d is of a metric that is asked and can be read; the first: %s", c.all, c.examples[0])
	}
	return fmt.Sprintf("none of %d is of a metric that is asked, but of %s", c.all, strings.Join(slices.Sorted(maps.Keys(c.ignored)), ", "))
}

// selected is how many samples will be evaluated.
func (r *run) selected() int {
	if r.cfg.Limit > 0 {
		return min(r.cfg.Limit, r.census.eligible)
	}
	return r.census.eligible
}

// selection draws n of so many, each set of them equally likely, in one pass and
// without remembering any (Knuth, volume 2, algorithm 3.4.2S).
type selection struct {
	random      *rand.Rand
	left, wants int
}

func newSelection(of, n int, seed uint64) *selection {
	return &selection{random: rand.New(rand.NewPCG(seed, 0)), left: of, wants: n} //nolint:gosec // a sample, no secret
}

// takes reports whether the next one is drawn.
func (s *selection) takes() bool {
	take := s.left > 0 && s.random.IntN(s.left) < s.wants
	s.left--
	if take {
		s.wants--
	}
	return take
}
