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
)

// ErrSamples is wrapped by the errors of [Run] that the samples are to blame
// for. Nothing has been evaluated then.
var ErrSamples = errors.New("the samples cannot be used")

// Source begins the stream of the samples. It is called twice, first to count
// and check them all, and gives the same ones each time.
type Source func() (iter.Seq2[samples.Sample, error], error)

// census is what the first reading of the samples found.
type census struct {
	all, eligible int
	// ignored counts samples of metrics that are not asked.
	ignored map[string]int
	// unusable counts rows that are no sample, or whose label is none of the
	// metric's; examples are the first texts about them.
	unusable int
	examples []string
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
		switch {
		case errors.As(err, &row):
			c.leaveOut(err.Error())
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
			c.leaveOut(fmt.Sprintf("sample %q: label %q is none of %s (%s)", s.ID, s.Label, s.Metric, strings.Join(q.classes, ", ")))
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
	if c == nil {
		return
	}
	const most = 32 // a file must not fill the report with names
	if c.ignored[metric] == 0 && len(c.ignored) == most {
		metric = "others"
	}
	c.all++
	c.ignored[metric]++
}

func (c *census) leaveOut(why string) {
	if c == nil {
		return
	}
	const most = 3
	c.all++
	c.unusable++
	if len(c.examples) < most {
		c.examples = append(c.examples, clip(why, maxCause))
	}
}

func (r *run) takeCensus() error {
	c := &census{ignored: map[string]int{}}
	err := r.read(func(*question, *samples.Sample) bool {
		c.all++
		c.eligible++
		return true
	}, c)
	if err == nil && c.eligible == 0 {
		err = fmt.Errorf("%w: %s", ErrSamples, c.none())
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
