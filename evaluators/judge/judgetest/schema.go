package judgetest

import (
	"encoding/json"
	"slices"
)

// schemaProblem is what a provider's strict mode has against a schema.
type schemaProblem struct {
	// context is where, in the steps of the schema.
	context []string
	what    schemaMistake
	// name of the keyword, the property or the type.
	name string
}

type schemaMistake uint8

const (
	notClosed schemaMistake = iota + 1 // additionalProperties is not false
	notRequired
	notPermitted // a keyword
	notAType
	notAnObject // at the root
	notASchema
)

// strictKeywords are those that the strict modes of all providers take. One
// or another takes more, such as bounds or references; a schema that is to work
// everywhere has none.
var (
	strictKeywords = []string{"type", "properties", "required", "additionalProperties", "items", "enum", "const", "description", "title", "anyOf"}
	schemaTypes    = []string{"object", "array", "string", "number", "integer", "boolean", "null"}
)

// checkSchema returns the first thing that breaks the rules of strict mode, or
// nil.
func checkSchema(schema json.RawMessage) *schemaProblem {
	if p := checkNode(schema, nil); p != nil {
		return p
	}
	var root struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(schema, &root)
	if root.Type != "object" {
		return &schemaProblem{what: notAnObject, name: root.Type}
	}
	return nil
}

func checkNode(schema json.RawMessage, context []string) *schemaProblem {
	var keywords map[string]json.RawMessage
	if json.Unmarshal(schema, &keywords) != nil {
		return &schemaProblem{context, notASchema, ""}
	}
	for _, k := range memberNames(schema) {
		if !slices.Contains(strictKeywords, k) {
			return &schemaProblem{context, notPermitted, k}
		}
	}
	types := typesOf(keywords["type"])
	for _, t := range types {
		if !slices.Contains(schemaTypes, t) {
			return &schemaProblem{context, notAType, t}
		}
	}
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(keywords["properties"], &properties)
	if slices.Contains(types, "object") {
		if p := checkClosed(keywords, context); p != nil {
			return p
		}
	}
	within := func(steps ...string) []string { return append(slices.Clip(context), steps...) }
	for _, name := range memberNames(keywords["properties"]) {
		if p := checkNode(properties[name], within("properties", name)); p != nil {
			return p
		}
	}
	if items := keywords["items"]; items != nil {
		if p := checkNode(items, within("items")); p != nil {
			return p
		}
	}
	var choices []json.RawMessage
	_ = json.Unmarshal(keywords["anyOf"], &choices)
	for _, c := range choices {
		if p := checkNode(c, within("anyOf")); p != nil {
			return p
		}
	}
	return nil
}

// checkClosed checks that an object takes no members but its own, and needs all
// of them.
func checkClosed(keywords map[string]json.RawMessage, context []string) *schemaProblem {
	if string(keywords["additionalProperties"]) != "false" {
		return &schemaProblem{context, notClosed, ""}
	}
	var needed []string
	_ = json.Unmarshal(keywords["required"], &needed)
	for _, name := range memberNames(keywords["properties"]) {
		if !slices.Contains(needed, name) {
			return &schemaProblem{context, notRequired, name}
		}
	}
	return nil
}

func typesOf(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var several []string
	_ = json.Unmarshal(raw, &several)
	return several
}
