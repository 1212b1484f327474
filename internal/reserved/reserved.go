// Package reserved says which attribute keys are not the application's to
// set: one definition for all that copies attributes into telemetry.
package reserved

import (
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

const (
	ours   = "genaievals."
	genAI  = "gen_ai."
	server = "server."
)

// ByConventions reports whether a key has a meaning of the conventions on the
// spans and events that this library emits, so that nobody else may set it. A
// key that is empty nobody may set either.
func ByConventions(k attribute.Key) bool {
	return k == "" || k == semconv.ErrorTypeKey ||
		strings.HasPrefix(string(k), genAI) || strings.HasPrefix(string(k), server)
}

// ForApplication reports whether association properties and baggage may not
// have that key: it is the conventions' or begins with genaievals.
func ForApplication(k attribute.Key) bool {
	return ByConventions(k) || strings.HasPrefix(string(k), ours)
}
