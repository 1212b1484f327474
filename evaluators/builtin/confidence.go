package builtin

import (
	"math"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// AttributeConfidence is how probable it is, from 0 to 1, that the label is
// right, as far as the metric can tell. A result that is not scored has none.
const AttributeConfidence = "genaievals.confidence"

// sure adds how sure a scored result is.
func sure(r evaluators.Result, confidence float64) evaluators.Result {
	r.Attributes = append(r.Attributes, attribute.Float64(AttributeConfidence, math.Round(confidence*1000)/1000))
	return r
}
