package manager_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/sdk/metric"
)

// However often a process starts and shuts down, one generation is reported.
func TestManagersThatWereShutDownDoNotAddUp(t *testing.T) {
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	elsewhere := metric.NewMeterProvider().Meter("test")
	for i := range 20 {
		meter := provider.Meter("test") // the provider hands out the same each time
		b := newBundle(t, manager.Config{Name: fmt.Sprint(i), Meter: meter}, newDouble(good(0), "quality"))
		_ = b.Start()
		b.invoke("x")
		_ = b.Shutdown(context.Background())
		newBundle(t, manager.Config{Meter: elsewhere}, newDouble(good(0), "quality")).start(t) // harms nobody
		for series := range collect(t, reader) {
			if !strings.Contains(series, fmt.Sprintf("genaievals.manager=%d,", i)) && !strings.Contains(series, fmt.Sprintf("genaievals.manager=%d}", i)) {
				t.Fatalf("after generation %d %s is reported", i, series)
			}
		}
		if len(collect(t, reader)) == 0 {
			t.Fatalf("nothing of generation %d is reported", i)
		}
	}
}

func TestAProviderThatIsLetGoTakesItsManagersAlong(t *testing.T) {
	freed := make(chan struct{})
	func() {
		meter := metric.NewMeterProvider(metric.WithReader(metric.NewManualReader())).Meter("test")
		b := newBundle(t, manager.Config{Meter: meter}, newDouble(good(0), "quality"))
		_ = b.Start()
		_ = b.Shutdown(context.Background())
		runtime.AddCleanup(b.Manager, func(struct{}) { close(freed) }, struct{}{})
	}()
	for range 20 {
		runtime.GC()
		select {
		case <-freed:
			return
		default:
			runtime.Gosched()
		}
	}
	<-freed // the cleanup has a goroutine of its own
}
