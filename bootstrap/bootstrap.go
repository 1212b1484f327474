// Package bootstrap starts genaievals in an application that has no
// OpenTelemetry providers: it installs them from the standard OTEL_*
// variables, and takes them down in the right order.
//
// It is the only package that links exporters. An application with providers
// of its own calls genaievals.Start and does not import this one.
package bootstrap

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/genaievals/genaievals"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Telemetry is a running genaievals with the providers that were installed for
// it. Its methods are safe for concurrent use.
type Telemetry struct {
	*genaievals.Evals
	providers []signal
}

// signal is one of traces, metrics and logs, with its provider.
type signal struct {
	signal string
	provider
}

// provider is what the providers of traces, metrics and logs have in common.
type provider interface {
	ForceFlush(context.Context) error
	Shutdown(context.Context) error
}

// Start installs trace, metric and log providers as OpenTelemetry's globals,
// from OTEL_TRACES_EXPORTER, OTEL_METRICS_EXPORTER, OTEL_LOGS_EXPORTER,
// OTEL_EXPORTER_OTLP_*, OTEL_RESOURCE_ATTRIBUTES and the other standard
// variables, and then starts genaievals on them. Where no protocol is set, OTLP
// goes over gRPC, or over HTTP when the endpoint's port is 4318. With
// OTEL_SDK_DISABLED=true it installs nothing and evaluates nothing.
//
// It does not wait for a collector to be there. An error means that an exporter
// cannot be made from the variables or that an option is bad; nothing is left
// running then, and nothing is installed.
func Start(ctx context.Context, options ...genaievals.Option) (*Telemetry, error) {
	t := &Telemetry{}
	if !disabled() {
		install, err := t.makeProviders(ctx)
		if err != nil {
			return nil, errors.Join(err, t.stopProviders(ctx))
		}
		options = append([]genaievals.Option{
			genaievals.WithTracerProvider(install.traces),
			genaievals.WithMeterProvider(install.metrics),
			genaievals.WithLoggerProvider(install.logs),
		}, options...)
		evals, err := genaievals.Start(ctx, options...)
		if err != nil {
			return nil, errors.Join(err, t.stopProviders(ctx))
		}
		t.Evals = evals
		otel.SetTracerProvider(install.traces)
		otel.SetMeterProvider(install.metrics)
		otel.SetLoggerProvider(install.logs)
		otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(
			propagation.TraceContext{}, propagation.Baggage{}))
		return t, nil
	}
	evals, err := genaievals.Start(ctx, options...)
	if err != nil {
		return nil, err
	}
	t.Evals = evals
	return t, nil
}

func disabled() bool {
	return strings.EqualFold(strings.TrimSpace(os.Getenv("OTEL_SDK_DISABLED")), "true")
}

// installed are the providers of the three signals.
type installed struct {
	traces  *trace.TracerProvider
	metrics *metric.MeterProvider
	logs    *log.LoggerProvider
}

// makeProviders makes the providers. What it made before an error is in
// t.providers.
func (t *Telemetry) makeProviders(ctx context.Context) (installed, error) {
	var made installed
	spans, err := spanExporter(ctx)
	if err != nil {
		return made, fmt.Errorf("making the exporter of traces: %w", err)
	}
	made.traces = trace.NewTracerProvider(trace.WithBatcher(spans))
	t.providers = append(t.providers, signal{"traces", made.traces})

	reader, err := metricReader(ctx)
	if err != nil {
		return made, fmt.Errorf("making the exporter of metrics: %w", err)
	}
	made.metrics = metric.NewMeterProvider(metric.WithReader(reader))
	t.providers = append(t.providers, signal{"metrics", made.metrics})

	records, err := logExporter(ctx)
	if err != nil {
		return made, fmt.Errorf("making the exporter of logs: %w", err)
	}
	made.logs = log.NewLoggerProvider(log.WithProcessor(log.NewBatchProcessor(records)))
	t.providers = append(t.providers, signal{"logs", made.logs})
	return made, nil
}

// Flush waits until what was offered before has been evaluated, and then until
// everything recorded has been exported, or ctx ends.
func (t *Telemetry) Flush(ctx context.Context) error {
	return errors.Join(t.Evals.Flush(ctx),
		t.each(func(p provider) error { return p.ForceFlush(ctx) }, "flushing"))
}

// Shutdown shuts genaievals down first, so that its last results are recorded,
// and then the providers, which export what they hold. It returns soon after
// ctx ends.
func (t *Telemetry) Shutdown(ctx context.Context) error {
	return errors.Join(t.Evals.Shutdown(ctx), t.stopProviders(ctx))
}

// stopProviders shuts the providers down side by side: a backend that does not
// take one signal leaves the time for the others.
func (t *Telemetry) stopProviders(ctx context.Context) error {
	return t.each(func(p provider) error { return p.Shutdown(ctx) }, "shutting down")
}

// each runs f on all providers at once and joins the errors, which name the
// signal.
func (t *Telemetry) each(f func(provider) error, doing string) error {
	errs := make([]error, len(t.providers))
	var wg sync.WaitGroup
	for i, p := range t.providers {
		wg.Go(func() {
			if err := f(p.provider); err != nil {
				errs[i] = fmt.Errorf("%s the provider of %s: %w", doing, p.signal, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
