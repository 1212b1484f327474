package judge

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/genaievals/genaievals/limit"
)

// Defaults and bounds of an [Evaluator].
const (
	DefaultName = "judge"
	// DefaultTimeout bounds one call.
	DefaultTimeout = 60 * time.Second
	// DefaultMaxOutputTokens leaves room for a reasoning model's thoughts, which
	// count; other models need a tenth. It costs nothing unless used.
	DefaultMaxOutputTokens = 2048
	// MaxMaxOutputTokens is the most that an answer may be given.
	MaxMaxOutputTokens = 32768
	// DefaultMaxInputTokens leaves half of a context window of 65,536 tokens to
	// the prompt, the answer, and what the estimate of a token is off by.
	DefaultMaxInputTokens = 32768
	// MinMaxInputTokens and MaxMaxInputTokens bound what [WithMaxInputTokens]
	// takes.
	MinMaxInputTokens = 256
	MaxMaxInputTokens = 1 << 20
)

// Option configures an [Evaluator].
type Option interface{ apply(config) config }

type config struct {
	name            string
	gate            *limit.Gate
	model           string
	maxOutputTokens int
	maxInputTokens  int
	temperature     *float64
	timeout         time.Duration
	format          Format
	mode            Mode
	price           price
	rubrics         []Rubric
}

type optionFunc func(config) config

func (f optionFunc) apply(c config) config { return f(c) }

// WithName sets the name that the plan calls the evaluator by: lower case
// letters, digits and underscores. The default is judge.
func WithName(name string) Option {
	return optionFunc(func(c config) config { c.name = name; return c })
}

// WithGate sets the gate that every send passes, and that is told how each send
// went and what it used. Before a send its use is estimated: a token for each
// four bytes of the request, and the whole output budget. Without a gate, or
// with nil, nothing is limited. Evaluators that share an endpoint, a credential
// and a model should share a gate.
func WithGate(g *limit.Gate) Option {
	return optionFunc(func(c config) config { c.gate = g; return c })
}

// WithModel sets the model to ask. The default is the client's; a metric's own
// model beats both.
func WithModel(model string) Option {
	return optionFunc(func(c config) config { c.model = model; return c })
}

// WithMaxOutputTokens bounds an answer, from 16 to [MaxMaxOutputTokens]; the
// default is [DefaultMaxOutputTokens]. An answer that is cut by it is asked for
// once more with twice as much, at most MaxMaxOutputTokens, and fails with
// judge_truncated when cut again.
func WithMaxOutputTokens(n int) Option {
	return optionFunc(func(c config) config { c.maxOutputTokens = n; return c })
}

// WithMaxInputTokens bounds the evaluated text in a call, the prompt excluded,
// from [MinMaxInputTokens] to [MaxMaxInputTokens]; the default is
// [DefaultMaxInputTokens]. A token is taken for four bytes of the text as it is
// sent, JSON's escapes included: the judge's own count is not known before the
// call. What is longer is cut in the middle, the output last, and the result's
// InputCut says by how much. A judge that refuses the text as too long is asked
// once more with half of it.
func WithMaxInputTokens(n int) Option {
	return optionFunc(func(c config) config { c.maxInputTokens = n; return c })
}

// WithTemperature sets the sampling temperature, from 0 to 2. By default none
// is sent, because many models refuse any but their own; 0 makes verdicts more
// repeatable where it is accepted.
func WithTemperature(t float64) Option {
	return optionFunc(func(c config) config { c.temperature = &t; return c })
}

// WithTimeout bounds one call, waiting at the gate excluded; the default is
// [DefaultTimeout]. A call that it ends is made once more. The evaluation's own
// deadline bounds all of them.
func WithTimeout(d time.Duration) Option {
	return optionFunc(func(c config) config { c.timeout = d; return c })
}

// WithResponseFormat sets the format that is tried first; the default,
// [FormatStrictSchema], is the most reliable. What the judge does not take is
// learned from its refusals: the next format is tried, and remembered for that
// model. An earlier format is never tried, so that [FormatNone] sends none.
func WithResponseFormat(f Format) Option {
	return optionFunc(func(c config) config { c.format = f; return c })
}

// WithMode sets how many metrics of a case one call asks. The default is
// [ModePerMetric].
func WithMode(m Mode) Option {
	return optionFunc(func(c config) config { c.mode = m; return c })
}

// WithPrice sets what a million input tokens and a million output tokens cost,
// in US dollars, from 0 to a million. Results then have a cost, and a budget in
// money can be kept; without a price both know tokens only. Cached input counts
// in full.
func WithPrice(inputPerMillion, outputPerMillion float64) Option {
	return optionFunc(func(c config) config {
		c.price = price{inputPerMillion, outputPerMillion, true}
		return c
	})
}

var evaluatorName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func newConfig(opts []Option) (config, error) {
	c := config{
		name:            DefaultName,
		maxOutputTokens: DefaultMaxOutputTokens,
		maxInputTokens:  DefaultMaxInputTokens,
		timeout:         DefaultTimeout,
	}
	for _, o := range opts {
		c = o.apply(c)
	}
	var errs []error
	if !evaluatorName.MatchString(c.name) {
		errs = append(errs, fmt.Errorf("judge: name %q must be lower case letters, digits and underscores", c.name))
	}
	if c.maxOutputTokens < 16 || c.maxOutputTokens > MaxMaxOutputTokens {
		errs = append(errs, fmt.Errorf("judge: %d output tokens are not in 16…%d", c.maxOutputTokens, MaxMaxOutputTokens))
	}
	if c.maxInputTokens < MinMaxInputTokens || c.maxInputTokens > MaxMaxInputTokens {
		errs = append(errs, fmt.Errorf("judge: %d input tokens are not in %d…%d", c.maxInputTokens, MinMaxInputTokens, MaxMaxInputTokens))
	}
	if t := c.temperature; t != nil && (!(*t >= 0) || *t > 2) { // NaN too
		errs = append(errs, fmt.Errorf("judge: temperature %v is not in 0…2", *t))
	}
	if c.timeout <= 0 {
		errs = append(errs, fmt.Errorf("judge: timeout %v is not positive", c.timeout))
	}
	if c.format > FormatNone {
		errs = append(errs, fmt.Errorf("judge: unknown response format %d", c.format))
	}
	if c.mode > ModeCombined {
		errs = append(errs, fmt.Errorf("judge: unknown mode %d", c.mode))
	}
	if !c.price.valid() {
		errs = append(errs, fmt.Errorf("judge: prices %v and %v are not in 0…%v", c.price.input, c.price.output, maxPrice))
	}
	return c, errors.Join(errs...)
}
