package builtin

import (
	"math"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// AttributeConfidence is how sure a scored result is, from 0 to 1. Of a word list
// it is the share of results like it that were right where that was measured; of
// a model, its probability of the label, which was trained as if labels were
// equally frequent. On other texts expect less. A result that is not scored has
// none.
const AttributeConfidence = "genaievals.confidence"

// confident puts its confidence on a scored result.
func confident(r evaluators.Result, confidence float64) evaluators.Result {
	r.Attributes = append(r.Attributes, attribute.Float64(AttributeConfidence, math.Round(confidence*1000)/1000))
	return r
}
