package builtin

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// AttributeEvidence says what kind of finding a verdict of faithfulness rests
// on: one of the Evidence constants. The explanation quotes it.
const AttributeEvidence = "genaievals.evidence"

// The kinds of evidence of faithfulness.
const (
	EvidenceNumber   = "number"   // a number or a date that is nowhere, perhaps sentences as well
	EvidenceSentence = "sentence" // whole sentences, and no number
	EvidenceCopied   = "copied"   // nearly the words of a document
)

// evident puts its confidence and the kind of evidence on a scored result.
func evident(r evaluators.Result, kind string) evaluators.Result {
	r.Attributes = append(r.Attributes, attribute.String(AttributeEvidence, kind))
	return confident(r, evidenceConfidence[kind])
}

// evidenceConfidence is how often a verdict on that evidence was right in public
// sets, the lowest of them: BEGIN and WiCE for what is unsupported, BEGIN for
// support.
var evidenceConfidence = map[string]float64{EvidenceNumber: 0.95, EvidenceSentence: 0.93, EvidenceCopied: 0.98}
