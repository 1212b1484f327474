package judgetest

import (
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// What follows are judges that can do only some things.

// Wording is how a server says that it does not know a parameter or a format.
// Each is how one kind of server says it.
type Wording string

// The wordings.
const (
	// WordingNative is OpenAI's or Anthropic's own, by the format of the request.
	WordingNative Wording = "native"
	// WordingValue is OpenAI's unsupported_value, and of many after it.
	WordingValue Wording = "value"
	// WordingDeepSeek has neither code nor param.
	WordingDeepSeek Wording = "deepseek"
	// WordingVLLM is a flat body.
	WordingVLLM Wording = "vllm"
	// WordingString is an error that is a string: LM Studio, Ollama.
	WordingString Wording = "string"
	// WordingGateway names a feature and no parameter.
	WordingGateway Wording = "gateway"
	// WordingFastAPI is a validator's 422.
	WordingFastAPI Wording = "fastapi"
)

// Wordings returns all of them.
func Wordings() []Wording {
	return []Wording{WordingNative, WordingValue, WordingDeepSeek, WordingVLLM, WordingString, WordingGateway, WordingFastAPI}
}

// wordingBodies have %s where the parameter is named.
var wordingBodies = map[Wording]refusal{
	WordingValue:    {status: 400, body: `{"error":{"message":"Unsupported value: '%s' does not support this with this model.","type":"invalid_request_error","param":"%s","code":"unsupported_value"}}`},
	WordingDeepSeek: {status: 400, body: `{"error":{"message":"This %s type is unavailable now","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
	WordingVLLM:     {status: 400, body: `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', '%s'), 'msg': 'Extra inputs are not permitted'}]","type":"BadRequestError","param":null,"code":400}`},
	WordingString:   {status: 400, body: `{"error":"'%s' is not supported by this model"}`},
	WordingGateway:  {status: 400, body: `{"error":{"message":"The model does not support feature: %s","code":400}}`},
	WordingFastAPI:  {status: 422, body: `{"detail":[{"loc":["body","%s"],"msg":"extra fields not permitted","type":"value_error.extra"}]}`},
}

// gatewayFeatures are what gateways call the parameters.
var gatewayFeatures = map[string]string{
	"response_format": "structured-outputs", "output_config": "structured-outputs",
	"tools": "function-calling", "tool_choice": "function-calling",
}

// word says a refusal in the next of the wordings.
func (s *script) word(native refusal, param string) refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wordings) == 0 {
		return native
	}
	wording := s.wordings[s.worded%len(s.wordings)]
	s.worded++
	r, ok := wordingBodies[wording]
	if !ok {
		return native
	}
	if feature := gatewayFeatures[param]; wording == WordingGateway && feature != "" {
		param = feature
	}
	r.body = strings.ReplaceAll(r.body, "%s", param)
	return r
}

// WithFormats makes a judge that knows only these formats; FormatNone is always
// known. A [Server] answers others 400 as [WithWordings] says, a [Judge] with
// an error that says FormatRefused.
func WithFormats(formats ...judge.Format) Option {
	return scriptOption(func(s *script) { s.formats = append([]judge.Format{judge.FormatNone}, formats...) })
}

// WithWordings has refusals of formats and of parameters said in these ways, in
// turn. The default is WordingNative.
func WithWordings(w ...Wording) ServerOption {
	return serverOption(func(s *Server) { s.script.wordings = w })
}

// WithFormatIgnored makes a judge that takes these formats and does not keep
// them: it answers in prose, whatever is scripted. None given is every format
// but FormatNone.
func WithFormatIgnored(formats ...judge.Format) Option {
	if len(formats) == 0 {
		formats = []judge.Format{judge.FormatStrictSchema, judge.FormatSchema, judge.FormatJSONObject, judge.FormatTool}
	}
	return scriptOption(func(s *script) { s.ignored = formats })
}

// WithContextLength refuses prompts longer than so many tokens, as OpenAI or
// Anthropic does; a [Judge] fails with judge_input_too_long. Four bytes of text
// count as a token, instructions included, the room for the answer not.
func WithContextLength(tokens int) Option {
	return scriptOption(func(s *script) { s.context = tokens })
}

// What follows is set before the first call and not changed.

func (s *script) knows(f judge.Format) bool {
	return s.formats == nil || slices.Contains(s.formats, f)
}

func (s *script) ignores(f judge.Format) bool { return slices.Contains(s.ignored, f) }

// tooLong returns how many tokens a prompt has, when they are too many.
func (s *script) tooLong(bytes int) (tokens int, ok bool) {
	tokens = (bytes + 3) / 4
	return tokens, s.context > 0 && tokens > s.context
}
