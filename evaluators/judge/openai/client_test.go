package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

const okBody = `{"id":"r1","model":"m-1","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"hello"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`

func newClient(t *testing.T, cfg openai.Config) *openai.Client {
	t.Helper()
	c, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func asError(t *testing.T, err error) *judge.Error {
	t.Helper()
	var e *judge.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is no *judge.Error", err)
	}
	return e
}

// serve returns a client of a server that always answers that.
func serve(t *testing.T, status int, header map[string]string, body string) *openai.Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return newClient(t, openai.Config{Model: "m", BaseURL: srv.URL})
}

func TestRequestBody(t *testing.T) {
	zero := 0.0
	for _, tt := range []struct {
		name    string
		request judge.Request
		want    string
	}{
		{
			"schema",
			judge.Request{
				Metrics: []string{"bias"}, MaxOutputTokens: 64, Schema: json.RawMessage(`{"type":"object"}`),
				Messages: []judge.Message{{Role: judge.RoleSystem, Text: "s"}, {Role: judge.RoleUser, Text: "<u> & \u2028"}},
			},
			`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"<u> & \u2028"}],"max_tokens":64,"response_format":{"type":"json_schema","json_schema":{"name":"bias","strict":true,"schema":{"type":"object"}}}}`,
		},
		{
			"json_object",
			judge.Request{Model: "other", Format: judge.FormatJSONObject, Temperature: &zero},
			`{"model":"other","messages":[],"temperature":0,"response_format":{"type":"json_object"}}`,
		},
		{
			"none",
			judge.Request{Format: judge.FormatNone, Schema: json.RawMessage(`{}`)},
			`{"model":"m","messages":[]}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = got.ReadFrom(r.Body)
				fmt.Fprint(w, okBody)
			}))
			defer srv.Close()
			if _, err := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}).Complete(t.Context(), tt.request); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResponse(t *testing.T) {
	choice := func(rest string) string { return `{"choices":[{` + rest + `}]}` }
	for _, tt := range []struct {
		name, body string
		want       judge.Response
	}{
		{"plain", okBody, judge.Response{Text: "hello", ID: "r1", Model: "m-1", Usage: judge.Usage{InputTokens: 7, OutputTokens: 3}}},
		{"content_null", choice(`"finish_reason":"stop","message":{"content":null}`), judge.Response{}},
		{"no_message", choice(`"finish_reason":"length"`), judge.Response{Finish: judge.FinishLength}},
		{"P07_reasoning_is_not_read", choice(`"finish_reason":"stop","message":{"content":"","reasoning_content":"{\"label\":\"biased\"}","reasoning":"x"}`), judge.Response{}},
		{"P08_parts", choice(`"message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"output_text","text":"b"}]}`), judge.Response{Text: "ab"}},
		{"P25_refusal", choice(`"message":{"content":null,"refusal":"no"}`), judge.Response{Refusal: "no"}},
		{"P25_refusal_part", choice(`"message":{"content":[{"type":"refusal","refusal":"no"}]}`), judge.Response{Refusal: "no"}},
		{"F04_content_filter", choice(`"finish_reason":"content_filter","message":{"content":"par"}`), judge.Response{Text: "par", Finish: judge.FinishContentFilter}},
		{"P11_gemini_without_content", choice(`"finish_reason":"MAX_TOKENS","index":0,"message":{"role":"assistant"}`), judge.Response{Finish: judge.FinishLength}},
		{"P11_length_without_message", choice(`"finish_reason":"length"`), judge.Response{Finish: judge.FinishLength}},
		{"F03_empty_text", choice(`"finish_reason":"stop","message":{"content":""}`), judge.Response{}},
		{"F04_content_filter_of_gemini", choice(`"finish_reason":"content_filter: PROHIBITED_CONTENT","message":{}`), judge.Response{Finish: judge.FinishContentFilter}},
		{"finish_of_others", choice(`"finish_reason":"MAX_TOKENS","message":{"content":"a"}`), judge.Response{Text: "a", Finish: judge.FinishLength}},
		{"finish_null", choice(`"finish_reason":null,"message":{"content":"a"}`), judge.Response{Text: "a"}},
		{"odd_id_and_model", `{"id":7,"model":null,"choices":[{"message":{"content":"a"}}]}`, judge.Response{Text: "a", ID: "7"}},
		{"error_null", `{"error":null,"choices":[{"message":{"content":"a"}}]}`, judge.Response{Text: "a"}},
		{"$02_reasoning_within", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16,"prompt_tokens_details":{"cached_tokens":5},"completion_tokens_details":{"reasoning_tokens":6}}}`,
			judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 9, CachedTokens: 5, ReasoningTokens: 6}}},
		{"$02_reasoning_outside", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":16}}`,
			judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 9}}},
		{"$02_reasoning_outside_and_told", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":16,"completion_tokens_details":{"reasoning_tokens":6}}}`,
			judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 9, ReasoningTokens: 6}}},
		{"$02_reasoning_told_without_a_total", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":6}}}`,
			judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 9, ReasoningTokens: 6}}},
		{"$01_cost_of_openrouter", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10,"cost":0.00125}}`,
			judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 3, Cost: 0.00125, HasCost: true}}},
		{"cost_of_nothing", `{"choices":[{"message":{"content":"a"}}],"usage":{"cost":0}}`, judge.Response{Text: "a", Usage: judge.Usage{HasCost: true}}},
		{"cost_below_nothing", `{"choices":[{"message":{"content":"a"}}],"usage":{"cost":-1}}`, judge.Response{Text: "a"}},
		{"cost_beyond_a_float", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"cost":1e999}}`, judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 3}}},
		{"cost_beyond_all_money", `{"choices":[{"message":{"content":"a"}}],"usage":{"cost":1e300}}`, judge.Response{Text: "a"}},
		{"cost_null", `{"choices":[{"message":{"content":"a"}}],"usage":{"cost":null}}`, judge.Response{Text: "a"}},
		{"cost_of_another_form", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"cost":{"total":1}}}`, judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 3}}},
		{"odd_usage", `{"choices":[{"message":{"content":"a"}}],"usage":[1,2]}`, judge.Response{Text: "a"}},
		{"hostile_usage", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":-7,"completion_tokens":9e30,"total_tokens":9223372036854775807}}`, judge.Response{Text: "a"}},
		{"absurd_usage", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":1000000000000,"completion_tokens":3,"total_tokens":1000000000003}}`, judge.Response{Text: "a"}},
		{"absurd_total", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":1e12}}`, judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 7, OutputTokens: 3}}},
		{"large_usage", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":10000000,"completion_tokens":3}}`, judge.Response{Text: "a", Usage: judge.Usage{InputTokens: 10000000, OutputTokens: 3}}},
		{"usage_null", `{"choices":[{"message":{"content":"a"}}],"usage":null}`, judge.Response{Text: "a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := serve(t, 200, nil, tt.body).Complete(t.Context(), judge.Request{})
			if err != nil {
				t.Fatal(err)
			}
			got.Header = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResponseHeaderIsKept(t *testing.T) {
	got, err := serve(t, 200, map[string]string{"X-Ratelimit-Remaining-Requests": "3"}, okBody).Complete(t.Context(), judge.Request{})
	if err != nil || got.Header.Get("X-Ratelimit-Remaining-Requests") != "3" {
		t.Errorf("%v, header %v", err, got.Header)
	}
}

func TestConnectionsAreReused(t *testing.T) {
	t.Run("in_sequence", func(t *testing.T) {
		srv := judgetest.NewServer(judgetest.WithAnswers("",
			judgetest.Valid(), judgetest.Fail(evaluators.ErrorJudgeRateLimited), judgetest.Fail(evaluators.ErrorJudgeBadRequest),
			judgetest.HTTP(500, nil, strings.Repeat("x", 100<<10)), judgetest.Valid()))
		defer srv.Close()
		c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL})
		for range 20 {
			_, _ = c.Complete(t.Context(), judge.Request{Messages: []judge.Message{{Role: judge.RoleUser}}})
		}
		if srv.Count() != 20 || srv.Connections() != 1 {
			t.Errorf("%d requests over %d connections, want 20 over 1", srv.Count(), srv.Connections())
		}
	})
	t.Run("side_by_side", func(t *testing.T) {
		const calls = 64
		// Each round is answered when all of it has arrived, so that every call
		// needs a connection of its own.
		var arrived atomic.Int64
		release := make(chan struct{}, calls)
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if arrived.Add(1)%calls == 0 {
				for range calls {
					release <- struct{}{}
				}
			}
			<-release
			fmt.Fprint(w, okBody)
		}))
		var opened atomic.Int64
		srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
			if s == http.StateNew {
				opened.Add(1)
			}
		}
		srv.Start()
		defer srv.Close()
		c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL, MaxConnections: calls})
		for range 5 {
			var wg sync.WaitGroup
			for range calls {
				wg.Go(func() {
					if _, err := c.Complete(t.Context(), judge.Request{}); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}
		if n := opened.Load(); n != calls {
			t.Errorf("%d connections for 5 rounds of %d calls", n, calls)
		}
	})
}

func TestTimeoutAndCancellation(t *testing.T) {
	srv := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Hang()))
	defer srv.Close()
	request := judge.Request{Messages: []judge.Message{{Role: judge.RoleUser}}}

	t.Run("deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}).Complete(ctx, request)
		if e := asError(t, err); e.Type != evaluators.ErrorJudgeTimeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", e)
		}
	})
	t.Run("client_timeout", func(t *testing.T) {
		c := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL, HTTPClient: &http.Client{Timeout: 20 * time.Millisecond}})
		_, err := c.Complete(t.Context(), request)
		if e := asError(t, err); e.Type != evaluators.ErrorJudgeTimeout {
			t.Errorf("%v", e)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(stop)
		_, err := newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}).Complete(ctx, request)
		if e := asError(t, err); e.Type != evaluators.ErrorShutdown || !errors.Is(err, stop) {
			t.Errorf("%v", e)
		}
	})
}

func TestConnectionErrors(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	cutting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"choices":`)
	}))
	defer cutting.Close()
	resetting := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Close()))
	defer resetting.Close()
	tls := httptest.NewUnstartedServer(nil)
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // its handshake fails on purpose
	tls.StartTLS()
	defer tls.Close()
	for _, tt := range []struct{ name, url string }{
		{"refused", closed.URL},
		{"closed_without_reply", resetting.URL},
		{"cut_in_the_body", cutting.URL},
		{"certificate", tls.URL},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, openai.Config{Model: "m", BaseURL: tt.url + "?key=" + plantedKey})
			_, err := c.Complete(t.Context(), judge.Request{Messages: []judge.Message{{Role: judge.RoleUser}}})
			if e := asError(t, err); e.Type != evaluators.ErrorJudgeUnavailable || e.Err == nil {
				t.Errorf("%v", e)
			}
			if strings.Contains(err.Error(), plantedKey) {
				t.Errorf("error holds the key: %v", err)
			}
		})
	}
}
