package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals"
	_ "github.com/genaievals/genaievals/evaluators/builtin/semantic" // builtin's model
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// The exit codes.
const (
	exitFine       = 0
	exitGate       = 1 // a gate failed
	exitUsage      = 2 // called or configured wrongly
	exitIncomplete = 3 // interrupted, or nothing was scored
)

func main() {
	p := &program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, bundled: samples.Bundled, open: samples.Open}
	ctx, stop := untilInterrupted(p.stderr, func(code int) {
		p.scratch.removeAll()
		os.Exit(code)
	})
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// program is the command with what it is given from outside.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	bundled        func() iter.Seq2[samples.Sample, error]
	open           func(path, format string) (iter.Seq2[samples.Sample, error], error)
	// options are laid over the environment before those of the flags.
	options []genaievals.Option
	// maxSpool replaces the bound of that name if it is not 0.
	maxSpool int64
	scratch  scratch
}

// exit is an error that says with which code to end. Without an error all that
// there was to say has been said.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// run executes a command line and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitFine
	}
	var e *exit
	if !errors.As(err, &e) {
		e = &exit{exitUsage, err} // of cobra
	}
	if e.err != nil {
		fmt.Fprintf(p.stderr, "genaievals: %v\n", e.err)
	}
	return e.code
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "genaievals",
		Short: "Score the answers of GenAI applications",
		Long: `genaievals works with the evaluators of the genaievals library from a shell.

  genaievals demo                      the live page, with an app under load, offline
  genaievals run --dataset answers.jsonl
                                       how good a dataset of answers is
  genaievals calibrate                 whether the judge agrees with people
  genaievals config                    what is set, and where that came from

It reads the same environment variables as the library: the judge is set by
OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_MODEL, …_JUDGE_API_KEY and …_JUDGE_BASE_URL.`,
		SilenceErrors: true, SilenceUsage: true,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.AddCommand(p.runCommand(), p.demoCommand(), p.reportCommand(), p.compareCommand(), p.serveCommand(), p.configCommand(), p.calibrateCommand(), p.versionCommand())
	return root
}

// noCommand says what a word is not.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("there is no command %q", args[0])
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return errors.New(text)
}
