package bootstrap

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"strings"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

// The exporters are autoexport's, which speaks HTTP where no protocol is set;
// the collector's default port, and most backends' first example, is gRPC.

func spanExporter(ctx context.Context) (trace.SpanExporter, error) {
	if defaultsToGRPC("TRACES") {
		return otlptracegrpc.New(ctx)
	}
	return autoexport.NewSpanExporter(ctx)
}

func metricReader(ctx context.Context) (metric.Reader, error) {
	if !defaultsToGRPC("METRICS") {
		return autoexport.NewMetricReader(ctx)
	}
	exporter, err := otlpmetricgrpc.New(ctx)
	if err != nil {
		return nil, err
	}
	return metric.NewPeriodicReader(exporter), nil
}

func logExporter(ctx context.Context) (log.Exporter, error) {
	if defaultsToGRPC("LOGS") {
		return otlploggrpc.New(ctx)
	}
	return autoexport.NewLogExporter(ctx)
}

// defaultsToGRPC reports whether a signal goes out by OTLP without a protocol
// being named, to an endpoint whose port is not that of OTLP over HTTP.
func defaultsToGRPC(signal string) bool {
	exporter := strings.TrimSpace(os.Getenv("OTEL_" + signal + "_EXPORTER"))
	if exporter != "" && exporter != "otlp" {
		return false
	}
	if either("OTEL_EXPORTER_OTLP_"+signal+"_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL") != "" {
		return false
	}
	return port(either("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")) != "4318"
}

func either(name, other string) string {
	return cmp.Or(strings.TrimSpace(os.Getenv(name)), strings.TrimSpace(os.Getenv(other)))
}

func port(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		_, p, _ := strings.Cut(endpoint, ":")
		return p
	}
	return u.Port()
}
