package bootstrap

import "testing"

func TestProtocolFollowsTheEndpointsPort(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		grpc bool
	}{
		{"nothing set", nil, true},
		{"the collector's gRPC port", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317"}, true},
		{"the collector's HTTP port", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, false},
		{"the HTTP port with a path", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector:4318/otlp"}, false},
		{"the HTTP port without a scheme", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "localhost:4318"}, false},
		{"no port", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector"}, true},
		{"the signal's endpoint beats the common one", map[string]string{
			"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4317",
		}, true},
		{"another signal's endpoint", map[string]string{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://localhost:4318"}, true},
		{"a protocol", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, false},
		{"the signal's protocol", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc"}, false}, // autoexport does it
		{"another exporter", map[string]string{"OTEL_TRACES_EXPORTER": "console"}, false},
		{"otlp by name", map[string]string{"OTEL_TRACES_EXPORTER": " otlp "}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			if got := defaultsToGRPC("TRACES"); got != tt.grpc {
				t.Errorf("defaults to gRPC: %t, want %t", got, tt.grpc)
			}
		})
	}
}
