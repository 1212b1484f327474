package manager

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/emit"
	"github.com/genaievals/genaievals/internal/safelog"
	"github.com/genaievals/genaievals/limit"
	"go.opentelemetry.io/otel/metric"
)

// QueuePolicy says which invocation goes when a lane's queue is full.
type QueuePolicy uint8

// The policies.
const (
	DropNewest QueuePolicy = iota // the one that was offered
	DropOldest                    // those that have waited longest
)

// String returns the policy's name in the configuration.
func (p QueuePolicy) String() string {
	if p == DropOldest {
		return "drop_oldest"
	}
	return "drop_newest"
}

// Sampler decides at the door whether an invocation is evaluated. It runs on
// the application's goroutine and must return at once; a panic counts as no.
type Sampler func(inv *instrumentation.Invocation) bool

// Redactor changes a case before any evaluator sees it. It owns the case for
// the time of the call and may replace its fields. A panic fails every metric
// of the case, and so does a call that takes longer than Timeout: nothing leaves
// unredacted.
type Redactor func(c *evaluators.Case)

// ResultHandler receives each batch of results after it was handed to
// OpenTelemetry: a group's, or with Aggregate a lane's share of an invocation.
// It runs on the lane's goroutines, several at a time in concurrent mode and
// beside EvaluateNow; a slow one holds a worker. It may call EvaluateNow, but
// neither Flush nor Shutdown, which would wait for it. A panic is contained and counted, and the other
// handlers still run. It must not modify the results.
type ResultHandler func(inv *instrumentation.Invocation, results []evaluators.Result)

// Drop tells which invocation a lane gave up and why.
type Drop struct {
	Lane       string
	Reason     string // one of the Drop constants
	Invocation *instrumentation.Invocation
}

// DropHandler is told of every drop, on the goroutine on which it happened:
// the application's, a worker's or a timer's. It must return at once. A panic is
// contained and counted.
type DropHandler func(Drop)

// Config configures a [Manager]. Zero fields take the defaults that they name.
type Config struct {
	// Name tells managers of one process apart in telemetry. Defaults to a
	// name made up from a count.
	Name string
	// Assignments say which evaluator asks which metrics of which kinds.
	Assignments []evaluators.Assignment
	// Gates are limits for evaluators that have none of their own, by
	// evaluator name: every Evaluate passes its gate once.
	Gates map[string]*limit.Gate
	// Emitter takes the results to OpenTelemetry. Nil emits nothing: results
	// reach the result handlers only.
	Emitter *emit.Emitter
	// Meter reports the manager's own counters; nil reports none.
	Meter metric.Meter

	// Concurrent gives each evaluator a lane with Workers workers, and runs the
	// metrics of an invocation side by side. Otherwise there is one lane, one
	// worker, and one metric at a time.
	Concurrent bool
	// Workers of a lane, 1 to 1024. Defaults to 4.
	Workers int
	// WorkersMax, if more than Workers, lets a lane grow: one more worker starts
	// while tasks wait and all are busy, unless a limit keeps them waiting, and
	// those that nothing needed for 10 s leave. At most 1024. Defaults to Workers.
	WorkersMax int
	// MaxInFlight is how many evaluations the manager runs at once, those of
	// EvaluateNow included; a group of metrics that one call answers is one.
	// Free slots go round the lanes in turn. One that ignores its deadline and
	// was left has no slot any more. 0 is no limit.
	MaxInFlight int
	// MaxConcurrent is how many metrics of one invocation run side by side in a
	// lane. Defaults to 10.
	MaxConcurrent int
	// Throttle is the time between the starts of two metrics of one invocation
	// in a lane. Defaults to none.
	Throttle time.Duration
	// Timeout bounds one metric from when a worker takes it. Defaults to 60 s.
	Timeout time.Duration

	// QueueSize is the most invocations that wait in a lane; 0 is no limit by
	// count.
	QueueSize int
	// QueueBytes is the most bytes that wait in a lane; at least 1 MiB.
	// Defaults to 64 MiB.
	QueueBytes int64
	// QueuePolicy says who goes when the queue is full. Defaults to DropNewest.
	QueuePolicy QueuePolicy
	// MaxAge is the longest wait in a queue. Defaults to 10 minutes.
	MaxAge time.Duration
	// PriorityRules give priorities to invocations for which the application
	// gave none; the first that matches counts. High, normal and low own eight,
	// three and one of twelve parts of each lane's queue, by count and bytes.
	// What one leaves free the others borrow, and what was borrowed is evicted,
	// the oldest first, when it is needed. Service is in the same shares.
	PriorityRules []PriorityRule
	// DuplicateMemory says what each lane remembers in order not to evaluate an
	// invocation twice. Only those with a valid span context can be told.
	DuplicateMemory DuplicateMemory

	// SampleRate is the fraction evaluated, from 0 to 1; nil is all.
	SampleRate *float64
	// Sampler, if set, decides instead of SampleRate. The metrics' own sample
	// rates still apply.
	Sampler Sampler
	// Unsampled also evaluates invocations whose valid span was not sampled.
	Unsampled bool

	// Aggregate publishes a lane's results for an invocation together, once.
	Aggregate bool
	// WithoutBaggage keeps the invocation's baggage out of the context that
	// evaluators see.
	WithoutBaggage bool
	Redactor       Redactor
	ResultHandlers []ResultHandler
	DropHandlers   []DropHandler
	// ShutdownTimeout is the drain time of a Shutdown whose context has no
	// deadline. Defaults to 5 s.
	ShutdownTimeout time.Duration
	// Logger takes warnings. Defaults to slog.Default. What its handler panics
	// about is not said.
	Logger *slog.Logger
}

// Limits of the configuration.
const (
	MaxWorkers    = 1024
	MinQueueBytes = 1 << 20

	defaultWorkers         = 4
	defaultMaxConcurrent   = 10
	defaultTimeout         = 60 * time.Second
	defaultQueueBytes      = 64 << 20
	defaultMaxAge          = 10 * time.Minute
	defaultShutdownTimeout = 5 * time.Second
	defaultDuplicateSize   = 100_000
	defaultDuplicateAge    = time.Hour
)

// withDefaults returns the configuration with its zero fields filled in, and
// what is wrong with it, named by field.
func (c Config) withDefaults() (Config, error) {
	var errs []error
	refuse := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	c.Workers = orDefault(c.Workers, defaultWorkers)
	refuse(c.Workers > 0 && c.Workers <= MaxWorkers, "Workers is %d, want 1 to %d", c.Workers, MaxWorkers)
	c.WorkersMax = orDefault(c.WorkersMax, c.Workers)
	refuse(c.WorkersMax >= c.Workers && c.WorkersMax <= MaxWorkers, "WorkersMax is %d, want Workers, %d, to %d", c.WorkersMax, c.Workers, MaxWorkers)
	refuse(c.MaxInFlight >= 0, "MaxInFlight is %d, want at least 0", c.MaxInFlight)
	c.MaxConcurrent = orDefault(c.MaxConcurrent, defaultMaxConcurrent)
	refuse(c.MaxConcurrent > 0, "MaxConcurrent is %d, want at least 1", c.MaxConcurrent)
	refuse(c.Throttle >= 0, "Throttle is %v, want at least 0", c.Throttle)
	c.Timeout = orDefault(c.Timeout, defaultTimeout)
	refuse(c.Timeout > 0, "Timeout is %v, want more than 0", c.Timeout)
	refuse(c.QueueSize >= 0, "QueueSize is %d, want at least 0", c.QueueSize)
	c.QueueBytes = orDefault(c.QueueBytes, defaultQueueBytes)
	refuse(c.QueueBytes >= MinQueueBytes, "QueueBytes is %d, want at least %d", c.QueueBytes, MinQueueBytes)
	c.MaxAge = orDefault(c.MaxAge, defaultMaxAge)
	refuse(c.MaxAge > 0, "MaxAge is %v, want more than 0", c.MaxAge)
	c.DuplicateMemory.Size = orDefault(c.DuplicateMemory.Size, defaultDuplicateSize)
	c.DuplicateMemory.Age = orDefault(c.DuplicateMemory.Age, defaultDuplicateAge)
	refuse(c.DuplicateMemory.Age > 0, "DuplicateMemory.Age is %v, want more than 0", c.DuplicateMemory.Age)
	for i, r := range c.PriorityRules {
		refuse(r.Priority.Valid(), "PriorityRules[%d].Priority is %d, want PriorityHigh, PriorityNormal or PriorityLow", i, r.Priority)
		for _, kind := range r.Kinds {
			refuse(kind.String() != "", "PriorityRules[%d].Kinds has %d, which is no kind", i, kind)
		}
	}
	c.PriorityRules = slices.Clone(c.PriorityRules)
	c.ShutdownTimeout = orDefault(c.ShutdownTimeout, defaultShutdownTimeout)
	refuse(c.ShutdownTimeout > 0, "ShutdownTimeout is %v, want more than 0", c.ShutdownTimeout)
	if r := c.SampleRate; r != nil {
		refuse(*r >= 0 && *r <= 1, "SampleRate is %v, want 0 to 1", *r)
	}
	c.Logger = safelog.New(c.Logger)
	if !c.Concurrent {
		c.Workers, c.WorkersMax, c.MaxConcurrent = 1, 1, 1
	}
	return c, errors.Join(errs...)
}

func orDefault[T comparable](value, dflt T) T {
	var zero T
	if value == zero {
		return dflt
	}
	return value
}
