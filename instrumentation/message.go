package instrumentation

import (
	"encoding/json"
	"slices"
)

// PartType discriminates the parts of a message, by the names of the GenAI
// conventions' message schemas (v1.41).
type PartType string

// The part types of the conventions. Anything else is kept in [Part.Raw].
const (
	PartText         PartType = "text"               // see [Text]
	PartReasoning    PartType = "reasoning"          // see [Reasoning]
	PartToolCall     PartType = "tool_call"          // see [ToolCall]
	PartToolResponse PartType = "tool_call_response" // see [ToolResponse]
	PartBlob         PartType = "blob"               // see [Blob]
	PartFile         PartType = "file"               // see [File]
	PartURI          PartType = "uri"                // see [URI]
)

// Part is one piece of a message. Type says which of the other fields have a
// meaning; use the constructors ([Text], [ToolCall], …) rather than literals.
// Recording a part copies its JSON.
type Part struct {
	Type PartType
	// Content is the text of a text or reasoning part.
	Content string
	// ID is the tool call's id in a tool call or a tool response.
	ID string
	// Name is the called tool's name.
	Name string
	// Value is a tool call's arguments or a tool response, as JSON.
	Value json.RawMessage
	// Modality is image, audio, video or document, for a blob, file or URI.
	Modality string
	// MIMEType of a blob, file or URI, where known.
	MIMEType string
	// Ref is the file's id or the URI.
	Ref string
	// Bytes is the size of a blob. Its content is not kept: no evaluator reads
	// it, and telemetry would carry megabytes.
	Bytes int
	// Raw is the part as it was received, when its type is none of the above.
	Raw json.RawMessage
}

// Text returns a text part.
func Text(content string) Part { return Part{Type: PartText, Content: content} }

// Reasoning returns a reasoning ("thinking") part. Evaluators never see it.
func Reasoning(content string) Part { return Part{Type: PartReasoning, Content: content} }

// ToolCall returns a part in which the model asks for a tool. The arguments
// are kept as JSON; a string, []byte or json.RawMessage that already is JSON
// is taken as it is.
func ToolCall(id, name string, arguments any) Part {
	return Part{Type: PartToolCall, ID: id, Name: name, Value: toJSON(arguments)}
}

// ToolResponse returns a part that answers the tool call with that id.
func ToolResponse(id string, response any) Part {
	return Part{Type: PartToolResponse, ID: id, Value: toJSON(response)}
}

// Blob returns a part with binary content, of which only the size is kept.
func Blob(modality, mimeType string, size int) Part {
	return Part{Type: PartBlob, Modality: modality, MIMEType: mimeType, Bytes: size}
}

// File returns a part that refers to an uploaded file.
func File(modality, mimeType, fileID string) Part {
	return Part{Type: PartFile, Modality: modality, MIMEType: mimeType, Ref: fileID}
}

// URI returns a part that refers to content elsewhere.
func URI(modality, mimeType, uri string) Part {
	return Part{Type: PartURI, Modality: modality, MIMEType: mimeType, Ref: uri}
}

// Raw returns a part of a type that is not known here, kept as received.
func Raw(partType string, raw json.RawMessage) Part {
	return Part{Type: PartType(partType), Raw: slices.Clone(raw)}
}

// Roles of the conventions. Providers' other roles are kept as they are.
const (
	RoleSystem    = "system"    // instructs the model
	RoleUser      = "user"      // asks
	RoleAssistant = "assistant" // is the model
	RoleTool      = "tool"      // answers the model's tool calls
)

// Message is one turn of a conversation.
type Message struct {
	Role string
	Name string
	// Parts in order. Recording a message copies them.
	Parts []Part
	// FinishReason of an output message, as the provider wrote it.
	FinishReason string
}

// UserMessage returns a message of one text part that the user says.
func UserMessage(text string) Message { return textMessage(RoleUser, text) }

// AssistantMessage returns a message of one text part that the model says.
func AssistantMessage(text string) Message { return textMessage(RoleAssistant, text) }

// SystemMessage returns a message of one text part that instructs the model.
func SystemMessage(text string) Message { return textMessage(RoleSystem, text) }

func textMessage(role, text string) Message {
	return Message{Role: role, Parts: []Part{Text(text)}}
}

// ToolDefinition is a tool that the model was offered.
type ToolDefinition struct {
	// Type is function when empty.
	Type        string
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments.
	Parameters json.RawMessage
}

// Document is a piece of text that an answer can be checked against.
type Document struct {
	ID    string
	Text  string
	Score float64 // the search's own relevance score; 0 when there is none
}

// Usage is the provider's token accounting. Zero means not reported.
type Usage struct {
	// InputTokens includes cached tokens (v1.41).
	InputTokens      int64
	OutputTokens     int64
	CacheReadTokens  int64
	CacheWriteTokens int64
	ReasoningTokens  int64 // already in OutputTokens
}
