package openai_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// refusing is a server that refuses parameters with a body of its own.
func refusing(t *testing.T, refusals map[string]string) (url string, bodies func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = append(got, string(b))
		mu.Unlock()
		for param, body := range refusals {
			if strings.Contains(string(b), `"`+param+`"`) {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, body)
				return
			}
		}
		fmt.Fprint(w, okBody)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return got
	}
}

const (
	refusesMaxTokens = `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`
	refusesNewTokens = `{"error":{"message":"Unrecognized request argument supplied: max_completion_tokens","type":"invalid_request_error","param":null,"code":null}}`
	refusesWarmth    = `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`
)

func TestRefusedParametersAreLearned(t *testing.T) {
	zero := 0.0
	for _, tt := range []struct {
		name     string
		refusals map[string]string
		adapted  int      // calls that fail with Adapted
		want     []string // last body: has these
		without  []string // and not these
		final    string   // error type of the last call
	}{
		{"C01_temperature", map[string]string{"temperature": refusesWarmth}, 1, []string{`"max_tokens":9`}, []string{"temperature"}, ""},
		{"C01_temperature_other_words", map[string]string{"temperature": `{"detail":"temperature: Extra inputs are not permitted"}`}, 1, nil, []string{"temperature"}, ""},
		{"C01_temperature_by_location", map[string]string{"temperature": `{"detail":[{"type":"extra_forbidden","loc":["body","temperature"],"msg":"Extra inputs are not permitted","input":0}]}`}, 1, nil, []string{"temperature"}, ""},
		{"C02_max_tokens", map[string]string{"max_tokens": refusesMaxTokens}, 1, []string{`"max_completion_tokens":9`, "temperature"}, []string{`"max_tokens"`}, ""},
		{"C03_older_server", map[string]string{"max_completion_tokens": refusesNewTokens}, 0, []string{`"max_tokens":9`}, nil, ""},
		{"C03_no_ping_pong", map[string]string{"max_tokens": refusesMaxTokens, "max_completion_tokens": refusesNewTokens}, 1, []string{"max_completion_tokens"}, nil, evaluators.ErrorJudgeBadRequest},
		{"both", map[string]string{"max_tokens": refusesMaxTokens, "temperature": refusesWarmth}, 2, []string{"max_completion_tokens"}, []string{"temperature", `"max_tokens"`}, ""},
		{"C05_value_too_large_is_no_refusal", map[string]string{"max_tokens": `{"error":{"message":"max_tokens is too large: 9. This model supports at most 8 completion tokens.","param":"max_tokens","code":"invalid_value"}}`}, 0, []string{`"max_tokens":9`}, nil, evaluators.ErrorJudgeBadRequest},
		{"C05_other_parameter", map[string]string{"temperature": `{"error":{"message":"Unsupported parameter: 'frobnicate'","param":"frobnicate","code":"unsupported_parameter"}}`}, 0, []string{"temperature"}, nil, evaluators.ErrorJudgeBadRequest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, bodies := refusing(t, tt.refusals)
			c := newClient(t, openai.Config{Model: "m", BaseURL: url})
			request := judge.Request{MaxOutputTokens: 9, Temperature: &zero}
			adapted, final := 0, ""
			for range 6 {
				_, err := c.Complete(t.Context(), request)
				if final = ""; err != nil {
					e := asError(t, err)
					final = e.Type
					if e.Adapted {
						adapted++
						continue
					}
				}
			}
			if adapted != tt.adapted || final != tt.final {
				t.Errorf("adapted %d times, ended with %q; want %d, %q", adapted, final, tt.adapted, tt.final)
			}
			all := bodies()
			last := all[len(all)-1]
			for _, w := range tt.want {
				if !strings.Contains(last, w) {
					t.Errorf("%s lacks %s", last, w)
				}
			}
			for _, w := range tt.without {
				if strings.Contains(last, w) {
					t.Errorf("%s has %s", last, w)
				}
			}
		})
	}
}

// TestDialectIsOfTheModel: what one model refuses another may need.
func TestDialectIsOfTheModel(t *testing.T) {
	url, bodies := refusing(t, map[string]string{"new-model": refusesMaxTokens})
	c := newClient(t, openai.Config{Model: "old-model", BaseURL: url})
	_, _ = c.Complete(t.Context(), judge.Request{Model: "new-model", MaxOutputTokens: 9})
	_, _ = c.Complete(t.Context(), judge.Request{Model: "new-model", MaxOutputTokens: 9})
	_, _ = c.Complete(t.Context(), judge.Request{MaxOutputTokens: 9})
	var got []bool
	for _, b := range bodies() {
		got = append(got, strings.Contains(b, "max_completion_tokens"))
	}
	if diff := cmp.Diff([]bool{false, true, false}, got); diff != "" {
		t.Errorf("max_completion_tokens sent:\n%s", diff)
	}
}

// TestLearningSideBySide: calls that were under way when the first refusal
// came may be sent again as well.
func TestLearningSideBySide(t *testing.T) {
	srv := judgetest.NewServer(judgetest.WithUnsupported("max_tokens", "temperature"))
	defer srv.Close()
	e, err := judge.New(newClient(t, openai.Config{Model: "m", BaseURL: srv.URL}), judge.WithTemperature(0))
	if err != nil {
		t.Fatal(err)
	}
	c := &evaluators.Case{Output: "Hello."}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if r := e.Evaluate(t.Context(), c, e.Metrics()[:1])[0]; r.Outcome != evaluators.OutcomeScored {
				t.Errorf("result %+v", r)
			}
		})
	}
	wg.Wait()
	before := srv.Count()
	if r := e.Evaluate(t.Context(), c, e.Metrics()[:1])[0]; r.Attempts != 1 || srv.Count() != before+1 {
		t.Errorf("what was learned is forgotten: %d attempts", r.Attempts)
	}
}
