package genaievals_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/bootstrap"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
	"github.com/genaievals/genaievals/internal/otlptest"
)

// hostile is a judge that says back, in every place there is, what it was sent
// to prove who asks: in answers, errors, codes, headers and status lines, in
// turn. It answers both formats, and grants tokens at one address of two.
type hostile struct {
	*httptest.Server

	mu    sync.Mutex
	turns map[string]int      // by path
	heard map[string]struct{} // credentials
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{turns: map[string]int{}, heard: map[string]struct{}{}}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var echo []string
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Team-Token"} {
		if value := r.Header.Get(name); value != "" {
			echo = append(echo, value, strings.TrimPrefix(value, "Bearer "))
		}
	}
	if strings.HasSuffix(r.URL.Path, "token") {
		echo = append(echo, string(body))
	}
	h.mu.Lock()
	turn := h.turns[r.URL.Path]
	h.turns[r.URL.Path]++
	for _, s := range echo {
		h.heard[s] = struct{}{}
	}
	h.mu.Unlock()
	said := strings.Join(echo, " ")
	last := echo[len(echo)-1]
	encode := func(v any) string { b, _ := json.Marshal(v); return string(b) }

	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Request-Id", last)
	switch r.URL.Path {
	case "/no-token":
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"error":%q,"error_description":%q}`, last, said)
		return
	case "/token":
		_, _ = fmt.Fprint(w, `{"access_token":"planted-access-token-0001","token_type":"Bearer","expires_in":3600}`)
		return
	}
	answer := encode(map[string]string{"reason": "You are " + said, "label": "not_biased"})
	switch turn % 8 {
	case 1:
		answer = "I was asked by " + said
	case 2:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"type":"error","error":{"message":%q,"code":%q,"type":%q,"param":%q}}`, said, last, last, last)
		return
	case 3:
		w.Header().Set("Retry-After", last)
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, said)
		return
	case 4:
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 %s %s\r\n%s\r\n\r\n", last, last, said)
			_ = conn.Close()
		}
		return
	case 5:
		w.Header().Set("Location", "http://"+r.Host+"/"+last)
		w.WriteHeader(http.StatusFound)
		return
	case 6:
		answer = encode(map[string]string{"reason": "fine", "label": last})
	}
	if strings.HasSuffix(r.URL.Path, "/messages") {
		_, _ = io.WriteString(w, encode(map[string]any{
			"id": last, "type": "message", "role": "assistant", "model": last, "stop_reason": "end_turn",
			"content": []any{map[string]string{"type": "text", "text": answer}}, "usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
		}))
		return
	}
	_, _ = io.WriteString(w, encode(map[string]any{
		"id": last, "model": last, "usage": map[string]int{"prompt_tokens": 1, "completion_tokens": 1},
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": answer}}},
	}))
}

// No secret of any variable is in anything that leaves: logs at debug level,
// spans, records, metrics, status, results, errors of Start, whatever the
// judges say.
func TestSecretsLeaveThroughNothing(t *testing.T) {
	backend, server := otlptest.Start(t), newHostile(t)
	secrets := map[string]string{ // by variable
		"JUDGE_API_KEY":                    "planted-key-0001",
		"JUDGE_HEADERS":                    "X-Team-Token=planted-header-0002",
		"JUDGE_FAST_OAUTH_CLIENT_SECRET":   "planted-client-secret-0003",
		"OPENAI_API_KEY":                   "planted-openai-key-0004",
		"AZURE_OPENAI_API_KEY":             "planted-azure-key-0005",
		"ANTHROPIC_API_KEY":                "planted-anthropic-key-0006",
		"GEMINI_API_KEY":                   "planted-gemini-key-0007",
		"JUDGE_BROKEN_BASE_URL":            "https://planted-user-0008:planted-password-0009@gateway.example/v1",
		"JUDGE_BROKEN_OAUTH_TOKEN_URL":     "http://id.example/?k=planted-query-0010",
		"JUDGE_WITHHELD_HEADERS":           "planted-unreadable-0011",
		"JUDGE_CLAUDE_HEADERS":             `{"x-team-token": "planted-header-0012"}`,
		"DEEPEVAL_LLM_API_KEY":             "planted-older-key-0013",
		"JUDGE_FAST_API_KYE":               "planted-misspelt-0014",
		"JUDGE_QUERY_BASE_URL":             server.URL + "/query?sig=planted-signature-0015",
		"JUDGE_BROKEN_OAUTH_CLIENT_SECRET": "planted-client-secret-0016",
		"JUDGE_AZURE_API_KEY":              "planted-key-0017",
		"JUDGE_DENIED_OAUTH_CLIENT_SECRET": "planted-client-secret-0018",
	}
	setenv(t, secrets)
	setenv(t, map[string]string{
		"EVALUATORS": "judge(bias),fast(bias),claude(bias),azure(bias),query(bias),withheld(bias),broken(bias),denied(bias)",
		"CONCURRENT": "true", "JUDGES": "fast,claude,azure,query,withheld,broken,denied",
		"JUDGE_BASE_URL": server.URL + "/first", "JUDGE_MODEL": "m",
		"JUDGE_FAST_BASE_URL": server.URL + "/fast", "JUDGE_FAST_MODEL": "m",
		"JUDGE_FAST_OAUTH_TOKEN_URL": server.URL + "/token", "JUDGE_FAST_OAUTH_CLIENT_ID": "shop", "JUDGE_FAST_OAUTH_AUTH_METHOD": "post",
		"JUDGE_DENIED_BASE_URL": server.URL + "/denied", "JUDGE_DENIED_MODEL": "m",
		"JUDGE_DENIED_OAUTH_TOKEN_URL": server.URL + "/no-token", "JUDGE_DENIED_OAUTH_CLIENT_ID": "shop",
		"JUDGE_CLAUDE_PROVIDER": "anthropic", "JUDGE_CLAUDE_BASE_URL": strings.Replace(server.URL, "127.0.0.1", "localhost", 1), "JUDGE_CLAUDE_MODEL": "m",
		"JUDGE_AZURE_PROVIDER": "azure", "JUDGE_AZURE_BASE_URL": server.URL + "/azure", "JUDGE_AZURE_MODEL": "m",
		"JUDGE_QUERY_MODEL":    "m",
		"JUDGE_WITHHELD_MODEL": "m", "JUDGE_WITHHELD_BASE_URL": "http://localhost.invalid:1/v1",
		"JUDGE_BROKEN_MODEL":          "m",
		"OTEL_EXPORTER_OTLP_ENDPOINT": backend.Endpoint(),
	})
	var log logged
	var mu sync.Mutex
	var results strings.Builder
	scored, failed := map[string]int{}, map[string]int{}
	asked := []string{"judge", "fast", "claude", "azure", "query"}
	enough, said := make(chan struct{}), sync.Once{} // every judge was scored by and failed
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	telemetry, err := bootstrap.Start(context.Background(), genaievals.WithLogger(logger), genaievals.WithMaxAge(time.Minute),
		genaievals.WithResultHandler(func(_ *instrumentation.Invocation, batch []evaluators.Result) {
			mu.Lock()
			defer mu.Unlock()
			for _, r := range batch {
				fmt.Fprintf(&results, "%+v\n", r)
				if r.Outcome == evaluators.OutcomeScored {
					scored[r.Evaluator]++
				} else {
					failed[r.Evaluator]++
				}
			}
			both := func(judge string) bool { return scored[judge] > 0 && failed[judge] > 0 }
			if !slices.ContainsFunc(asked, func(judge string) bool { return !both(judge) }) && failed["denied"] > 0 {
				said.Do(func() { close(enough) })
			}
		}))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: genaihttp.NewTransport(nil)}
	url := modelServer(t, "Within 30 days.")
	for range 8 {
		chat(context.Background(), t, client, url, false)
	}
	select {
	case <-enough:
	case <-time.After(30 * time.Second):
		mu.Lock()
		t.Errorf("scored %v, failed %v: want some of each by %v, and a failure of denied", scored, failed, asked)
		mu.Unlock()
	}
	status := telemetry.Status()
	statusJSON, err := json.Marshal(status)
	if err != nil {
		t.Fatal(err)
	}
	over, cancelShutdown := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancelShutdown()
	_ = telemetry.Evals.Shutdown(over)
	if err := telemetry.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, badOption := genaievals.Start(context.Background(), genaievals.WithJudge(func(j *envconfig.Judge) {
		j.BaseURL, j.OAuthTokenURL, j.MaxOutputTokens = secrets["JUDGE_BROKEN_BASE_URL"], secrets["JUDGE_BROKEN_OAUTH_TOKEN_URL"], -1
	}))
	if badOption == nil {
		t.Error("a bad option started something")
	}
	mu.Lock()
	defer mu.Unlock()
	places := map[string]string{
		"logs": log.text.String(), "spans": fmt.Sprint(backend.Spans()), "records": fmt.Sprint(backend.Records()),
		"metrics": fmt.Sprint(backend.Metrics()), "status": fmt.Sprintf("%+v %s", status, statusJSON),
		"results": results.String(), "an error of Start": badOption.Error(),
	}
	if !strings.Contains(places["records"], "[credential]") || !strings.Contains(places["logs"], "DEBUG") {
		t.Error("the judges' echo did not come so far, or there is no debug log: this test looks at nothing")
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	var heard []string
	for s := range server.heard {
		heard = append(heard, s)
	}
	slices.Sort(heard)
	all := strings.Join(heard, "\n")
	if scored["denied"] > 0 {
		t.Error("the judge without a token was asked")
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("shop:" + secrets["JUDGE_DENIED_OAUTH_CLIENT_SECRET"]))
	if !strings.Contains(all, encoded) {
		t.Error("the client's secret did not reach the endpoint that grants no token")
	}
	for place, text := range places {
		if i := max(strings.Index(text, "planted-"), strings.Index(text, encoded)); i >= 0 {
			t.Errorf("in the %s: …%s…", place, text[max(0, i-120):min(len(text), i+40)])
		}
	}

	// And each went where it should, and nowhere else.
	for number, want := range map[string]bool{
		"0001": true, "0002": true, "0003": true, "0004": false, "0005": false, "0006": true, "0007": false, "0012": true, "0013": false, "0017": true,
		"0016": false, "access-token-0001": true,
	} {
		if strings.Contains(all, "-"+number) != want {
			t.Errorf("that the judges got %s is %t; they got\n%s", number, !want, all)
		}
	}
}
