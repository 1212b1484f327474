package instrumentation_test

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"go.opentelemetry.io/otel"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

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

// TestHandlerUsesProvidersThatAreSetLater runs in a process of its own: the
// global providers delegate only once.
func TestHandlerUsesProvidersThatAreSetLater(t *testing.T) {
	const inner = "GENAIEVALS_TEST_GLOBAL_PROVIDERS"
	if os.Getenv(inner) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), inner+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	h := instrumentation.NewHandler(
		instrumentation.WithTracerProvider(nil), instrumentation.WithMeterProvider(nil),
		instrumentation.WithLoggerProvider(nil), nil,
		instrumentation.WithCaptureMessageContent(instrumentation.CaptureEventOnly))
	end(t, h) // nobody there yet

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
