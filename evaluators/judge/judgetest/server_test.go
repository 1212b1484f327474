package judgetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func newServer(t *testing.T, opts ...judgetest.ServerOption) *judgetest.Server {
	t.Helper()
	s := judgetest.NewServer(opts...)
	t.Cleanup(s.Close)
	return s
}

// post sends a body to chat completions and returns the reply.
func post(t *testing.T, s *judgetest.Server, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

const hello = `{"model":"m","messages":[{"role":"user","content":"Hello"}]}`

func TestServerAnswersInTheFormat(t *testing.T) {
	s := newServer(t, judgetest.WithAnswers("", judgetest.Text("hi").Thought("hm").Model("m-1").
		Finish(judge.FinishLength).Usage(judge.Usage{InputTokens: 5, OutputTokens: 4, CachedTokens: 2, ReasoningTokens: 1})))
	resp, body := post(t, s, hello)
	var got map[string]any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	delete(got, "created")
	want := map[string]any{
		"id": "chatcmpl-scripted", "object": "chat.completion", "model": "m-1",
		"choices": []any{map[string]any{
			"index": 0.0, "finish_reason": "length",
			"message": map[string]any{"role": "assistant", "content": "hi", "refusal": nil, "reasoning_content": "hm"},
		}},
		"usage": map[string]any{
			"prompt_tokens": 5.0, "completion_tokens": 4.0, "total_tokens": 9.0,
			"prompt_tokens_details":     map[string]any{"cached_tokens": 2.0},
			"completion_tokens_details": map[string]any{"reasoning_tokens": 1.0},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, %s; body (-want +got):\n%s", resp.StatusCode, resp.Header.Get("Content-Type"), diff)
	}
}

func TestServerRecognisesTheQuestion(t *testing.T) {
	const label = `{"type":"object","properties":{"reason":{"type":"string"},"label":{"type":"string","enum":["fine","odd"]}}}`
	const claims = `{"type":"object","properties":{"claims":{"type":"array","items":{"type":"object","properties":{"verdict":{"enum":["yes","no"]}}}}}}`
	format := func(schema string) string {
		return fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"{}"}],"response_format":{"type":"json_schema","json_schema":{"name":"own","schema":%s}}}`, schema)
	}
	for _, tt := range []struct {
		name, body string
		question   judgetest.Question
		content    string
	}{
		{"label", format(label), judgetest.Question{Metric: "own", Metrics: []string{"own"}, Options: []string{"fine", "odd"}}, `{"reason":"Scripted.","label":"fine"}`},
		{"claims", format(claims), judgetest.Question{Metric: "own", Metrics: []string{"own"}, Claims: true, Options: []string{"yes", "no"}}, `{"claims":[{"claim":"A claim.","reason":"Scripted.","verdict":"yes"}]}`},
		{"prompt", `{"model":"m","messages":[{"role":"system","content":"x\nMetric: own\n{\"reason\": \"...\", \"label\": \"fine\" | \"odd\"}"}]}`, judgetest.Question{Metric: "own", Metrics: []string{"own"}, Options: []string{"fine", "odd"}}, `{"reason":"Scripted.","label":"fine"}`},
		{"none_of_ours", hello, judgetest.Question{}, `{"reason":"Scripted.","label":""}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t)
			_, body := post(t, s, tt.body)
			var got struct {
				Choices []struct {
					Message struct{ Content string }
				}
			}
			if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Choices) != 1 {
				t.Fatalf("%v: %s", err, body)
			}
			if c := got.Choices[0].Message.Content; c != tt.content {
				t.Errorf("content %s, want %s", c, tt.content)
			}
			if diff := cmp.Diff(tt.question, s.Requests()[0].Question); diff != "" {
				t.Errorf("question (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServerRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		option judgetest.ServerOption
		body   string
		header []string
		status int
		code   string
	}{
		{"no_json", judgetest.WithDelay(0), "hello", nil, 400, "invalid_json"},
		{"no_model", judgetest.WithDelay(0), `{"messages":[{"role":"user","content":"x"}]}`, nil, 400, "missing_required_parameter"},
		{"no_key", judgetest.WithAPIKey("k"), hello, nil, 401, "invalid_api_key"},
		{"wrong_key", judgetest.WithAPIKey("k"), hello, []string{"Authorization", "Bearer other"}, 401, "invalid_api_key"},
		{"bearer", judgetest.WithAPIKey("k"), hello, []string{"Authorization", "Bearer k"}, 200, ""},
		{"api_key_header", judgetest.WithAPIKey("k"), hello, []string{"api-key", "k"}, 200, ""},
		{"parameter", judgetest.WithUnsupported("messages"), hello, nil, 400, "unsupported_parameter"},
		{"parameter_not_sent", judgetest.WithUnsupported("max_tokens"), hello, nil, 200, ""},
		{"raw", judgetest.WithAnswers("", judgetest.HTTP(418, http.Header{"X-A": {"b"}, "content-type": {"text/plain"}}, "tea")), hello, nil, 418, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, tt.option)
			resp, body := post(t, s, tt.body, tt.header...)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.code) {
				t.Errorf("status %d, %s; want %d %s", resp.StatusCode, body, tt.status, tt.code)
			}
			if tt.name == "raw" && (body != "tea" || resp.Header.Get("X-A") != "b" || resp.Header.Get("Content-Type") != "text/plain") {
				t.Errorf("%v %q", resp.Header, body)
			}
		})
	}
}

func TestServerKeepsItsRateLimit(t *testing.T) {
	s := newServer(t, judgetest.WithRateLimit(2, time.Hour))
	for i, want := range []int{200, 200, 429, 429} {
		resp, _ := post(t, s, hello)
		if resp.StatusCode != want {
			t.Errorf("request %d: status %d, want %d", i, resp.StatusCode, want)
		}
		if want == 429 && (resp.Header.Get("Retry-After") != "3600" || resp.Header.Get("Retry-After-Ms") == "") {
			t.Errorf("request %d: Retry-After %q, Retry-After-Ms %q", i, resp.Header.Get("Retry-After"), resp.Header.Get("Retry-After-Ms"))
		}
	}
	if s.RateLimited() != 2 || s.Count() != 4 || !s.Requests()[3].Refused {
		t.Errorf("%d of %d refused", s.RateLimited(), s.Count())
	}
}

func TestServerClosesAndHangs(t *testing.T) {
	s := newServer(t, judgetest.WithAnswers("", judgetest.Close(), judgetest.Hang(), judgetest.Fail(evaluators.ErrorJudgeTimeout)))
	request := func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := request(t.Context()); err == nil {
		t.Error("a reply on a closed connection")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := request(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hanging server: %v", err)
	}
	// Close ends a request that hangs, and its client hears of it.
	done, sent := make(chan error), make(chan struct{})
	traced := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) },
	})
	go func() { done <- request(traced) }()
	<-sent
	s.Close()
	s.Close()
	if err := <-done; err == nil {
		t.Error("a reply from a closed server")
	}
	if n := s.InFlight(); n != 0 {
		t.Errorf("%d requests outlive the server", n)
	}
}

func TestServerCounts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, judgetest.WithListener(l), judgetest.WithRecordLimit(3), judgetest.WithDelay(50*time.Millisecond))
	if !strings.Contains(s.URL, l.Addr().String()) {
		t.Errorf("URL %s", s.URL)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { post(t, s, hello) })
	}
	wg.Wait()
	if s.Count() != 4 || s.Peak() < 2 || s.Peak() > 4 || s.InFlight() != 0 || len(s.Requests()) != 3 || len(s.Arrivals()) != 4 || s.Connections() < 1 {
		t.Errorf("count %d, peak %d, in flight %d, kept %d, connections %d", s.Count(), s.Peak(), s.InFlight(), len(s.Requests()), s.Connections())
	}
	if r := s.Requests()[0]; r.Model != "m" || r.User != "Hello" || string(r.Body) != hello || r.Arrived.IsZero() {
		t.Errorf("recorded %+v", r)
	}
}
