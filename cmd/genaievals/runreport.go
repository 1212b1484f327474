package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// reportFlags are the forms of a report that are wanted, and where.
type reportFlags struct {
	json, junit, markdown, html string
	worst                       int
}

func (r *reportFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&r.json, "json", "", "write the report as JSON to this file; - is standard output, in place of the table")
	flags.StringVar(&r.junit, "junit", "", "write it as JUnit XML, likewise")
	flags.StringVar(&r.markdown, "markdown", "", "write it as Markdown, likewise")
	flags.StringVar(&r.html, "html", "", "write it as a page to this file")
	flags.IntVar(&r.worst, "worst", report.DefaultWorst, "worst cases shown of each metric, 0 to 1000")
}

func (r *reportFlags) check() error {
	switch {
	case r.html == stdoutPath:
		return errors.New("--html wants a file")
	case r.worst < 0 || r.worst > 1000:
		return fmt.Errorf("--worst is %d, want 0 to 1000", r.worst)
	}
	return nil
}

func (r *reportFlags) wanted() []wanted {
	return []wanted{{"--json", r.json}, {"--junit", r.junit}, {"--markdown", r.markdown}, {"--html", r.html}}
}

// summarize sums up what a journal has. The end is zero where the run has none.
func summarize(path string, worst int) (_ *report.Summary, end journal.End, err error) {
	in, err := journal.Read(path)
	if err != nil {
		return nil, end, err
	}
	defer in.Close()
	sum, err := report.New(in.Header(), report.WithWorst(worst))
	if err != nil {
		return nil, end, err
	}
	for rec, err := range in.Records() {
		if err != nil {
			return sum, end, err
		}
		sum.Add(rec)
	}
	end, ended := in.End()
	if ended {
		sum.End(end)
	}
	return sum, end, nil
}

// conclude holds a report against the gates, writes it, and returns how to end.
func (p *program) conclude(rep *report.Report, gates report.Gates, out *outputs) error {
	verdict, err := rep.Apply(gates)
	if err != nil {
		return &exit{exitUsage, err}
	}
	terminal := p.reportTerminal()
	of := func(f func(io.Writer, *report.Report) error) form {
		return func(w io.Writer) error { return f(w, rep) }
	}
	err = out.write(func(w io.Writer) error { return report.Table(w, rep, terminal) }, map[string]form{
		"--json": of(report.JSON), "--junit": of(report.JUnit), "--markdown": of(report.Markdown), "--html": of(report.HTML),
	})
	if err != nil {
		return &exit{exitIncomplete, err}
	}
	return p.ended(rep, verdict, out.onStdout != "")
}

// reportTerminal is what standard output shows.
func (p *program) reportTerminal() report.Terminal {
	t := report.Terminal{Color: colorful(p.stdout), ASCII: plainText()}
	if n, ok := terminalWidth(p.stdout); ok {
		t.Width = n
	}
	return t
}

// ended turns a verdict into the way to end. Where the table is not shown, the
// gates are told here.
func (p *program) ended(rep *report.Report, verdict report.Verdict, tableHidden bool) error {
	code := exitFine
	switch verdict {
	case report.Passed:
	case report.GateFailed:
		code = exitGate
	default:
		code = exitIncomplete
	}
	if tableHidden {
		for _, g := range rep.Gates {
			if !g.Passed {
				fmt.Fprintf(p.stderr, "genaievals: %s\n", g.Text)
			}
		}
	}
	switch code {
	case exitFine:
		return nil
	case exitGate:
		return &exit{code, errors.New("a gate failed")}
	}
	return &exit{code, errors.New("incomplete: " + strings.Join(rep.Reasons, "; "))}
}
