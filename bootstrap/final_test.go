package bootstrap_test

import (
	"context"
	"testing"

	"github.com/genaievals/genaievals/internal/otlptest"
)

// The providers collect for the last time after genaievals was shut down.
func TestTheLastExportHasTheFinalCounts(t *testing.T) {
	for range 3 { // a process that starts again
		backend := otlptest.Start(t)
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", backend.Endpoint())
		telemetry := start(t)
		answer(telemetry)
		if err := telemetry.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"genaievals.lane.tasks", "genaievals.invocations", "genaievals.evaluations"} {
			if backend.Metric(name) == nil {
				t.Errorf("%s was not exported", name)
			}
		}
	}
}
