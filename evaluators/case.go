package evaluators

import "github.com/genaievals/genaievals/instrumentation"

// Case is what is scored: the normalised text of an invocation, or an item of
// a dataset. It is made once and shared by all metrics; nobody modifies it.
type Case struct {
	// ID identifies the case where there is one: an item's id, a response id.
	ID string
	// Kind of the invocation; KindInference for dataset items.
	Kind instrumentation.Kind

	// Output is the text of the first choice; Choices counts all of them.
	Output  string
	Choices int
	// Input is the last user turn, History the turns before it, System the
	// system instructions.
	Input   string
	History []Turn
	System  string
	// Documents are what the output can be checked against. Blank ones are
	// left out.
	Documents []instrumentation.Document
	// Expected is the wanted output, where a dataset has one.
	Expected string

	// ToolCallOnly: the output asks for tools and says nothing. NonText: the
	// output has parts, none of them text. Truncated: the provider cut the
	// output (finish reason length); it is evaluated as it stands, and the
	// results say so.
	ToolCallOnly, NonText, Truncated bool
	// InputTruncated: the recording let some of the input go, so that neither
	// Input nor History nor Documents are sure to be all that they were. No
	// metric that needs input or documents is asked.
	InputTruncated bool
	// Suppressed: the invocation was made below instrumentation.Suppress or
	// WithoutEvaluation; no judge may see it.
	Suppressed bool

	// Provider and Model produced the output, where known.
	Provider, Model string
}

// Turn is one earlier turn of a conversation.
type Turn struct {
	Role string `json:"role"`
	Text string `json:"text"`
}
