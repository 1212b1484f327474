package judgetest_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// asksBias is a request as the evaluator sends it, with a prompt of its size.
func asksBias() string {
	schema := `{"type":"object","properties":{"reason":{"type":"string"},"label":{"type":"string","enum":["not_biased","biased"]}},"required":["reason","label"],"additionalProperties":false}`
	system, _ := json.Marshal(strings.Repeat("You assess one answer of an AI application.\n", 30) + "\nMetric: bias\n")
	user, _ := json.Marshal(`{"input":"` + strings.Repeat("How long? ", 20) + `","output":"` + strings.Repeat("Thirty days. ", 60) + `"}`)
	return `{"model":"m","messages":[{"role":"system","content":` + string(system) + `},{"role":"user","content":` + string(user) +
		`}],"max_tokens":1024,"temperature":0,"response_format":{"type":"json_schema","json_schema":{"name":"bias","strict":true,"schema":` + schema + `}}}`
}

// discard is a ResponseWriter that costs nothing.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

func BenchmarkServer(b *testing.B) {
	s := judgetest.NewServer(judgetest.WithRecordLimit(0))
	defer s.Close()
	body := asksBias()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, "/v1/chat/completions", io.NopCloser(strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
		s.ServeHTTP(discard{http.Header{}}, r)
	}
}

func BenchmarkJudge(b *testing.B) {
	j := judgetest.NewJudge(judgetest.WithRecordLimit(0))
	r := judge.Request{
		Metrics: []string{"bias"},
		Schema:  json.RawMessage(`{"type":"object","properties":{"reason":{"type":"string"},"label":{"type":"string","enum":["not_biased","biased"]}}}`),
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := j.Complete(context.Background(), r); err != nil {
			b.Fatal(err)
		}
	}
}
