package calibrate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/limit"
)

// Defaults of [Config].
const (
	DefaultConcurrency = 4
	DefaultTimeout     = 60 * time.Second
	DefaultWorst       = 5
)

// Reasons why a run ended early.
var (
	// ErrNothingScored: everything failed from the start, or the judge says that
	// it never will answer.
	ErrNothingScored = errors.New("nothing can be scored")
	// ErrStuck: too many evaluations ignored their deadlines.
	ErrStuck = errors.New("the evaluator ignores its deadlines")
)

// Config says what is calibrated. Evaluator, Metrics and Source must be set.
type Config struct {
	Evaluator evaluators.Evaluator
	// Metrics are asked; samples of others are counted and left out.
	Metrics []evaluators.Metric
	// Gate keeps the limits of an evaluator that passes none of its own.
	Gate   *limit.Gate
	Source Source
	// Together are the metrics that the application has asked of a case. An
	// evaluator that answers several in one call is asked those of them that apply
	// with each sample's own, of which alone the result is kept.
	Together []evaluators.Metric
	// WantsAll makes it an error that there are samples of other metrics.
	WantsAll bool
	// Concurrency is how many samples are evaluated at once, Timeout how long
	// each may take once its gate has let it in, unless the metric says otherwise.
	Concurrency int
	Timeout     time.Duration
	// Limit is the most samples, drawn by Seed; 0 is all of them.
	Limit int
	Seed  uint64
	// Worst is how many disagreements of a metric are kept with their texts; less
	// than 0 keeps none.
	Worst int
	// Unusable, if set, is told why a row is no sample, of the first hundred, before
	// anything is evaluated.
	Unusable func(why string)
	// Progress, if set, is told after each sample, one call at a time.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	Total                   int
	Scored, Skipped, Failed int
}

// Done is how many samples have a result.
func (p Progress) Done() int { return p.Scored + p.Skipped + p.Failed }

// run is one Run. The goroutine that called it reads the samples; the workers
// share what is below mu.
type run struct {
	cfg       Config
	asked     *asking.Evaluator
	questions map[string]*question
	census    census
	began     time.Time

	mu       sync.Mutex
	progress Progress
	records  []Record // in the order of the samples; without outcome: not there yet
	worst    map[string]*worst
	causes   map[string]string // of failures, by error type: the first text
	models   map[string]int
	stuck    int
	stop     context.CancelCauseFunc
}

// Run evaluates the samples and reports. It blocks until all are done, or ctx
// ends, or there is no use in going on: then the report is of what there is, and
// says so in Incomplete. The error is about what was asked for: a configuration
// without metrics, or samples that cannot be read, which wraps [ErrSamples]; a
// report comes with it only when evaluation had begun.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	r, err := newRun(cfg)
	if err != nil {
		return nil, err
	}
	if err := r.takeCensus(); err != nil {
		return nil, err
	}
	r.progress.Total = r.selected()
	r.began = time.Now()
	ctx, r.stop = context.WithCancelCause(ctx)
	defer r.stop(nil)
	err = r.evaluateAll(ctx)
	return r.report(context.Cause(ctx)), err
}

func newRun(cfg Config) (*run, error) {
	switch {
	case cfg.Evaluator == nil || cfg.Source == nil:
		return nil, errors.New("calibrate: no evaluator or no samples")
	case len(cfg.Metrics) == 0:
		return nil, errors.New("calibrate: no metrics")
	}
	if cfg.Concurrency < 1 {
		cfg.Concurrency = DefaultConcurrency
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.Worst == 0 {
		cfg.Worst = DefaultWorst
	}
	r := &run{
		cfg: cfg, asked: asking.New(cfg.Evaluator, cfg.Gate), questions: map[string]*question{}, worst: map[string]*worst{},
		causes: map[string]string{}, models: map[string]int{},
	}
	for _, m := range cfg.Metrics {
		if r.questions[m.Name] != nil {
			return nil, fmt.Errorf("calibrate: metric %s is there twice", m.Name)
		}
		r.questions[m.Name] = newQuestion(cfg.Evaluator, m)
		r.worst[m.Name] = &worst{most: cfg.Worst}
	}
	return r, nil
}

// job is one sample for a worker.
type job struct {
	index    int
	question *question
	sample   samples.Sample
}

// evaluateAll hands the samples to the workers, which take the next one when
// they are free, and waits for them.
func (r *run) evaluateAll(ctx context.Context) error {
	jobs := make(chan *job)
	var workers sync.WaitGroup
	for range min(r.cfg.Concurrency, r.progress.Total) {
		workers.Go(func() {
			for j := range jobs {
				r.work(ctx, j)
			}
		})
	}
	defer workers.Wait()
	defer close(jobs)
	for j, err := range r.inTurn() {
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case jobs <- j:
		}
	}
	return nil
}

// work evaluates one sample and keeps what came of it, unless the run was ended
// meanwhile and that is why nothing came.
func (r *run) work(ctx context.Context, j *job) {
	result, stuck := r.evaluate(ctx, j)
	if ctx.Err() != nil && result.Outcome == evaluators.OutcomeFailed {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(j, &result)
	if stuck {
		if r.stuck++; r.stuck >= max(8, r.cfg.Concurrency) {
			r.stop(ErrStuck)
		}
	}
	if why := r.hopeless(&result); why != "" {
		r.stop(fmt.Errorf("%w: %s", ErrNothingScored, why))
	}
	if r.cfg.Progress != nil {
		r.cfg.Progress(r.progress)
	}
}

func (r *run) keep(j *job, result *evaluators.Result) {
	for len(r.records) <= j.index {
		r.records = append(r.records, Record{})
	}
	r.records[j.index] = newRecord(&j.sample, *result)
	const mostModels = 16
	if m := result.JudgeModel; m != "" && (r.models[m] > 0 || len(r.models) < mostModels) {
		r.models[m]++
	}
	switch result.Outcome {
	case evaluators.OutcomeScored:
		r.progress.Scored++
		if result.Label != j.sample.Label {
			r.worst[j.sample.Metric].add(j, result)
		}
	case evaluators.OutcomeSkipped:
		r.progress.Skipped++
	default:
		r.progress.Failed++
		if r.causes[result.ErrorType] == "" && result.Err != nil {
			r.causes[result.ErrorType] = render.Clip(strings.TrimPrefix(result.Err.Error(), result.ErrorType+": "), maxCause)
		}
	}
}

// lasting are failures that the next sample would meet too; of an open circuit
// the breaker has found that already.
var lasting = []string{
	evaluators.ErrorJudgeAuth, evaluators.ErrorJudgeQuota, evaluators.ErrorJudgeModelNotFound, evaluators.ErrorJudgeCircuitOpen,
}

// hopeless says why there is no use in going on: as long as nothing was scored,
// one failure that lasts is enough, or ten of any kind.
func (r *run) hopeless(result *evaluators.Result) string {
	const enough = 10
	p := r.progress
	if result.Outcome != evaluators.OutcomeFailed || p.Scored+p.Skipped > 0 {
		return ""
	}
	if p.Failed < enough && !slices.Contains(lasting, result.ErrorType) {
		return ""
	}
	if cause := r.causes[result.ErrorType]; cause != "" {
		return result.ErrorType + ": " + cause
	}
	return result.ErrorType
}

// done are the records of samples that have a result.
func (r *run) done() []Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.records), func(rec Record) bool { return rec.Outcome == "" })
}

func (r *run) modelNames() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.models))
}
