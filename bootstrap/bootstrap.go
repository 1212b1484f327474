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
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/instrumentation"
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

// running is the process's one Telemetry: the providers that it installed are
// OpenTelemetry's globals.
var running struct {
	sync.Mutex
	telemetry *Telemetry
}

// Start installs trace, metric and log providers as OpenTelemetry's globals,
// from OTEL_TRACES_EXPORTER, OTEL_METRICS_EXPORTER, OTEL_LOGS_EXPORTER,
// OTEL_EXPORTER_OTLP_*, OTEL_RESOURCE_ATTRIBUTES and the other standard
// variables, and then starts genaievals on them. Where no protocol is set, OTLP
// goes over gRPC, or over HTTP when the endpoint's port is 4318. With
// OTEL_SDK_DISABLED=true it installs nothing and evaluates nothing.
//
// It does not wait for a collector to be there. A variable from which no
// exporter can be made is warned about, and its signal is not exported. A bad
// option is an error; nothing is installed then. While one Telemetry runs, a
// second Start returns it with a warning.
func Start(ctx context.Context, options ...genaievals.Option) (*Telemetry, error) {
	running.Lock()
	defer running.Unlock()
	if running.telemetry != nil {
		slog.WarnContext(ctx, "genaievals: already started; what runs goes on and the new options have no effect")
		return running.telemetry, nil
	}
	t := &Telemetry{}
	install := func() {}
	if !disabled() {
		made := t.makeProviders(ctx)
		options = append([]genaievals.Option{
			genaievals.WithTracerProvider(made.traces),
			genaievals.WithMeterProvider(made.metrics),
			genaievals.WithLoggerProvider(made.logs),
		}, options...)
		install = made.install
	}
	evals, err := genaievals.Start(ctx, options...)
	if err != nil {
		return nil, errors.Join(err, t.stopProviders(ctx))
	}
	install()
	t.Evals = evals
	running.telemetry = t
	return t, nil
}

func disabled() bool {
	return strings.EqualFold(strings.TrimSpace(os.Getenv("OTEL_SDK_DISABLED")), "true")
}

// made are the providers of the three signals.
type made struct {
	traces  *trace.TracerProvider
	metrics *metric.MeterProvider
	logs    *log.LoggerProvider
}

// install makes them OpenTelemetry's globals.
func (m made) install() {
	otel.SetTracerProvider(m.traces)
	otel.SetMeterProvider(m.metrics)
	otel.SetLoggerProvider(m.logs)
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(
		propagation.TraceContext{}, propagation.Baggage{}))
}

// makeProviders makes the providers, without an exporter where none can be
// made.
func (t *Telemetry) makeProviders(ctx context.Context) made {
	var traces []trace.TracerProviderOption
	if exporter, err := spanExporter(ctx); err != nil {
		warn(ctx, "TRACES", err)
	} else {
		traces = append(traces, trace.WithBatcher(exporter))
	}
	var metrics []metric.Option
	if reader, err := metricReader(ctx); err != nil {
		warn(ctx, "METRICS", err)
	} else {
		metrics = append(metrics, metric.WithReader(reader))
	}
	var logs []log.LoggerProviderOption
	if exporter, err := logExporter(ctx); err != nil {
		warn(ctx, "LOGS", err)
	} else {
		logs = append(logs, log.WithProcessor(log.NewBatchProcessor(exporter)))
	}
	m := made{trace.NewTracerProvider(traces...), metric.NewMeterProvider(metrics...), log.NewLoggerProvider(logs...)}
	t.providers = []signal{{"traces", m.traces}, {"metrics", m.metrics}, {"logs", m.logs}}
	return m
}

// warn says that a signal is not exported, and which variables decide that.
func warn(ctx context.Context, signal string, err error) {
	slog.WarnContext(ctx, "genaievals: no exporter can be made, this signal is not exported",
		"variables", "OTEL_"+signal+"_EXPORTER, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_"+signal+"_PROTOCOL", "error", err)
}

// Flush waits until what was offered before has been evaluated, and then until
// everything recorded has been exported, or ctx ends.
func (t *Telemetry) Flush(ctx context.Context) error {
	return errors.Join(t.Evals.Flush(ctx),
		t.each(func(p provider) error { return p.ForceFlush(ctx) }, "flushing"))
}

// Shutdown shuts genaievals down first, so that its last results are recorded,
// and then the providers, which export what they hold. It returns soon after
// ctx ends. The handler that recorded for it is no longer the default one, and
// another Start begins anew.
func (t *Telemetry) Shutdown(ctx context.Context) error {
	running.Lock()
	if running.telemetry == t {
		running.telemetry = nil
		instrumentation.SetDefault(nil)
	}
	running.Unlock()
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
