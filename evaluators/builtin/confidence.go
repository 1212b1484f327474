package builtin

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	// AttributeConfidence is how sure a scored result is, from 0 to 1: the share of
	// results like it that were right where that was measured. What it was
	// measured on is in the documentation of each metric; on other texts expect
	// less. A result that is not scored has none.
	AttributeConfidence = "genaievals.confidence"
	// AttributeEvidence says what kind of finding a verdict of faithfulness rests
	// on: one of the Evidence constants. The explanation quotes it.
	AttributeEvidence = "genaievals.evidence"
)

// The kinds of evidence of faithfulness.
const (
	EvidenceNumber   = "number"   // a number or a date that is nowhere, perhaps sentences as well
	EvidenceSentence = "sentence" // whole sentences, and no number
	EvidenceCopied   = "copied"   // nearly the words of a document
)

// confident puts its confidence on a scored result.
func confident(r evaluators.Result, confidence float64) evaluators.Result {
	r.Attributes = append(r.Attributes, attribute.Float64(AttributeConfidence, confidence))
	return r
}

// evident puts its confidence and the kind of evidence on a scored result.
func evident(r evaluators.Result, kind string) evaluators.Result {
	r.Attributes = append(r.Attributes, attribute.String(AttributeEvidence, kind))
	return confident(r, evidenceConfidence[kind])
}

// evidenceConfidence is how often a verdict on that evidence was right in public
// sets, the lowest of them: BEGIN and WiCE for what is unsupported, BEGIN for
// support.
var evidenceConfidence = map[string]float64{EvidenceNumber: 0.95, EvidenceSentence: 0.93, EvidenceCopied: 0.98}
