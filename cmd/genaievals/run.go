package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func (p *program) runCommand() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run --dataset FILE [--journal FILE]",
		Short: "Evaluate a dataset of answers, at the full speed that the judges allow",
		Long: `run reads items (id, input, output, context, expected, metadata) from a file of
JSON lines, a JSON array, CSV, or spans as OTLP JSON, plain or gzip, and asks the
evaluators about each, under the limits of the judges, in memory that does not grow
with the dataset. The table of results goes to standard output, progress to standard
error.

With --journal the results are kept as they come. A run that was interrupted, also
by a crash, goes on where it was with --resume: what is done is not asked again,
what failed is. One that has ended has nothing left to do and is reported again.

Everything can be said in a YAML file, --config, which flags go over; see
docs/commands.md. The judges come from the environment, or from that file.

Exit codes: 0 passed; 1 a gate failed; 2 called or configured wrongly; 3 incomplete:
interrupted, nothing was scored, more failed than --max-failed, or the disk is full.`,
		Example: `  # Offline: what builtin can tell about your answers
  genaievals run --dataset answers.jsonl

  # With the judge of the environment, kept on disk, with a gate for CI
  genaievals run --dataset answers.jsonl --journal run.jsonl \
    --evaluators 'judge(faithfulness,toxicity)' --min-pass-rate faithfulness=0.9 \
    --max-failed 2% --junit junit.xml

  # Go on after an interruption
  genaievals run --dataset answers.jsonl --journal run.jsonl --resume

  # Columns of other names, from a pipe, and a page to watch
  zcat answers.csv.gz | genaievals run --dataset - --format csv \
    --field input=question --field output=answer --dashboard

  # All of it from a file; --check says what would run
  genaievals run --config run.yaml --check`,
		Args: func(_ *cobra.Command, args []string) error {
			// --dashboard ADDRESS, with a blank, is an argument to cobra.
			if len(args) == 1 && f.dashboard == pageWanted {
				f.dashboard = args[0]
				return nil
			}
			if len(args) > 0 {
				return fmt.Errorf("run takes no arguments, and there is %q: the dataset is --dataset FILE", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.merge(c.Flags().Changed); err != nil {
				return &exit{exitUsage, err}
			}
			return p.runDataset(c.Context(), f)
		},
	}
	f.add(c.Flags())
	completeRun(c)

	return c
}

// runDataset checks all that can be wrong before anything is asked, runs, and
// writes the reports.
func (p *program) runDataset(ctx context.Context, f *runFlags) (err error) {
	r, err := p.prepareRun(ctx, f)
	switch {
	case errors.Is(err, errNothingRead):
		return &exit{exitIncomplete, err}
	case err != nil:
		return &exit{exitUsage, err}
	}
	defer func() { err = errors.Join(err, r.close()) }()
	r.announce()
	if f.check {
		return nil
	}
	if err := r.openJournal(); err != nil {
		return &exit{exitUsage, err}
	}
	if err := p.openPage(r); err != nil {
		return &exit{exitUsage, err}
	}
	end, err := r.evaluate(ctx)
	if err != nil {
		return &exit{exitUsage, err}
	}
	rep, err := r.report(end)
	if err != nil {
		return &exit{exitIncomplete, err}
	}
	err = p.conclude(rep, r.gates, r.outputs)
	if end.Incomplete != "" && r.journal != nil {
		r.con.say("what was evaluated is in %s; the same command with --resume goes on", f.journal)
	}
	return err
}
