package wire

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/judge"
)

func TestErrorBodies(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       errorBody
		is         bool
	}{
		{"openai", `{"error":{"message":"m","type":"t","param":"p","code":"c"}}`, errorBody{code: "c", kind: "t", param: "p", message: "m"}, true},
		{"openai_nulls", `{"error":{"message":"m","type":"t","param":null,"code":null}}`, errorBody{kind: "t", message: "m"}, true},
		{"azure", `{"error":{"code":"content_filter","message":"m","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, errorBody{code: "content_filter", innerCode: "ResponsibleAIPolicyViolation", message: "m"}, true},
		{"anthropic", `{"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"ramp_limit_exceeded"}}}`, errorBody{kind: "rate_limit_error", innerCode: "ramp_limit_exceeded", message: "m"}, true},
		{"gemini_array", `[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"3s"}]}}]`, errorBody{code: "429", kind: "RESOURCE_EXHAUSTED", message: "m"}, true},
		{"vllm_flat", `{"object":"error","message":"m","type":"BadRequestError","param":null,"code":400}`, errorBody{code: "400", kind: "BadRequestError", message: "m"}, true},
		{"ollama_string", `{"error":"m"}`, errorBody{message: "m"}, true},
		{"fastapi", `{"detail":[{"loc":["body","tools",0,"type"],"msg":"unknown","input":"not read"},{"loc":["query"],"msg":"b"}]}`, errorBody{param: "tools.0.type", message: "tools.0.type: unknown; query: b"}, true},
		{"fastapi_text", `{"detail":"Not Found"}`, errorBody{message: "Not Found"}, true},
		{"gateway", `{"message":"m"}`, errorBody{message: "m"}, true},
		{"error_null", `{"error":null}`, errorBody{}, false},
		{"error_empty", `{"error":""}`, errorBody{}, false},
		{"page", `<html>`, errorBody{}, false},
		{"empty", ``, errorBody{}, false},
		{"empty_list", `[]`, errorBody{}, false},
		{"text", `"error"`, errorBody{}, false},
		{"other", `{"hello":"world"}`, errorBody{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, is := parseErrorBody([]byte(tt.body))
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(errorBody{})); diff != "" || is != tt.is {
				t.Errorf("is an error: %v, want %v (-want +got):\n%s", is, tt.is, diff)
			}
		})
	}
}

// FuzzErrorBody: whatever a server says, what is emitted of it are short names,
// and a refused format is a bad request.
func FuzzErrorBody(f *testing.F) {
	for _, body := range []string{
		`{"error":{"message":"response_format unsupported","type":"t","param":"tools[0]","code":"unsupported_value","innererror":{"code":"c"}}}`,
		`[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]`, `{"error":"tool s unsupported"}`, `{"detail":[{"loc":["body","tools"],"msg":"unknown"}]}`,
		`{"detail":{"a":[]}}`, `{"object":"error","code":400}`, `[[]]`, `{"error":[1]}`, "{\"error\":\"\xff schema \xff invalid\"}",
	} {
		f.Add(400, body)
		f.Add(500, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		r := Reply{Status: status, Header: http.Header{}, Body: []byte(body)}
		for _, failure := range []*Failure{r.Failure(), r.FailureWithin(), r.FailureOf([]byte(body))} {
			if failure == nil {
				continue
			}
			failure.judgeFormat(judge.FormatTool)
			said := failure.Error.Error()
			if failure.Type == "" || len(said) > 300 || !utf8.ValidString(said) || strings.ContainsAny(said, "\n\"{") {
				t.Errorf("%d %q: %q", status, body, said)
			}
			if failure.FormatRefused && failure.Type != "judge_bad_request" {
				t.Errorf("%d %q: a refused format is %s", status, body, failure.Type)
			}
		}
	})
}
