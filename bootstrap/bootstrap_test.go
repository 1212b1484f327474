package bootstrap_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/bootstrap"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/otlptest"
	"go.opentelemetry.io/otel"
)

func start(t *testing.T) *bootstrap.Telemetry {
	t.Helper()
	telemetry, err := bootstrap.Start(context.Background(),
		genaievals.WithEvaluators("builtin(sentiment)"), genaievals.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	return telemetry
}

func answer(telemetry *bootstrap.Telemetry) {
	_, inv := telemetry.Handler().StartInference(context.Background(), instrumentation.Inference{Provider: "openai", Model: "m"})
	inv.SetOutput(instrumentation.AssistantMessage("I am happy to help."))
	inv.End()
}

func TestEverythingIsExportedByGRPCWhereNoProtocolIsSet(t *testing.T) {
	for _, exporter := range []string{"", "otlp"} {
		t.Run("exporter="+exporter, func(t *testing.T) {
			backend := otlptest.Start(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", backend.Endpoint())
			for _, signal := range []string{"TRACES", "METRICS", "LOGS"} {
				t.Setenv("OTEL_"+signal+"_EXPORTER", exporter)
			}
			telemetry := start(t)
			answer(telemetry)
			// Flush is enough to see it; Shutdown exports what comes after.
			if err := telemetry.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
			if len(backend.Spans()) != 2 || len(backend.Records()) != 1 || backend.Metric("gen_ai.evaluation.score") == nil {
				t.Errorf("%d spans and %d records arrived after Flush", len(backend.Spans()), len(backend.Records()))
			}
			answer(telemetry)
			if err := telemetry.Shutdown(context.Background()); err != nil {
				t.Fatal(err)
			}
			if len(backend.Spans()) != 4 || len(backend.Records()) != 2 {
				t.Errorf("%d spans and %d records arrived after Shutdown", len(backend.Spans()), len(backend.Records()))
			}
		})
	}
}

func TestExportsByHTTPWhereTheProtocolSaysSo(t *testing.T) {
	var mu sync.Mutex
	paths := map[string]bool{}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		defer mu.Unlock()
		paths[r.URL.Path] = true
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	defer backend.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", backend.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
	telemetry := start(t)
	answer(telemetry)
	if err := telemetry.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/v1/traces", "/v1/metrics", "/v1/logs"} {
		if !paths[path] {
			t.Errorf("nothing came to %s: %v", path, paths)
		}
	}
}

func TestDisabledSDKInstallsAndEvaluatesNothing(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Setenv("OTEL_SDK_DISABLED", "true")
	telemetry := start(t)
	answer(telemetry)
	if telemetry.Off() == "" || otel.GetTracerProvider() != before {
		t.Errorf("off %q; the tracer provider changed: %t", telemetry.Off(), otel.GetTracerProvider() != before)
	}
	if err := telemetry.Flush(context.Background()); err != nil {
		t.Error(err)
	}
	if err := telemetry.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestAVariableThatMakesNoExporterIsWarnedAboutAndTheRestGoesOn(t *testing.T) {
	for _, variable := range []string{"OTEL_TRACES_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_LOGS_EXPORTER", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		t.Run(variable, func(t *testing.T) {
			backend := otlptest.Start(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", backend.Endpoint())
			t.Setenv(variable, "carrier-pigeon")
			var said strings.Builder
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&said, nil)))
			defer slog.SetDefault(before)
			telemetry := start(t)
			answer(telemetry)
			if err := telemetry.Shutdown(context.Background()); err != nil {
				t.Fatal(err)
			}
			if strings.Count(said.String(), "level=WARN") != 1 || !strings.Contains(said.String(), variable) {
				t.Errorf("said %q, want one warning that names %s", said.String(), variable)
			}
			if strings.Contains(variable, "TRACES") == (len(backend.Spans()) > 0) || strings.Contains(variable, "LOGS") == (len(backend.Records()) > 0) {
				t.Errorf("%d spans and %d records arrived", len(backend.Spans()), len(backend.Records()))
			}
		})
	}
}

func TestASecondStartReturnsTheRunningOneAndAfterShutdownANewOne(t *testing.T) {
	backend := otlptest.Start(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", backend.Endpoint())
	first := start(t)
	if second := start(t); second != first {
		t.Error("a second Start made another one")
	}
	if err := first.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	third := start(t)
	if third == first || third.Handler() == first.Handler() {
		t.Error("Start after Shutdown goes on with what was shut down")
	}
	answer(third)
	if err := third.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(backend.Records()) != 1 {
		t.Errorf("%d records arrived, want 1", len(backend.Records()))
	}
}

func TestABadOptionInstallsNothing(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Setenv("OTEL_TRACES_EXPORTER", "none")
	t.Setenv("OTEL_METRICS_EXPORTER", "none")
	t.Setenv("OTEL_LOGS_EXPORTER", "none")
	if _, err := bootstrap.Start(context.Background(), genaievals.WithWorkers(0)); err == nil {
		t.Error("a bad option was taken")
	}
	if otel.GetTracerProvider() != before {
		t.Error("providers were installed")
	}
}
