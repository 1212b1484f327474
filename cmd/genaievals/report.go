package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals/runner/journal"
)

func (p *program) reportCommand() *cobra.Command {
	var (
		gates   gateFlags
		reports reportFlags
	)
	c := &cobra.Command{
		Use:   "report JOURNAL",
		Short: "Report what a journal has, against gates, without asking anything",
		Long: `report sums up the journal of a run, of one that goes on or was killed too, and
writes the same reports as run, with its gates and exit codes. Nothing is asked of
any evaluator, and the journal is not changed.`,
		Example: `  # The table
  genaievals report run.jsonl

  # A page to send around, and a comment for a pull request
  genaievals report run.jsonl --html report.html --markdown comment.md

  # Would it pass stricter gates?
  genaievals report run.jsonl --min-pass-rate faithfulness=0.95 --fail-under 0.8`,
		Args: oneJournal,
		RunE: func(_ *cobra.Command, args []string) error {
			return p.report(args[0], &gates, &reports)
		},
	}
	gates.add(c.Flags())
	reports.add(c.Flags())
	completeGates(c)
	c.ValidArgsFunction = completeJournals(1)
	return c
}

// oneJournal wants a journal as the only argument.
func oneJournal(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one journal, and there are %d arguments", len(args))
	}
	return nil
}

func (p *program) report(path string, gates *gateFlags, reports *reportFlags) error {
	wrong := func(err error) error { return &exit{exitUsage, err} }
	if err := reports.check(); err != nil {
		return wrong(err)
	}
	in, err := journal.Read(path)
	if err != nil {
		return wrong(err)
	}
	header := in.Header()
	_ = in.Close() // it was only read
	parsed, err := gates.parse(header)
	if err != nil {
		return wrong(err)
	}
	out, err := p.openOutputs(reports.wanted(), []string{path})
	if err != nil {
		return wrong(err)
	}
	defer out.discard()
	sum, _, err := summarize(path, reports.worst)
	if err != nil {
		return wrong(err)
	}
	return p.conclude(sum.Report(), parsed, out)
}
