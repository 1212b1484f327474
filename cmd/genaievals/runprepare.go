package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// datasetRun is a run in the making: all that was checked and opened for it.
type datasetRun struct {
	f   *runFlags
	con *console
	// env is the environment with what the file says over it, for what is told;
	// set is what is asked.
	env     envconfig.Config
	set     *genaievals.EvaluatorSet
	header  journal.Header
	items   runner.Dataset
	counts  *dataset.Counts
	gates   report.Gates
	outputs *outputs

	journal *journal.Journal // nil without one
	met     int64            // items of which the journal had something
	live    liveSummary
	page    *page
}

// prepareRun checks and opens all but the journal, which is made when nothing else
// can go wrong.
func (p *program) prepareRun(ctx context.Context, f *runFlags) (_ *datasetRun, err error) {
	if err := errors.Join(f.checkFlags(), f.reports.check()); err != nil {
		return nil, err
	}
	r := &datasetRun{f: f, con: newConsole(p.stderr)}
	r.con.quiet = f.noProgress
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if err := r.openDataset(ctx, p); err != nil {
		return nil, err
	}
	read, err := r.openEvaluators(ctx, p)
	if err != nil {
		return nil, err
	}
	r.header = journal.HeaderOf(r.set)
	r.header.Run, r.header.Dataset, r.header.Content, r.header.Started = f.runName(), filepath.Base(f.dataset), f.content, time.Now()
	if err := r.countItems(); err != nil {
		return nil, err
	}
	if r.gates, err = f.gates.parse(r.header); err != nil {
		return nil, err
	}
	if r.live.sum, err = report.New(r.header, report.WithWorst(f.reports.worst)); err != nil {
		return nil, err
	}
	if read, err = r.checkJournal(read); err != nil {
		return nil, err
	}
	r.outputs, err = p.openOutputs(f.reports.wanted(), read)
	return r, err
}

// close lets go of everything. What did not become a report is removed.
func (r *datasetRun) close() error {
	var errs []error
	if r.outputs != nil {
		r.outputs.discard()
	}
	r.page.close()
	if r.journal != nil {
		errs = append(errs, r.journal.Close())
	}
	return errors.Join(append(errs, r.set.Close())...)
}

// openDataset opens the items, so that a file that cannot be read is known before
// anything is asked. A pipe from which nothing comes is waited for until ctx ends,
// or the time of the run is over.
func (r *datasetRun) openDataset(ctx context.Context, p *program) error {
	o, err := r.f.datasetOptions()
	if err != nil {
		return err
	}
	r.counts = o.Counts
	if r.f.runTimeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, r.f.runTimeout, runner.ErrRunTimeout)
		defer stop()
	}
	open := func() (runner.Dataset, error) { return dataset.Open(r.f.dataset, o) }
	if r.f.dataset == stdinPath {
		open = func() (runner.Dataset, error) { return dataset.Read(p.stdin, "standard input", o) }
	}
	if r.f.dataset == stdinPath && p.stdin == nil {
		return errors.New("--dataset: there is no standard input")
	}
	if r.items, err = whileWaiting(ctx, open); err != nil {
		return fmt.Errorf("--dataset: %w", err)
	}
	if r.f.limit > 0 {
		r.items = firstItems(r.items, r.f.limit)
	}
	return nil
}

// errNothingRead: the run ended before there was anything to recognise the dataset by.
var errNothingRead = errors.New("nothing came before the run ended")

// whileWaiting opens a dataset on a goroutine of its own, which is left behind in
// its read when ctx ends first.
func whileWaiting(ctx context.Context, open func() (runner.Dataset, error)) (runner.Dataset, error) {
	type opened struct {
		items runner.Dataset
		err   error
	}
	came := make(chan opened, 1)
	go func() {
		items, err := open()
		came <- opened{items, err}
	}()
	select {
	case o := <-came:
		return o.items, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", errNothingRead, context.Cause(ctx))
	}
}

// firstItems are the first n of a dataset.
func firstItems(items runner.Dataset, n int64) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		left := n
		for item, err := range items {
			left--
			if !yield(item, err) || left == 0 {
				return
			}
		}
	}
}

// countItems finds out how many items there are, where that can be known.
func (r *datasetRun) countItems() error {
	if r.f.dataset == stdinPath {
		return nil
	}
	o, err := r.f.datasetOptions()
	if err != nil {
		return err
	}
	n, ok, err := dataset.Count(r.f.dataset, o)
	if err != nil || !ok {
		return nil // whoever reads it will tell what is wrong with it
	}
	if r.header.Total = n; r.f.limit > 0 {
		r.header.Total = min(n, r.f.limit)
	}
	return nil
}

// openEvaluators makes who is asked: flags over file over environment. It returns
// the files that this was read from.
func (r *datasetRun) openEvaluators(ctx context.Context, p *program) (read []string, err error) {
	f := r.f
	r.env, _ = envconfig.Load() // NewEvaluators warns
	plan, options, rubrics := r.env.Evaluators, p.options, r.env.Rubrics
	from := envconfig.Prefix + "EVALUATORS"
	if f.file != nil {
		more, err := f.file.Options(&r.env, func(warning string) { r.con.say("%s", warning) })
		if err != nil {
			return nil, err
		}
		options = append(slices.Clip(options), more...)
		if f.file.Plan != "" {
			plan, from = f.file.Plan, f.config+": evaluators"
		}
		if f.file.Rubrics != "" {
			rubrics = f.file.Rubrics
		}
	}
	if f.evaluators != "" {
		plan, from = f.evaluators, "--evaluators"
		options = append(options, genaievals.WithEvaluators(f.evaluators))
	}
	if f.rubrics != "" {
		rubrics = f.rubrics
	}
	if rubrics != "" {
		if err := checkRubrics(rubrics, "rubrics"); err != nil {
			return nil, err
		}
		options, read = append(options, genaievals.WithRubricsFile(rubrics)), append(read, rubrics)
	}
	if f.timeout > 0 {
		options = append(options, genaievals.WithTimeout(f.timeout))
	}
	parsed, err := evaluators.Parse(plan)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", from, err)
	case parsed.Off && strings.TrimSpace(plan) != "":
		return nil, fmt.Errorf("%s is %s, and a run needs an evaluator", from, strings.TrimSpace(plan))
	}
	if r.set, err = newSet(ctx, r.con, f.concurrency, append(options, r.lookAtJudges()...)...); err != nil {
		return nil, err
	}
	if err := checkPlanned(parsed, r.set); err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return read, nil
}

// lookAtJudges are options that change nothing and keep what the judges come to,
// for what is told of them.
func (r *datasetRun) lookAtJudges() []genaievals.Option {
	options := []genaievals.Option{genaievals.WithJudge(func(j *envconfig.Judge) { r.env.Judge = *j })}
	names := append([]string(nil), r.env.Judges...)
	if r.f.file != nil {
		for _, j := range r.f.file.Judges {
			if j.Name != envconfig.JudgeName {
				names = append(names, j.Name)
			}
		}
	}
	for _, name := range names {
		options = append(options, genaievals.WithNamedJudge(name, func(j *envconfig.Judge) {
			if own, _, err := r.env.AddJudge(name); err == nil {
				*own = *j
			}
		}))
	}
	return options
}

// checkJournal makes sure that the journal is none of the files that are read, and
// returns those with it.
func (r *datasetRun) checkJournal(read []string) ([]string, error) {
	for _, path := range []string{r.f.dataset, r.f.config} {
		if path != "" && path != stdinPath {
			read = append(read, path)
		}
	}
	if r.f.journal == "" {
		return read, nil
	}
	for _, path := range read {
		if sameFile(r.f.journal, path) {
			return nil, fmt.Errorf("--journal: %s is read from: it is not written over", r.f.journal)
		}
	}
	// That it is there is found out before anything is said, and again when it is made.
	if info, err := os.Stat(r.f.journal); err == nil && info.Size() > 0 && !r.f.resume {
		return nil, journalExists(fmt.Errorf("%w: %s", journal.ErrExists, r.f.journal))
	}
	return append(read, r.f.journal), nil
}

func journalExists(err error) error {
	return fmt.Errorf("--journal: %w: go on with it by --resume, or name another file", err)
}

// openJournal begins the journal, or goes on with it, and says what it has.
func (r *datasetRun) openJournal() (err error) {
	switch {
	case r.f.journal == "":
		r.con.say("without --journal the results are kept in memory: the run cannot be resumed")
		return nil
	case !r.f.resume:
		r.journal, err = journal.Create(r.f.journal, r.header)
		if errors.Is(err, journal.ErrExists) {
			return journalExists(err)
		}
	default:
		r.journal, err = journal.Resume(r.f.journal, r.header)
	}
	if err != nil {
		return fmt.Errorf("--journal: %w", err)
	}
	if !r.f.resume {
		return nil
	}
	rec := r.journal.Recovered()
	r.con.say("resumed: %s of %s kept, %s asked again", either(rec.Kept, "1 result", "%s results"),
		either(rec.Items, "1 item is", "%s items are"), either(rec.Redone, "1 that failed is", "%s that failed are"))
	if rec.Torn > 0 {
		r.con.say("the last %s bytes of the journal were not written to their end, and are left out", grouped(rec.Torn))
	}
	return nil
}
