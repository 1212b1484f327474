package calibrate

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
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
}

// read calls use for each sample of a metric that is asked, its label spelt as
// the metric does, until that returns false.
func (r *run) read(use func(*question, *samples.Sample) bool, ignore func(metric string)) error {
	stream, err := r.cfg.Source()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSamples, err)
	}
	for s, err := range stream {
		if err != nil {
			return fmt.Errorf("%w: %w", ErrSamples, err)
		}
		q := r.questions[s.Metric]
		if q == nil {
			ignore(s.Metric)
			continue
		}
		label, ok := q.label(s.Label)
		if !ok {
			return fmt.Errorf("%w: sample %q: label %q is none of %s (%s)",
				ErrSamples, s.ID, s.Label, s.Metric, strings.Join(q.classes, ", "))
		}
		s.Label = label
		if !use(q, &s) {
			return nil
		}
	}
	return nil
}

func (r *run) takeCensus() error {
	r.census.ignored = map[string]int{}
	return r.read(func(*question, *samples.Sample) bool {
		r.census.all++
		r.census.eligible++
		return true
	}, func(metric string) {
		r.census.all++
		r.census.ignored[metric]++
	})
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
