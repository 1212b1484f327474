package judgetest

import (
	"net/http"
	"slices"
)

// anthropicRequest describes a messages request, without what needs a beta
// header. The parameters are those of Anthropic's own Python SDK, which is
// generated from the specification. There max_tokens can be 0, to warm a cache;
// a judge that asks so asks for nothing.
var anthropicRequest = object(members{
	"model":      required(text()),
	"max_tokens": required(integer(1, 1<<30)),
	"messages": required(fullList(object(members{
		"role":    required(word("user", "assistant")),
		"content": required(either(text(), list(anthropicBlock))),
	}))),
	"system":         either(text(), list(anthropicBlock)),
	"temperature":    number(0, 1),
	"top_p":          number(0, 1),
	"top_k":          integer(0, 1<<30),
	"stop_sequences": list(text()),
	"stream":         flag(),
	"thinking":       object(nil),
	"output_config": object(members{
		"effort": text(),
		"format": object(members{
			"type":   required(word("json_schema")),
			"schema": required(object(nil)),
		}),
		"task_budget": anything(),
	}),
	"tools": list(object(members{
		"name":          required(nameOf(128)),
		"input_schema":  required(object(nil)),
		"type":          text(),
		"description":   text(),
		"strict":        flag(),
		"cache_control": anything(),
	})),
	"tool_choice": object(members{
		"type":                      required(word("auto", "any", "tool", "none")),
		"name":                      text(),
		"disable_parallel_tool_use": flag(),
	}),
	"metadata":      object(members{"user_id": text()}),
	"service_tier":  text(),
	"cache_control": anything(),
	"container":     anything(),
	"inference_geo": text(),
})

var anthropicBlock = object(members{
	"type": required(text()), "text": text(), "cache_control": anything(), "citations": anything(),
	"thinking": text(), "signature": text(), "data": text(), "source": anything(), "title": text(), "context": text(),
	"id": text(), "name": text(), "input": anything(), "tool_use_id": text(), "content": anything(), "is_error": flag(),
})

var anthropicRules = []rule{
	{func(_ *asked, h http.Header) bool { return h.Get("Anthropic-Version") == "" }, func(*asked) refusal {
		return invalidRequest("", "", "anthropic-version: header is required")
	}},
	{func(_ *asked, h http.Header) bool { return !isJSON(h) }, func(*asked) refusal {
		return invalidRequest("", "", "content-type: must be application/json")
	}},
	{func(a *asked, _ http.Header) bool { return a.blank }, func(*asked) refusal {
		return invalidRequest("", "", "messages: text content blocks must be non-empty")
	}},
	{func(a *asked, _ http.Header) bool { return slices.Index(a.roles, "user") != 0 }, func(*asked) refusal {
		return invalidRequest("", "", "messages: first message must use the \"user\" role")
	}},
	{func(a *asked, _ http.Header) bool { return a.roles[len(a.roles)-1] == "assistant" }, func(*asked) refusal {
		return invalidRequest("", "", "This model does not support assistant message prefill. The conversation must end with a user message.")
	}},
	{missingTool, func(a *asked) refusal {
		return invalidRequest("", "", "tool_choice: Tool '"+a.choice+"' not found in provided tools")
	}},
}
