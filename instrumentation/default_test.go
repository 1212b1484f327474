package instrumentation_test

import (
	"sync"
	"testing"

	"go.opentelemetry.io/otel"
	otellog "go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestDefaultIsMadeOnceAndReplaceable(t *testing.T) {
	t.Cleanup(func() { instrumentation.SetDefault(nil) })
	instrumentation.SetDefault(nil)
	var wg sync.WaitGroup
	handlers := make([]*instrumentation.Handler, 8)
	for i := range handlers {
		wg.Go(func() { handlers[i] = instrumentation.Default() })
	}
	wg.Wait()
	for _, h := range handlers {
		if h == nil || h != handlers[0] {
			t.Fatal("Default is nil or not the same")
		}
	}
	mine := instrumentation.NewHandler()
	instrumentation.SetDefault(mine)
	if instrumentation.Default() != mine {
		t.Error("SetDefault did not replace the default")
	}
	instrumentation.SetDefault(nil)
	if h := instrumentation.Default(); h == nil || h == mine {
		t.Error("SetDefault(nil) did not make room for a new one")
	}
}

// TestHandlerUsesProvidersThatAreSetLater changes the global providers, which
// can be done once in a process.
func TestHandlerUsesProvidersThatAreSetLater(t *testing.T) {
	h := instrumentation.NewHandler(
		instrumentation.WithTracerProvider(nil), instrumentation.WithMeterProvider(nil),
		instrumentation.WithLoggerProvider(nil), nil,
		instrumentation.WithCaptureMessageContent(instrumentation.CaptureEventOnly))
	end(t, h) // nobody there yet

	before := []any{otel.GetTracerProvider(), otel.GetMeterProvider(), otel.GetLoggerProvider()}
	t.Cleanup(func() {
		otel.SetTracerProvider(before[0].(trace.TracerProvider))
		otel.SetMeterProvider(before[1].(metric.MeterProvider))
		otel.SetLoggerProvider(before[2].(otellog.LoggerProvider))
	})
	tel := &telemetry{
		Handler: h, spans: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader(), events: &eventExporter{},
	}
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(tel.spans)))
	otel.SetMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(tel.reader)))
	otel.SetLoggerProvider(sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewSimpleProcessor(tel.events))))
	end(t, h)
	tel.span(t)
	tel.event(t)
	if p := tel.points(t, "gen_ai.client.operation.duration"); len(p) != 1 || p[0].count != 1 {
		t.Errorf("duration %v", p)
	}
}
