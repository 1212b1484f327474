package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/limit"
)

// A judge is a client, a gate that paces its sends, and the evaluator over
// them. The server here stands in for a real one.
func Example() {
	server := judgetest.NewServer(judgetest.WithAnswers("toxicity", judgetest.Label("toxic", "It calls the reader an idiot.")))
	defer server.Close()

	client, err := openai.New(openai.Config{
		BaseURL: server.URL, // http://localhost:11434/v1 for Ollama
		Model:   "gemma3:4b",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	gate := limit.NewGate(limit.WithRate(limit.Rate{PerSecond: 10, Burst: 10}))
	e, err := judge.New(client, judge.WithGate(gate), judge.WithTimeout(30*time.Second))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Input: "Can I wash it at 60 degrees?", Output: "Read the label, idiot."}
	for _, r := range e.Evaluate(context.Background(), c, e.Metrics()) {
		switch r.Outcome {
		case evaluators.OutcomeScored:
			fmt.Printf("%s %.2f %s: %s\n", r.Metric, r.Score, r.Label, r.Explanation)
		case evaluators.OutcomeSkipped:
			fmt.Printf("%s skipped: %s\n", r.Metric, r.Reason)
		case evaluators.OutcomeFailed:
			fmt.Printf("%s failed: %s\n", r.Metric, r.ErrorType)
		}
	}
	// Output:
	// bias 0.00 Not Biased: Scripted.
	// toxicity 1.00 Toxic: It calls the reader an idiot.
	// answer_relevancy 1.00 Relevant: Scripted.
	// faithfulness skipped: no_documents
	// hallucination 0.00 Not Hallucinated: 1 of 1 claims supported
	// sentiment 0.50 Neutral: Scripted.
}

// A gateway can want a token in place of a key: it is fetched with the first
// call, and again before it expires.
func ExampleConfig_clientCredentials() {
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, _, _ := r.BasicAuth()
		fmt.Println("token for", id, r.FormValue("scope"))
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token": "t-1", "token_type": "Bearer", "expires_in": 3600}`)
	}))
	defer login.Close()
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("asked with", r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"choices": [{"message": {"content": "Yes."}}]}`)
	}))
	defer gateway.Close()

	client, err := openai.New(openai.Config{
		BaseURL: gateway.URL,
		Model:   "judge",
		OAuth: &judge.ClientCredentials{
			TokenURL: login.URL, ClientID: "scoring", ClientSecret: "…", Scopes: []string{"models.read"},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		r, err := client.Complete(context.Background(), judge.Request{Messages: []judge.Message{{Role: judge.RoleUser, Text: "Well?"}}})
		fmt.Println(r.Text, err)
	}
	// Output:
	// token for scoring models.read
	// asked with Bearer t-1
	// Yes. <nil>
	// asked with Bearer t-1
	// Yes. <nil>
}

// Azure takes its key in a header of its own and its version in the query.
func ExampleConfig_azure() {
	client, err := openai.New(openai.Config{
		BaseURL:    "https://example.openai.azure.com/openai/deployments/judge?api-version=2024-10-21",
		APIKey:     "…",
		AuthHeader: "api-key",
		Model:      "judge",
		Provider:   "azure.ai.openai",
	})
	fmt.Println(client, err)
	// Output: openai.Client{example.openai.azure.com:443, "judge"} <nil>
}
