package judge

// Format is how a judge is made to answer in JSON.
type Format uint8

// The formats, in the order in which they are tried: from the strictest, which
// leaves the least to the model. The prompt describes the answer in all of
// them.
const (
	// FormatStrictSchema has the provider enforce the schema while the model
	// writes.
	FormatStrictSchema Format = iota
	// FormatSchema sends the schema without asking for its strict enforcement.
	FormatSchema
	// FormatJSONObject has the provider enforce JSON of any form.
	FormatJSONObject
	// FormatTool offers one tool, whose input has the schema, and forces the
	// model to call it; the input is the answer.
	FormatTool
	// FormatNone sends no format: the prompt alone asks for JSON.
	FormatNone
)

// String returns strict_schema, schema, json_object, tool or none.
func (f Format) String() string {
	switch f {
	case FormatStrictSchema:
		return "strict_schema"
	case FormatSchema:
		return "schema"
	case FormatJSONObject:
		return "json_object"
	case FormatTool:
		return "tool"
	}
	return "none"
}

// FormatChooser is a [Client] that knows only some formats, such as one whose
// wire format has no JSON object mode. The others are not asked of it. A client
// that is not one is asked for all; one that ignores [Request.Format], since its
// service always answers in the same form, returns FormatNone alone.
type FormatChooser interface {
	// Formats returns those that the client can send, the strictest first. It is
	// called once.
	Formats() []Format
}
