package encoder

import (
	"errors"
	"fmt"
)

// Option configures an [Encoder].
type Option interface{ apply(config) config }

type config struct{ share float64 }

type optionFunc func(config) config

func (f optionFunc) apply(c config) config { return f(c) }

// ErrShare is what [New] returns for a share that is not above 0 and at most 1.
var ErrShare = errors.New("encoder: a share of a core is above 0 and at most 1")

// WithShare sets how much of one core the encoder uses, above 0 and at most 1:
// after computing it rests until its computing is no more than this share of
// the time. Up to 200 ms are computed without a rest when there was none to do
// before. Time is that of the clock, so on a machine that is busy it rests
// longer. The default is [DefaultShare].
func WithShare(share float64) Option {
	return optionFunc(func(c config) config { c.share = share; return c })
}

func (c config) validate() error {
	if !(c.share > 0 && c.share <= 1) { // not a number is neither
		return fmt.Errorf("%w: %v", ErrShare, c.share)
	}
	return nil
}
