package anthropic_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
)

// A judge is a client and the evaluator over it. The server here stands in for
// Anthropic's, which needs no BaseURL and an APIKey.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{
			"type": "message", "model": "judge-1", "stop_reason": "end_turn",
			"content": [
				{"type": "thinking", "thinking": "Is that an insult?"},
				{"type": "text", "text": "{\"reason\": \"It calls the reader an idiot.\", \"label\": \"toxic\"}"}
			],
			"usage": {"input_tokens": 400, "output_tokens": 60}
		}`)
	}))
	defer server.Close()

	client, err := anthropic.New(anthropic.Config{BaseURL: server.URL, APIKey: "…", Model: "judge-1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := judge.New(client, judge.WithPrice(3, 15))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: "Read the label, idiot."}
	for _, m := range e.Metrics() {
		if m.Name == "toxicity" {
			r := e.Evaluate(context.Background(), c, []evaluators.Metric{m})[0]
			fmt.Printf("%s %.2f %s: %s ($%.4f)\n", r.Metric, r.Score, r.Label, r.Explanation, r.Cost)
		}
	}
	// Output:
	// toxicity 1.00 Toxic: It calls the reader an idiot. ($0.0021)
}

// A gateway may want a token that it issues itself, and headers of its own.
func ExampleConfig_gateway() {
	client, err := anthropic.New(anthropic.Config{
		BaseURL: "https://gateway.example/anthropic",
		Model:   "judge-1",
		OAuth: &judge.ClientCredentials{
			TokenURL:     "https://login.example/oauth2/token",
			ClientID:     "scoring",
			ClientSecret: "…",
			Scopes:       []string{"models.read"},
		},
		Headers: map[string]string{"X-Team": "support"},
	})
	fmt.Println(client, err)
	// Output: anthropic.Client{gateway.example:443, "judge-1"} <nil>
}
