// Quickstart is the assistant of a small shop whose answers are evaluated as
// it gives them:
//
//	go run ./examples/quickstart
//
// It needs no key and no network: the model is a server on loopback that
// replays answers, good and bad, and the builtin evaluator scores them. Set
// OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_MODEL and the key of its provider to
// have a judge do it, and OTEL_EXPORTER_OTLP_ENDPOINT to see the spans, metrics
// and events in a backend.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/bootstrap"
	"github.com/genaievals/genaievals/evaluators"
	_ "github.com/genaievals/genaievals/evaluators/builtin/semantic" // builtin's model
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Stderr, styleFor(os.Stdout, os.Getenv))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// run asks every question, waits for the scores and writes them to out. What
// there is when ctx ends is written all the same. Progress goes to progress.
func run(ctx context.Context, out, progress io.Writer, s style) (err error) {
	server, err := startModelServer(questions)
	if err != nil {
		return err
	}
	defer server.Close()

	results := newResultsByQuestion()
	evals, shutdown, err := start(ctx, genaievals.WithResultHandler(results.add), genaievals.WithOnDrop(results.drop))
	if err != nil {
		return fmt.Errorf("start evaluating: %w", err)
	}
	defer func() { err = errors.Join(err, within(ctx, 5*time.Second, shutdown)) }()

	app := &assistant{
		client:    &http.Client{Transport: genaihttp.NewTransport(nil)},
		baseURL:   server.URL,
		retriever: newRetriever("shop-knowledge", knowledge),
	}
	rows := make([]answered, len(questions))
	for i, q := range questions {
		rows[i] = app.try(ctx, q)
	}
	waitErr := wait(ctx, evals, progress, results)
	for i, q := range questions {
		rows[i].Results, rows[i].Dropped = results.of(q.ID), results.dropped(q.ID)
		if why := evals.Off(); why != "" {
			rows[i].Skipped, rows[i].Why = evaluators.SkipDisabled, why
		}
	}
	return errors.Join(waitErr, writeTable(out, s, rows, countsOf(evals.Status(), results.len())))
}

// try asks one question. An answer that nobody can evaluate gets the reason.
func (a *assistant) try(ctx context.Context, q question) answered {
	row := answered{Question: q.Text}
	switch _, tool, err := a.Answer(ctx, q); {
	case errors.Is(err, context.Canceled):
		row.Skipped = evaluators.SkipCancelled
	case err != nil:
		row.Skipped, row.Why = evaluators.SkipInvocationError, err.Error()
	case tool != "":
		row.Skipped, row.Why = evaluators.SkipToolCallOnly, "a call of "+tool+", no answer yet"
	}
	return row
}

// start is the one call that an application adds. This one has no OpenTelemetry
// providers of its own, so bootstrap installs them where there is something to
// export to. Without, the results reach the result handler all the same.
// Shutdown takes down what was started.
func start(ctx context.Context, options ...genaievals.Option) (_ *genaievals.Evals, shutdown func(context.Context) error, _ error) {
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "OTEL_EXPORTER_OTLP_") && strings.HasSuffix(name, "ENDPOINT") && value != "" {
			telemetry, err := bootstrap.Start(ctx, options...)
			if err != nil {
				return nil, nil, err
			}
			return telemetry.Evals, telemetry.Shutdown, nil
		}
	}
	evals, err := genaievals.Start(ctx, options...)
	return evals, evals.Shutdown, err
}

// wait returns when all answers are evaluated. A judge can take its time, so
// every few seconds it says how far they are.
func wait(ctx context.Context, evals *genaievals.Evals, progress io.Writer, results *resultsByQuestion) error {
	for {
		part, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := evals.Flush(part)
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		fmt.Fprintf(progress, "waiting for scores: %s\n", countsOf(evals.Status(), results.len()))
	}
}

// within gives the last of the work some time, but little when the user has
// interrupted it.
func within(ctx context.Context, patience time.Duration, do func(context.Context) error) error {
	if ctx.Err() != nil {
		patience = time.Second
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	return do(ctx)
}
