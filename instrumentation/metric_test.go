package instrumentation_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestMetricsOfAnInference(t *testing.T) {
	tel := record(t)
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{
		Provider: "openai", Model: "gpt-5", ServerAddress: "api", ServerPort: 443, ConversationID: "c",
	})
	inv.Chunk()
	inv.SetResponse("r", "gpt-5-2026", "stop")
	inv.Chunk()
	inv.Chunk()
	inv.SetUsage(instrumentation.Usage{InputTokens: 11, OutputTokens: 22})
	inv.End()

	attributes := func(more ...string) map[string]any {
		m := map[string]any{
			"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5",
			"gen_ai.response.model": "gpt-5-2026", "server.address": "api", "server.port": 443.0,
		}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	seconds := []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	tokens := []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
	tests := []struct {
		name, unit string
		bounds     []float64
		counts     []uint64
		attributes []map[string]any
	}{
		{"gen_ai.client.operation.duration", "s", seconds, []uint64{1}, []map[string]any{attributes()}},
		{"gen_ai.client.operation.time_to_first_chunk", "s", seconds, []uint64{1}, []map[string]any{attributes()}},
		{"gen_ai.client.operation.time_per_output_chunk", "s", seconds, []uint64{2}, []map[string]any{attributes()}},
		{"gen_ai.client.token.usage", "{token}", tokens, []uint64{1, 1}, []map[string]any{
			attributes("gen_ai.token.type", "input"), attributes("gen_ai.token.type", "output"),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := tel.metrics(t)[tt.name]
			if m.Unit != tt.unit || m.Description == "" {
				t.Errorf("unit %q, description %q", m.Unit, m.Description)
			}
			points := tel.points(t, tt.name)
			if len(points) != len(tt.counts) {
				t.Fatalf("%d points, want %d", len(points), len(tt.counts))
			}
			for _, p := range points {
				i := 0
				if p.attributes["gen_ai.token.type"] == "output" {
					i = 1
				}
				if diff := cmp.Diff(tt.attributes[i], p.attributes); diff != "" || p.count != tt.counts[i] {
					t.Errorf("%d counted; attributes (-want +got):\n%s", p.count, diff)
				}
				if diff := cmp.Diff(tt.bounds, p.bounds); diff != "" {
					t.Errorf("buckets (-want +got):\n%s", diff)
				}
				if want := map[string]any{"input": 11.0, "output": 22.0}[asText(p.attributes["gen_ai.token.type"])]; want != nil && p.sum != want {
					t.Errorf("%v tokens, want %v", p.sum, want)
				}
			}
		})
	}
}

func asText(v any) string { s, _ := v.(string); return s }

func TestTokensAreCountedOnce(t *testing.T) {
	tel := record(t)
	usage := instrumentation.Usage{InputTokens: 1, OutputTokens: 1}
	ctx, workflow := tel.StartWorkflow(t.Context(), instrumentation.Workflow{})
	ctx, agent := tel.StartAgent(ctx, instrumentation.Agent{Provider: "p"})
	_, inference := tel.StartInference(ctx, instrumentation.Inference{Provider: "p"})
	_, silent := tel.StartInference(ctx, instrumentation.Inference{Provider: "p"})
	_, embeddings := tel.StartEmbeddings(ctx, instrumentation.Embeddings{Provider: "p"})
	for _, inv := range []*instrumentation.Invocation{inference, embeddings, agent, workflow} {
		inv.SetUsage(usage)
		inv.End()
	}
	silent.End()
	var counted uint64
	for _, p := range tel.points(t, "gen_ai.client.token.usage") {
		counted += p.count
		if name := p.attributes["gen_ai.operation.name"]; name != "chat" && name != "embeddings" {
			t.Errorf("tokens of %v", name)
		}
	}
	if counted != 4 {
		t.Errorf("%d points of usage, want 4", counted)
	}
	var operations uint64
	for _, p := range tel.points(t, "gen_ai.client.operation.duration") {
		operations += p.count
	}
	if operations != 5 {
		t.Errorf("%d durations, want 5", operations)
	}
}

func TestNotStreamedHasNoChunkMetrics(t *testing.T) {
	tel := record(t)
	end(t, tel.Handler)
	for name := range tel.metrics(t) {
		if strings.HasSuffix(name, "chunk") {
			t.Errorf("%s without a stream", name)
		}
	}
}

// brokenMeters makes no instruments.
type brokenMeters struct{ metricnoop.MeterProvider }
type brokenMeter struct{ metricnoop.Meter }

func (brokenMeters) Meter(string, ...metric.MeterOption) metric.Meter { return brokenMeter{} }
func (brokenMeter) Float64Histogram(string, ...metric.Float64HistogramOption) (metric.Float64Histogram, error) {
	return nil, errors.New("no room")
}
func (brokenMeter) Int64Histogram(string, ...metric.Int64HistogramOption) (metric.Int64Histogram, error) {
	return nil, errors.New("no room")
}

func TestBrokenMeterIsReportedAndHarmless(t *testing.T) {
	var logged bytes.Buffer
	tel := record(t, instrumentation.WithMeterProvider(brokenMeters{}),
		instrumentation.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))))
	_, inv := tel.StartInference(t.Context(), instrumentation.Inference{})
	inv.Chunk()
	inv.Chunk()
	inv.End()
	tel.span(t)
	if n := strings.Count(logged.String(), "level=WARN"); n != 1 {
		t.Errorf("%d warnings: %s", n, logged.String())
	}
}
