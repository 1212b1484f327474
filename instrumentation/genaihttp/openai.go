package genaihttp

import (
	"context"
	"encoding/json"
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

func (openAI) newReply(limit int) reply { return newOpenAIReply(limit) }

// openAIRequest is the body of a request. Fields of a type that is not theirs
// are left out, see decode.
type openAIRequest struct {
	Model               string
	Messages            []json.RawMessage
	Stream              bool
	Temperature         *float64
	TopP                *float64 `json:"top_p"`
	TopK                *float64 `json:"top_k"` // not OpenAI's: vLLM, OpenRouter
	FrequencyPenalty    *float64 `json:"frequency_penalty"`
	PresencePenalty     *float64 `json:"presence_penalty"`
	MaxTokens           *int     `json:"max_tokens"`
	MaxCompletionTokens *int     `json:"max_completion_tokens"` // replaces MaxTokens
	Seed                *int
	N                   *int
	Stop                openAIStop
	ResponseFormat      struct{ Type string } `json:"response_format"`
	Modalities          []string
	Tools               []openAITool
	Functions           []openAIFunctionDefinition // before there were tools
}

func (openAI) start(ctx context.Context, h *instrumentation.Handler, to target, body []byte) (context.Context, *instrumentation.Invocation) {
	var r openAIRequest
	decode(body, &r)
	i := instrumentation.Inference{
		Operation:        "chat",
		Provider:         to.provider,
		Model:            r.Model,
		ServerAddress:    to.address,
		ServerPort:       to.port,
		Stream:           r.Stream,
		OutputType:       r.outputType(),
		Temperature:      r.Temperature,
		TopP:             r.TopP,
		TopK:             r.TopK,
		FrequencyPenalty: r.FrequencyPenalty,
		PresencePenalty:  r.PresencePenalty,
		MaxTokens:        r.MaxCompletionTokens,
		Seed:             r.Seed,
		ChoiceCount:      r.N,
		StopSequences:    r.Stop,
		Input:            r.input(),
		Tools:            r.tools(),
	}
	if i.Provider == "" {
		i.Provider = "openai"
	}
	if i.Model == "" {
		i.Model = deployment(to.path)
	}
	if i.MaxTokens == nil {
		i.MaxTokens = r.MaxTokens
	}
	return h.StartInference(ctx, i)
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

// outputType is gen_ai.output.type, where the request asks for one.
func (r *openAIRequest) outputType() string {
	switch r.ResponseFormat.Type {
	case "json_schema", "json_object":
		return "json"
	case "text":
		return "text"
	}
	if slices.Contains(r.Modalities, "audio") {
		return "speech"
	}
	if slices.Contains(r.Modalities, "image") {
		return "image"
	}
	return ""
}

func (r *openAIRequest) input() []instrumentation.Message {
	input := make([]instrumentation.Message, 0, len(r.Messages))
	for _, raw := range r.Messages {
		var m openAIMessage
		decode(raw, &m)
		if message := m.input(); message.Role != "" || len(message.Parts) > 0 {
			input = append(input, message)
		}
	}
	return input
}

func (r *openAIRequest) tools() []instrumentation.ToolDefinition {
	var tools []instrumentation.ToolDefinition
	for _, t := range r.Tools {
		definition := t.Function
		if t.Type == "custom" {
			definition = t.Custom
		}
		if definition.Name == "" {
			definition.Name = t.Type // a server's own tool, such as web_search
		}
		tools = append(tools, definition.tool(t.Type))
	}
	for _, f := range r.Functions {
		tools = append(tools, f.tool("function"))
	}
	return tools
}

type openAITool struct {
	Type             string
	Function, Custom openAIFunctionDefinition
}

type openAIFunctionDefinition struct {
	Name, Description string
	Parameters        json.RawMessage
}

func (f openAIFunctionDefinition) tool(toolType string) instrumentation.ToolDefinition {
	return instrumentation.ToolDefinition{Type: toolType, Name: f.Name, Description: f.Description, Parameters: f.Parameters}
}

// openAIStop is a string or a list of strings.
type openAIStop []string

// UnmarshalJSON never fails: what is neither is left out.
func (s *openAIStop) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		if one != "" {
			*s = openAIStop{one}
		}
		return nil
	}
	_ = json.Unmarshal(b, (*[]string)(s))
	return nil
}
