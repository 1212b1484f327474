package genaihttp

// openAIError is what servers put where an error belongs. They are loose about
// it:
//
//	{"error": {"code": "rate_limit_exceeded", "type": "requests", …}}   OpenAI, Azure
//	[{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", …}}]       Gemini
//	{"error": "text"}                                                   Ollama
//	{"object": "error", "type": "BadRequestError", "code": 400, …}      vLLM
//	{"error": {"code": "429", "type": "None", …}}                       LiteLLM
type openAIError struct {
	present                bool
	code, errorType, state string
}

// readOpenAIError reads a body, which is an error when failed says so, or when
// it says so itself.
func readOpenAIError(v value, status int, failed bool) *ResponseError {
	for _, first := range v.elements(1) {
		v = first
	}
	var flat, nested openAIError
	for name, v := range v.members() {
		switch name {
		case "error":
			nested.read(v)
		case "object":
			flat.present = flat.present || v.short() == "error"
		default:
			flat.member(name, v)
		}
	}
	switch {
	case nested.present:
		return nested.failure(status)
	case flat.present, failed:
		return flat.failure(status)
	}
	return nil
}

// read reads the value of an error member: an object, a text, or a name as in
// OAuth. Servers also send it empty when all is well.
func (e *openAIError) read(v value) {
	switch {
	case v.isString():
		e.errorType = v.short()
		e.present = e.errorType != ""
	case v.isObject():
		for name, v := range v.members() {
			e.present = true
			e.member(name, v)
		}
	}
}

func (e *openAIError) member(name string, v value) {
	switch name {
	case "code":
		e.code = v.argument()
	case "type":
		e.errorType = v.short()
	case "status": // Gemini
		e.state = v.short()
	}
}

// failure takes for the type the most telling of what looks like an
// identifier, else a number that looks like a status.
func (e *openAIError) failure(status int) *ResponseError {
	for _, s := range []string{e.code, e.errorType, e.state} {
		if identifier(s) {
			return &ResponseError{StatusCode: status, Type: s}
		}
	}
	if c := e.code; len(c) == 3 && (c[0] == '4' || c[0] == '5') && value(c).integer() != nil {
		return &ResponseError{StatusCode: status, Type: c}
	}
	return statusError(status)
}
