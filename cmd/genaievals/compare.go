package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// compareFlags are what compare is told.
type compareFlags struct {
	minEffect      float64
	seed           uint64
	sameContent    bool
	json, markdown string
}

func (p *program) compareCommand() *cobra.Command {
	f := &compareFlags{}
	c := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Find out whether a run is worse than an earlier one",
		Long: `compare pairs the results of two journals by item, and says of each metric how the
mean score and the pass rate changed, with the 95 % interval of a paired bootstrap.
What is worse beyond doubt is a regression; so is what was scored and now fails.

Exit codes: 0 no regression; 1 a regression; 2 called wrongly, or a journal cannot be
read; 3 there is nothing to compare.`,
		Example: `  # Did the new prompt make anything worse?
  genaievals compare before.jsonl after.jsonl

  # Only what matters, as a comment for a pull request
  genaievals compare before.jsonl after.jsonl --min-effect 0.02 --markdown -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("compare wants two journals, the old and the new, and there are %d arguments", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.compare(args[0], args[1], f) },
	}
	flags := c.Flags()
	flags.Float64Var(&f.minEffect, "min-effect", 0, "least difference of a mean or a pass rate that is a regression, 0 to 1")
	flags.Uint64Var(&f.seed, "seed", 0, "of the random numbers of the intervals")
	flags.BoolVar(&f.sameContent, "same-content", false, "only items whose content is the same in both runs")
	flags.StringVar(&f.json, "json", "", "write the comparison as JSON to this file; - is standard output, in place of the table")
	flags.StringVar(&f.markdown, "markdown", "", "write it as Markdown, likewise")
	c.ValidArgsFunction = completeJournals(2)
	return c
}

func (p *program) compare(older, newer string, f *compareFlags) error {
	wrong := func(err error) error { return &exit{exitUsage, err} }
	before, err := journal.Read(older)
	if err != nil {
		return wrong(err)
	}
	defer before.Close()
	after, err := journal.Read(newer)
	if err != nil {
		return wrong(err)
	}
	defer after.Close()
	out, err := p.openOutputs([]wanted{{"--json", f.json}, {"--markdown", f.markdown}}, []string{older, newer})
	if err != nil {
		return wrong(err)
	}
	defer out.discard()
	c, err := report.Compare(runOf(before), runOf(after),
		report.WithMinEffect(f.minEffect), report.WithSeed(f.seed), report.WithSameContent(f.sameContent))
	if err != nil {
		return wrong(err)
	}
	terminal := p.reportTerminal()
	err = out.write(func(w io.Writer) error { return report.CompareTable(w, c, terminal) }, map[string]form{
		"--json":     func(w io.Writer) error { return report.CompareJSON(w, c) },
		"--markdown": func(w io.Writer) error { return report.CompareMarkdown(w, c) },
	})
	switch {
	case err != nil:
		return &exit{exitIncomplete, err}
	case c.Regressed():
		return &exit{exitGate, errors.New("a regression")}
	case c.Verdict == report.Incomplete:
		return &exit{exitIncomplete, errors.New("nothing could be compared")}
	}
	return nil
}

func runOf(r *journal.Reader) report.Run {
	return report.Run{Header: r.Header(), Records: r.Records()}
}
