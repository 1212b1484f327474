package judgetest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// ask posts a request and prints what came of it.
func ask(url, body string, header ...string) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	reply, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(reply))
}

// One server speaks both formats, and holds requests to them.
func ExampleServer_AnthropicURL() {
	server := judgetest.NewServer(judgetest.WithAnswers("", judgetest.Text("Fine.").NoUsage()))
	defer server.Close()

	url := server.AnthropicURL() + "/v1/messages"
	ask(url, `{"model":"large","max_tokens":100,"messages":[{"role":"user","content":"How are you?"}]}`, "anthropic-version", "2023-06-01")
	ask(url, `{"model":"large","messages":[{"role":"user","content":"How are you?"}]}`, "anthropic-version", "2023-06-01")
	ask(server.URL+"/chat/completions", `{"model":"large","messages":[{"role":"user","content":"How are you?"}],"top_k":1}`)
	for _, r := range server.Requests() {
		fmt.Println(r.API, r.MaxOutputTokens, r.Played.Kind)
	}
	// Output:
	// 200 {"id":"msg_scripted","type":"message","role":"assistant","model":"large","content":[{"type":"text","text":"Fine."}],"stop_reason":"end_turn","stop_sequence":null}
	// 400 {"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: Field required"},"request_id":"req_scripted"}
	// 400 {"error":{"message":"Unrecognized request argument supplied: top_k","type":"invalid_request_error","param":null,"code":null}}
	// anthropic 100 text
	// anthropic 0 refused
	// openai 0 refused
}

// A fault is one way in which a real server is known to go wrong. This gateway
// says overloaded with a status of success; it is well the next time.
func ExampleFault() {
	server := judgetest.NewServer(judgetest.WithAnswers("bias", judgetest.FaultOverloadedOK.Answer(), judgetest.Valid()))
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "small"})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := judge.New(client)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: "Hello."}
	for _, r := range e.Evaluate(context.Background(), c, e.Metrics()[:1]) {
		fmt.Println(r.Metric, r.Label, "after", r.Attempts)
	}
	// Output:
	// bias Not Biased after 2
}

// A model that does what it likes: each result is scored as the last answer was
// meant, or failed with its type. In a test, do it some hundred times, in a
// testing/synctest bubble, since what is sent again waits.
func ExampleWithChaos() {
	j := judgetest.NewJudge(judgetest.WithChaos(6))
	e, err := judge.New(j)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: "Hello."}
	misread := 0
	for range 5 {
		r := e.Evaluate(context.Background(), c, e.Metrics()[:1])[0]
		last := j.Calls()[j.Count()-1].Played
		switch {
		case last.Valid():
			if biased := last.Verdicts[0].Label == "biased"; r.Outcome != evaluators.OutcomeScored || biased != (r.Score == 1) {
				misread++
			}
		case r.ErrorType != last.ErrorType:
			misread++
		}
	}
	fmt.Println(misread, "misread")
	// Output:
	// 0 misread
}
