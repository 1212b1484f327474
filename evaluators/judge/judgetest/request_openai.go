package judgetest

import (
	"net/http"
	"slices"
	"strings"
)

// openAIRequest describes a chat completions request. The parameters and their
// ranges are those of OpenAI's own Python SDK, which is generated from the
// specification, and a few that are newer.
var openAIRequest = object(members{
	"model": required(text()),
	"messages": required(fullList(object(members{
		"role": required(word("developer", "system", "user", "assistant", "tool", "function")),
		"content": either(text(), list(object(members{
			"type": required(word("text", "image_url", "input_audio", "file", "refusal")),
			"text": text(), "refusal": text(), "image_url": anything(), "input_audio": anything(), "file": anything(),
			"prompt_cache_breakpoint": anything(),
		}))),
		"name": text(), "refusal": text(), "audio": anything(),
		"tool_calls": anything(), "tool_call_id": text(), "function_call": anything(),
	}))),
	"max_tokens":            integer(1, 1<<30),
	"max_completion_tokens": integer(1, 1<<30),
	"temperature":           number(0, 2),
	"top_p":                 number(0, 1),
	"frequency_penalty":     number(-2, 2),
	"presence_penalty":      number(-2, 2),
	"n":                     integer(1, 128),
	"seed":                  integer(-1<<63, 1<<63),
	"logprobs":              flag(),
	"top_logprobs":          integer(0, 20),
	"logit_bias":            object(nil),
	"stop":                  either(text(), list(text())),
	"reasoning_effort":      word("none", "minimal", "low", "medium", "high", "xhigh"),
	"verbosity":             word("low", "medium", "high"),
	"response_format": object(members{
		"type": required(word("text", "json_object", "json_schema")),
		"json_schema": object(members{
			"name":        required(nameOf(64)),
			"description": text(),
			"strict":      flag(),
			"schema":      object(nil),
		}),
	}),
	"tools": fullList(object(members{
		"type": required(word("function")),
		"function": required(object(members{
			"name":        required(nameOf(64)),
			"description": text(),
			"strict":      flag(),
			"parameters":  object(nil),
		})),
	})),
	"tool_choice": either(word("none", "auto", "required"), object(members{
		"type":     required(word("function")),
		"function": required(object(members{"name": required(text())})),
	})),
	"parallel_tool_calls":    flag(),
	"functions":              anything(),
	"function_call":          anything(),
	"modalities":             anything(),
	"prediction":             anything(),
	"audio":                  anything(),
	"metadata":               object(nil),
	"store":                  flag(),
	"user":                   text(),
	"safety_identifier":      text(),
	"prompt_cache_key":       text(),
	"prompt_cache_retention": text(),
	"service_tier":           text(),
	"stream":                 flag(),
	"stream_options":         anything(),
	"web_search_options":     anything(),
})

var openAIRules = []rule{
	{func(_ *asked, h http.Header) bool { return !isJSON(h) }, func(*asked) refusal {
		return invalidRequest("", "", "Invalid Content-Type: it must be 'application/json'.")
	}},
	{func(a *asked, _ http.Header) bool { return a.budgets > 1 }, func(*asked) refusal {
		return invalidRequest("invalid_parameter_combination", "max_tokens", "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
	}},
	{func(a *asked, _ http.Header) bool { return a.format.String() == "json_object" && !a.saysJSON }, func(*asked) refusal {
		return invalidRequest("", "messages", "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.")
	}},
	{missingTool, func(a *asked) refusal {
		return invalidRequest("", "tool_choice", "Invalid value for 'tool_choice': no function named '"+a.choice+"' was specified in the 'tools' parameter.")
	}},
}

func missingTool(a *asked, _ http.Header) bool {
	return a.choice != "" && !slices.Contains(a.tools, a.choice)
}

func isJSON(h http.Header) bool {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/json")
}

func invalidRequest(code, param, message string) refusal {
	return refusal{status: http.StatusBadRequest, kind: "invalid_request_error", code: code, param: param, message: message}
}
