package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/report"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// calibrateFlags are what calibrate is told.
type calibrateFlags struct {
	files                               []string
	format, evaluator                   string
	metrics                             []string
	concurrency, limit, worst           int
	seed                                uint64
	timeout                             time.Duration
	json, html                          string
	minKappa, minAgreement, minCoverage []string
}

func (p *program) calibrateCommand() *cobra.Command {
	f := &calibrateFlags{}
	c := &cobra.Command{
		Use:   "calibrate [FILE... | -]",
		Short: "Find out whether a judge, or builtin, agrees with people",
		Long: `calibrate asks an evaluator about texts that people have labelled, and says how
far the two agree: agreement, Cohen's kappa, true and false positives and the area
under the curve, with their 95 % intervals, and the threshold that agrees best;
besides what was skipped or failed, how long it took and what it cost.

Without a FILE the samples that come with the program are used: a smoke test,
some forty for each metric. Labelled answers of your own application tell more.
A FILE can be a pipe, and - is standard input.

The evaluator is the one of --evaluator; without, the first that EVALUATORS names;
without that, the judge of the environment, or builtin where none is set. All of
its metrics are asked for which there are samples, also those that EVALUATORS does
not name, but not those that it puts to another judge (judge=); with the options
(threshold, strict, model, timeout) that it gives them, and together in one call
where JUDGE_MODE has the application ask so. A judge costs money: --limit bounds
how many samples it is asked.

Exit codes: 0 fine; 1 a --min-… gate failed; 2 called or configured wrongly;
3 incomplete: interrupted, or nothing could be scored.`,
		Example: `  # Is the judge any good at all? (cents)
  export OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_MODEL=gpt-4o-mini OPENAI_API_KEY=…
  genaievals calibrate

  # What the offline metrics can do, without a judge
  genaievals calibrate --evaluator builtin

  # 200 of your own labelled answers, a page to look at, and a gate for CI
  genaievals calibrate answers.jsonl --metrics faithfulness --limit 200 \
    --html calibration.html --min-kappa faithfulness=0.6

  # For a machine
  genaievals calibrate --json - | jq '.metrics[] | {name, kappa: .kappa.value}'`,
		RunE: func(c *cobra.Command, args []string) error {
			f.files = args
			return p.calibrate(c.Context(), f)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.format, "format", "", "format of the files; recognised without ("+strings.Join(formatNames(), ", ")+")")
	flags.StringSliceVar(&f.metrics, "metrics", nil, "only these metrics, as in bias,toxicity")
	flags.StringVar(&f.evaluator, "evaluator", "", "judge, builtin, or the name of a further judge; without: the first that EVALUATORS names, or the judge, or builtin where none is set")
	flags.IntVar(&f.concurrency, "concurrency", calibrate.DefaultConcurrency, "samples evaluated at once, 1 to 1024")
	flags.IntVar(&f.limit, "limit", 0, "most samples, drawn at random; 0 is all")
	flags.Uint64Var(&f.seed, "seed", 1, "of the draw for --limit")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long one sample may take, waiting for limits apart; 0 is TIMEOUT of the environment")
	flags.IntVar(&f.worst, "worst", calibrate.DefaultWorst, "worst disagreements shown of each metric")
	flags.StringVar(&f.json, "json", "", "write the report as JSON to this file; - is standard output, in place of the table")
	flags.StringVar(&f.html, "html", "", "write the report as a page to this file")
	flags.StringArrayVar(&f.minKappa, "min-kappa", nil, "fail when kappa is less, as in bias=0.6, or 0.6 for all metrics; can be repeated")
	flags.StringArrayVar(&f.minAgreement, "min-agreement", nil, "fail when agreement is less, likewise")
	flags.StringArrayVar(&f.minCoverage, "min-coverage", nil, "fail when a smaller share was scored, likewise")
	return c
}

func formatNames() []string {
	var names []string
	for _, f := range samples.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// calibrate checks all that can be wrong before anything is asked, runs, and
// writes the reports.
func (p *program) calibrate(ctx context.Context, f *calibrateFlags) (err error) {
	wrong := func(err error) error { return &exit{exitUsage, err} }
	if err := f.check(); err != nil {
		return wrong(err)
	}
	gates, err := f.gates()
	if err != nil {
		return wrong(err)
	}
	in, err := p.openInputs(f)
	if err != nil {
		return wrong(err)
	}
	defer in.Close()
	con := newConsole(p.stderr)
	asked, err := p.evaluators(ctx, f, con)
	if err != nil {
		return wrong(err)
	}
	defer func() { err = errors.Join(err, asked.set.Close()) }()
	metrics, err := asked.chosen(f.metrics)
	if err != nil {
		return wrong(err)
	}
	if err := gates.resolve(asked, metrics); err != nil {
		return wrong(err)
	}
	asked.announce(con, metrics)
	outputs, err := p.openOutputs([]wanted{{"--json", f.json}, {"--html", f.html}}, append(in.paths, asked.files...))
	if err != nil {
		return wrong(err)
	}
	defer outputs.discard()

	cfg := calibrate.Config{
		Evaluator: asked.Evaluator, Metrics: metrics, Together: asked.together(), Gate: asked.set.Gate(asked.name), Source: p.source(in),
		Concurrency: f.concurrency, Timeout: f.timeout, Limit: f.limit, Seed: f.seed, Worst: f.worst,
		Progress: con.progress, Unusable: con.unusable,
		// Nothing may pass a gate on all metrics because one of them is off.
		WantsAll: len(f.files) > 0 && len(f.metrics) == 0 && gates.onAll(),
	}
	if f.worst == 0 {
		cfg.Worst = -1 // none
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = asked.set.Timeout()
	}
	r, err := calibrate.Run(ctx, cfg)
	con.end()
	if r == nil {
		return wrong(err)
	}
	if err != nil { // the samples changed or broke while they were read
		r.Incomplete = err.Error()
	}
	passed := gates.apply(r)
	if err := outputs.write(
		func(w io.Writer) error { return report.Table(w, r, colorful(w)) },
		map[string]form{
			"--json": func(w io.Writer) error { return report.JSON(w, r) },
			"--html": func(w io.Writer) error { return report.HTML(w, r) },
		}); err != nil {
		return wrong(err)
	}
	return p.verdict(r, passed, f.json == stdoutPath)
}

// verdict turns a report into the way to end.
func (p *program) verdict(r *calibrate.Report, passed, tableHidden bool) error {
	switch {
	case r.Incomplete != "":
		return &exit{exitIncomplete, errors.New("incomplete: " + r.Incomplete)}
	case r.Samples.Scored == 0:
		return &exit{exitIncomplete, errors.New("nothing was scored")}
	case passed:
		return nil
	}
	if tableHidden {
		for _, g := range r.Gates {
			fmt.Fprintln(p.stderr, g)
		}
	}
	return &exit{exitGate, errors.New("a gate failed")}
}

func (f *calibrateFlags) check() error {
	switch {
	case f.concurrency < 1 || f.concurrency > 1024:
		return fmt.Errorf("--concurrency is %d, want 1 to 1024", f.concurrency)
	case f.limit < 0:
		return fmt.Errorf("--limit is %d, want 0 or more", f.limit)
	case f.worst < 0 || f.worst > 1000:
		return fmt.Errorf("--worst is %d, want 0 to 1000", f.worst)
	case f.timeout < 0:
		return fmt.Errorf("--timeout is %v, want 0 or more", f.timeout)
	case f.html == stdoutPath:
		return errors.New("--html wants a file")
	case f.format != "" && len(f.files) == 0:
		return errors.New("--format is of files, and there is none")
	}
	return nil
}

// stdoutPath stands for standard output.
const stdoutPath = "-"
