package judgetest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// FuzzRequests: whatever is sent, strict or not, there is an answer in JSON.
func FuzzRequests(f *testing.F) {
	for _, body := range []string{
		hello, helloClaude, "", "{}", "[]", "null", `"a"`, "7", `{"model":"","messages":[{}]}`,
		responseFormat("own", "true", combined), openAIWith(`"tools":[{"type":"function","function":{"name":"own"}}],"tool_choice":"required"`),
		anthropicWith(`"output_config":{"format":{"type":"json_schema","schema":` + claimsPart + `}}`),
		`{"model":"m","messages":[{"role":"system","content":` + string(must(json.Marshal(ownForms))) + `}]}`,
	} {
		f.Add(body, "own", endForms)
	}
	strict, lenient := judgetest.NewServer(judgetest.WithRecordLimit(0)), judgetest.NewServer(judgetest.WithRecordLimit(0), judgetest.WithLenient())
	f.Cleanup(strict.Close)
	f.Cleanup(lenient.Close)
	f.Fuzz(func(t *testing.T, body, name, system string) {
		prompt := string(must(json.Marshal([]any{map[string]string{"role": "system", "content": system}})))
		for _, b := range []string{body, `{"model":"m","max_tokens":1,"messages":` + prompt + `,"response_format":{"type":"json_schema","json_schema":{"name":` + string(must(json.Marshal(name))) + `,"schema":` + body + `}}}`} {
			for _, s := range []*judgetest.Server{strict, lenient} {
				for _, path := range []string{openAIPath, anthropicPath} {
					w := httptest.NewRecorder()
					r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(b))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("Anthropic-Version", "2023-06-01")
					s.ServeHTTP(w, r)
					if !json.Valid(w.Body.Bytes()) || w.Code != 200 && w.Code != 400 {
						t.Errorf("status %d, %s", w.Code, w.Body)
					}
				}
			}
		}
	})
}
