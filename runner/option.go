package runner

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/genaievals/genaievals/limit"
)

// Defaults of the options.
const (
	DefaultConcurrency = 32
	DefaultWindowItems = 4096
	DefaultWindowBytes = 64 << 20
)

// Errors of a run.
var (
	// ErrOption is wrapped by the error of [Start] for an option out of range.
	ErrOption = errors.New("runner: bad option")
	// ErrNoMetrics is that of Start when the evaluators have nothing to ask.
	ErrNoMetrics = errors.New("runner: no evaluator has a metric to ask")
	// ErrJournal is wrapped by the error of [Run.Wait] when the journal failed.
	ErrJournal = errors.New("runner: the journal failed")
	// ErrStuck is wrapped when too many evaluations or tasks ignored the end of
	// their time.
	ErrStuck = errors.New("runner: too many evaluations ignore the end of their time")
	// ErrRunTimeout is wrapped when the time of [WithRunTimeout] was over.
	ErrRunTimeout = errors.New("runner: the run's time was over")
	// ErrStopped is the cause where [Run.Stop], or breaking out of [Results],
	// ended a run.
	ErrStopped = errors.New("runner: stopped")
	// ErrHandler is wrapped when a function of [WithOnResult] or [WithOnRecord],
	// the dataset, or the journal panicked.
	ErrHandler = errors.New("runner: a function of the caller's panicked")
)

// Option is a setting of a run.
type Option interface{ apply(*config) error }

type option func(*config) error

func (o option) apply(c *config) error { return o(c) }

type config struct {
	name                     string
	total                    int64
	concurrency              int
	windowItems              int
	windowBytes              int64
	itemTimeout, runTimeout  time.Duration
	task                     Task
	taskConcurrency          int
	taskGate                 *limit.Gate
	journal                  Journal
	ordered, strict, content bool
	progress                 func(Progress)
	onResult                 func(ItemResult)
	onRecord                 func(*Record)
}

func newConfig(options []Option) (config, error) {
	c := config{
		concurrency: DefaultConcurrency, taskConcurrency: DefaultConcurrency,
		windowItems: DefaultWindowItems, windowBytes: DefaultWindowBytes,
	}
	var errs []error
	for _, o := range options {
		if o != nil {
			errs = append(errs, o.apply(&c))
		}
	}
	return c, errors.Join(errs...)
}

func set(f func(*config)) Option {
	return option(func(c *config) error { f(c); return nil })
}

// within sets a number that must be from least to most.
func within[T int | int64 | time.Duration](name string, v, least, most T, f func(*config)) Option {
	return option(func(c *config) error {
		if v < least || v > most {
			return fmt.Errorf("%w: %s(%v) is not in %v…%v", ErrOption, name, v, least, most)
		}
		f(c)
		return nil
	})
}

const (
	maxConcurrency = 4096
	maxWindow      = 1 << 24
	maxBytes       = 1 << 40
	maxTime        = 365 * 24 * time.Hour
)

// WithName names the run in [Progress] and [Status]. Default: none.
func WithName(name string) Option { return set(func(c *config) { c.name = name }) }

// WithTotal says how many items there are, for the time that is left. Default 0:
// not known until the dataset ends.
func WithTotal(n int64) Option {
	return within("WithTotal", n, 0, 1<<62, func(c *config) { c.total = n })
}

// WithConcurrency sets how many evaluations each LLM judge has under way at once,
// from 1 to 4096; those that wait for the judge's limit count. An item whose
// metrics one call answers is one evaluation. Default 32. A deterministic
// evaluator always has GOMAXPROCS.
func WithConcurrency(n int) Option {
	return within("WithConcurrency", n, 1, maxConcurrency, func(c *config) { c.concurrency = n })
}

// WithWindow bounds the items that were read and are not done, by number and by
// size: the text of an item and of the results that it has so far, and about 500
// bytes, and 300 a result. It is how far the fastest evaluator can be ahead of the
// slowest; no more is read than evaluators have use for soon. An item larger than
// bytes passes alone; results count once they are there, and so those of items that
// were read before, a few hundred at most, can be more than bytes.
// Default 4096 items and 64 MiB.
func WithWindow(items int, bytes int64) Option {
	return option(func(c *config) error {
		if items < 1 || items > maxWindow || bytes < 1 || bytes > maxBytes {
			return fmt.Errorf("%w: WithWindow(%d, %d) is not in 1…%d and 1…%d", ErrOption, items, bytes, maxWindow, int64(maxBytes))
		}
		c.windowItems, c.windowBytes = items, bytes
		return nil
	})
}

// WithItemTimeout bounds the time for which an item is worked on, by the task or
// by at least one evaluator: waiting in a lane and for limits is left out. What is
// under way then fails as at its own timeout; metrics that were not asked by then are
// failed(item_timeout). Default 0: no bound but the metrics'.
func WithItemTimeout(d time.Duration) Option {
	return within("WithItemTimeout", d, 0, maxTime, func(c *config) { c.itemTimeout = d })
}

// WithRunTimeout ends the run after that time, with what there is: an error that
// wraps [ErrRunTimeout]. Default 0: none.
func WithRunTimeout(d time.Duration) Option {
	return within("WithRunTimeout", d, 0, maxTime, func(c *config) { c.runTimeout = d })
}

// WithTask calls t first to produce each item's output, which takes the place of
// the one in the dataset. It is not called again for an item whose output the
// journal has.
func WithTask(t Task) Option { return set(func(c *config) { c.task = t }) }

// WithTaskConcurrency sets how many tasks run at once, from 1 to 4096. Default 32.
func WithTaskConcurrency(n int) Option {
	return within("WithTaskConcurrency", n, 1, maxConcurrency, func(c *config) { c.taskConcurrency = n })
}

// WithTaskGate sets the limit of the task: each call acquires a permit first,
// and waits for it until the run ends. Default: none.
func WithTaskGate(g *limit.Gate) Option { return set(func(c *config) { c.taskGate = g }) }

// WithJournal keeps the results in j, and asks nothing that j has already. The
// run does not close it.
func WithJournal(j Journal) Option { return set(func(c *config) { c.journal = j }) }

// WithOrdered hands results on in the order of the dataset instead of as they
// come. An item that is done then waits, within the window, for those before it.
func WithOrdered(on bool) Option { return set(func(c *config) { c.ordered = on }) }

// WithStrict ends the run at the first item that cannot be read, has an id that
// was there before, or names an evaluator that there is not; the error is, or
// wraps, an [*ItemError].
func WithStrict(on bool) Option { return set(func(c *config) { c.strict = on }) }

// WithProgress has f called after items are done, and at the end, one call at a
// time on a goroutine of its own. While a call lasts nothing waits for it: the
// next gets the latest state; the end of the run waits 10 s for it, 1 s where the
// context or the run's deadline has ended, and then leaves it. A panic is contained,
// and f not called again.
func WithProgress(f func(Progress)) Option { return set(func(c *config) { c.progress = f }) }

// WithOnResult has f called with each item that is done, one call at a time: in
// order with [WithOrdered], else as they come. A slow one holds the run up. A
// panic ends the run. It must neither modify the results nor wait for the run.
func WithOnResult(f func(ItemResult)) Option { return set(func(c *config) { c.onResult = f }) }

// WithOnRecord has f called with each record, after the journal has it, one call
// at a time on the goroutine that writes the journal. A slow one holds the run
// up. A panic ends the run. It must not modify the record.
func WithOnRecord(f func(*Record)) Option { return set(func(c *config) { c.onRecord = f }) }

// WithContent keeps input and output in records. Default: neither, but for an
// output that a task produced when there is a journal.
func WithContent(on bool) Option { return set(func(c *config) { c.content = on }) }

// deterministicWorkers is how many evaluations a deterministic evaluator has
// under way at once.
func deterministicWorkers() int { return runtime.GOMAXPROCS(0) }
