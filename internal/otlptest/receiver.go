// Package otlptest is a receiver of OTLP over gRPC for tests: it keeps what an
// application exports, as a backend would see it.
package otlptest

import (
	"context"
	"maps"
	"net"
	"slices"
	"sync"
	"testing"

	collectorlogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
)

// Receiver keeps all spans, log records and metrics that it is sent. It is safe
// for concurrent use.
type Receiver struct {
	collectortrace.UnimplementedTraceServiceServer
	address string

	mu      sync.Mutex
	spans   []*tracepb.Span
	records []*logspb.LogRecord
	metrics map[string]*metricspb.Metric // the last sent of each name
}

// Start serves on loopback until the test ends.
func Start(t testing.TB) *Receiver {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Receiver{address: listener.Addr().String(), metrics: make(map[string]*metricspb.Metric)}
	server := grpc.NewServer()
	collectortrace.RegisterTraceServiceServer(server, r)
	collectorlogs.RegisterLogsServiceServer(server, logs{r: r})
	collectormetrics.RegisterMetricsServiceServer(server, meters{r: r})
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		server.Stop()
		<-served
	})
	return r
}

// Endpoint is the value of OTEL_EXPORTER_OTLP_ENDPOINT that leads here.
func (r *Receiver) Endpoint() string { return "http://" + r.address }

// Export takes spans.
func (r *Receiver) Export(_ context.Context, req *collectortrace.ExportTraceServiceRequest) (*collectortrace.ExportTraceServiceResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range req.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			r.spans = append(r.spans, scope.GetSpans()...)
		}
	}
	return &collectortrace.ExportTraceServiceResponse{}, nil
}

type logs struct {
	collectorlogs.UnimplementedLogsServiceServer
	r *Receiver
}

// Export takes log records.
func (l logs) Export(_ context.Context, req *collectorlogs.ExportLogsServiceRequest) (*collectorlogs.ExportLogsServiceResponse, error) {
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	for _, resource := range req.GetResourceLogs() {
		for _, scope := range resource.GetScopeLogs() {
			l.r.records = append(l.r.records, scope.GetLogRecords()...)
		}
	}
	return &collectorlogs.ExportLogsServiceResponse{}, nil
}

type meters struct {
	collectormetrics.UnimplementedMetricsServiceServer
	r *Receiver
}

// Export takes metrics.
func (m meters) Export(_ context.Context, req *collectormetrics.ExportMetricsServiceRequest) (*collectormetrics.ExportMetricsServiceResponse, error) {
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	for _, resource := range req.GetResourceMetrics() {
		for _, scope := range resource.GetScopeMetrics() {
			for _, metric := range scope.GetMetrics() {
				m.r.metrics[metric.GetName()] = metric
			}
		}
	}
	return &collectormetrics.ExportMetricsServiceResponse{}, nil
}

// Spans returns the spans received so far.
func (r *Receiver) Spans() []*tracepb.Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.spans)
}

// Records returns the log records received so far.
func (r *Receiver) Records() []*logspb.LogRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.records)
}

// Metric returns the last received state of a metric, nil if there is none.
func (r *Receiver) Metric(name string) *metricspb.Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.metrics[name]
}

// Metrics returns the last received state of every metric, by name.
func (r *Receiver) Metrics() map[string]*metricspb.Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.metrics)
}

// Attributes returns attributes as a map: strings, bools, ints as int64,
// floats; anything else as it is.
func Attributes(kvs []*commonpb.KeyValue) map[string]any {
	m := make(map[string]any, len(kvs))
	for _, kv := range kvs {
		switch v := kv.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			m[kv.GetKey()] = v.StringValue
		case *commonpb.AnyValue_BoolValue:
			m[kv.GetKey()] = v.BoolValue
		case *commonpb.AnyValue_IntValue:
			m[kv.GetKey()] = v.IntValue
		case *commonpb.AnyValue_DoubleValue:
			m[kv.GetKey()] = v.DoubleValue
		default:
			m[kv.GetKey()] = kv.GetValue()
		}
	}
	return m
}
