package genaihttp

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// openAI is the chat completions format of OpenAI, spoken by most providers
// and local servers.
// https://platform.openai.com/docs/api-reference/chat
type openAI struct{}

const chatCompletions = "/chat/completions"

func (openAI) matches(req *http.Request) bool {
	if req.Method != http.MethodPost || !strings.HasSuffix(strings.TrimSuffix(req.URL.Path, "/"), chatCompletions) {
		return false
	}
	contentType := req.Header.Get("Content-Type")
	return contentType == "" || strings.Contains(strings.ToLower(contentType), "json")
}

func (openAI) newReply(status, limit int) reply {
	return &openAIReply{status: status, room: limit}
}

func (openAI) start(ctx context.Context, h *instrumentation.Handler, to target, body content) (_ context.Context, _ *instrumentation.Invocation, whole bool) {
	i := instrumentation.Inference{
		Operation:     "chat",
		Provider:      to.provider,
		ServerAddress: to.address,
		ServerPort:    to.port,
	}
	whole = readOpenAIRequest(body, &i)
	if i.Provider == "" {
		i.Provider = "openai"
	}
	if i.Model == "" {
		i.Model = deployment(to.path)
	}
	ctx, inv := h.StartInference(ctx, i)
	return ctx, inv, whole
}

func (openAI) input(body content) (model string, input []instrumentation.Message, whole bool) {
	var i instrumentation.Inference
	whole = readOpenAIRequest(body, &i)
	return i.Model, i.Input, whole
}

// readOpenAIRequest reads a request's members into i, and reports whether that
// is all of the messages.
func readOpenAIRequest(body content, i *instrumentation.Inference) (whole bool) {
	v, valid := readable(body.json)
	messages := quota{left: maxInput}
	var last string
	seen := false
	var maxTokens, maxCompletionTokens *int
	var format, modality string
	var tools, functions []instrumentation.ToolDefinition
	for name, v := range v.members() {
		last = name
		switch name {
		case "model":
			i.Model = v.short()
		case "messages":
			i.Input = inputMessages(v, &messages)
			seen = true
		case "stream":
			i.Stream = v.isTrue()
		case "temperature":
			i.Temperature = v.number()
		case "top_p":
			i.TopP = v.number()
		case "top_k": // not OpenAI's: vLLM, OpenRouter
			i.TopK = v.number()
		case "frequency_penalty":
			i.FrequencyPenalty = v.number()
		case "presence_penalty":
			i.PresencePenalty = v.number()
		case "max_tokens":
			maxTokens = v.int()
		case "max_completion_tokens": // what max_tokens is called now
			maxCompletionTokens = v.int()
		case "seed":
			i.Seed = v.int()
		case "n":
			i.ChoiceCount = v.int()
		case "stop":
			i.StopSequences = stopSequences(v)
		case "response_format":
			format = outputType(v)
		case "modalities":
			modality = outputModality(v)
		case "tools":
			tools = openAITools(v)
		case "functions": // before there were tools
			functions = openAIFunctions(v)
		}
	}
	if i.MaxTokens = maxCompletionTokens; i.MaxTokens == nil {
		i.MaxTokens = maxTokens
	}
	if i.OutputType = format; format == "" {
		i.OutputType = modality
	}
	i.Tools = slices.Concat(tools, functions)
	switch {
	case messages.cut:
		return false
	case valid && !body.cut:
		return true
	}
	return seen && (!body.open || last != "messages")
}

// deployment returns the name in an Azure path, which stands for the model:
// /openai/deployments/NAME/chat/completions.
func deployment(path string) string {
	_, rest, found := strings.Cut(path, "/deployments/")
	name, _, more := strings.Cut(rest, "/")
	if !found || !more {
		return ""
	}
	if plainName, err := url.PathUnescape(name); err == nil {
		return plainName
	}
	return name
}

// outputType is gen_ai.output.type, where the response format says it.
func outputType(format value) string {
	for name, v := range format.members() {
		if name != "type" {
			continue
		}
		switch v.short() {
		case "json_schema", "json_object":
			return "json"
		case "text":
			return "text"
		}
	}
	return ""
}

// outputModality is gen_ai.output.type, where more than text is asked for.
func outputModality(modalities value) string {
	for _, v := range modalities.elements(maxItems) {
		switch v.short() {
		case "audio":
			return "speech"
		case "image":
			return "image"
		}
	}
	return ""
}

func stopSequences(v value) []string {
	if s := v.str(); s != "" {
		return []string{s}
	}
	var list []string
	for _, v := range v.elements(maxItems) {
		if s := v.str(); s != "" {
			list = append(list, s)
		}
	}
	return list
}

func openAITools(v value) []instrumentation.ToolDefinition {
	var tools []instrumentation.ToolDefinition
	for _, v := range v.elements(maxTools) {
		t := instrumentation.ToolDefinition{}
		var toolType string
		for name, v := range v.members() {
			switch name {
			case "type":
				toolType = v.short()
			case "function", "custom":
				t = openAIFunctionDefinition(v)
			}
		}
		t.Type = toolType
		if t.Name == "" {
			t.Name = toolType // a server's own tool, such as web_search
		}
		tools = append(tools, t)
	}
	return tools
}

func openAIFunctions(v value) []instrumentation.ToolDefinition {
	var functions []instrumentation.ToolDefinition
	for _, v := range v.elements(maxTools) {
		functions = append(functions, openAIFunctionDefinition(v))
	}
	return functions
}

func openAIFunctionDefinition(v value) instrumentation.ToolDefinition {
	t := instrumentation.ToolDefinition{Type: "function"}
	for name, v := range v.members() {
		switch name {
		case "name":
			t.Name = v.short()
		case "description":
			t.Description = v.str()
		case "parameters":
			t.Parameters = v.json()
		}
	}
	return t
}
