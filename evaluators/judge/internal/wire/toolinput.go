package wire

import "encoding/json"

// ToolInput is the input of a tool's call, if there is one of that name among
// several: the last that has any, as the last word of the model. A call without
// a name is taken for one, as only one tool was offered; a call of another name
// is not.
type ToolInput struct {
	name, input string
}

// ToolNamed is for the calls of one tool.
func ToolNamed(name string) *ToolInput { return &ToolInput{name: name} }

// Add considers one more call.
func (t *ToolInput) Add(name string, input json.RawMessage) {
	if name != "" && name != t.name {
		return
	}
	if s := Text(input); s != "" {
		t.input = s
	}
}

// String is the input, empty if there is none.
func (t *ToolInput) String() string { return t.input }
