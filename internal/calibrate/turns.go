package calibrate

import (
	"iter"

	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// inTurn yields the samples that are drawn, one of each metric after the other,
// so that a run which is interrupted has figures for all of them. Each metric's
// are read in a stream of its own: nothing is kept. An error is the last thing.
func (r *run) inTurn() iter.Seq2[*job, error] {
	return func(yield func(*job, error) bool) {
		type stream struct {
			next func() (*job, error, bool)
			stop func()
		}
		var streams []stream
		for _, m := range r.cfg.Metrics {
			if r.census.of[m.Name] > 0 {
				next, stop := iter.Pull2(r.drawn(m.Name))
				defer stop() //nolint:gocritic // a stream for each metric, all to the end
				streams = append(streams, stream{next, stop})
			}
		}
		for len(streams) > 0 {
			left := streams[:0]
			for _, s := range streams {
				j, err, ok := s.next()
				if !ok {
					s.stop()
					continue
				}
				if !yield(j, err) || err != nil {
					return
				}
				left = append(left, s)
			}
			streams = left
		}
	}
}

// drawn yields the samples of one metric that are drawn. All metrics' streams
// draw alike, and number the samples in the order of the source.
func (r *run) drawn(metric string) iter.Seq2[*job, error] {
	return func(yield func(*job, error) bool) {
		draw := newSelection(r.census.eligible, r.progress.Total, r.cfg.Seed)
		index := -1
		err := r.read(func(q *question, s *samples.Sample) bool {
			if !draw.takes() {
				return true
			}
			if index++; q.Name != metric {
				return true
			}
			return yield(&job{index, q, *s}, nil)
		}, nil)
		if err != nil {
			yield(nil, err)
		}
	}
}
