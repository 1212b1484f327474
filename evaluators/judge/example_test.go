package judge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// wordList stands for a classifier service: a judge that is no language model.
// It answers one metric and says so for the others.
type wordList []string

// Formats says that there is nothing to choose: the answer always has the same
// form.
func (wordList) Formats() []judge.Format { return []judge.Format{judge.FormatNone} }

// Endpoint is what the spans of the calls say.
func (wordList) Endpoint() judge.Endpoint { return judge.Endpoint{Provider: "words", Model: "words-1"} }

func (w wordList) Complete(_ context.Context, r judge.Request) (judge.Response, error) {
	if r.Metrics[0] != "toxicity" {
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Code: "toxicity_only"}
	}
	var document struct {
		Output string `json:"output"`
	}
	if err := json.Unmarshal([]byte(r.Messages[1].Text), &document); err != nil {
		return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeBadRequest, Err: err}
	}
	label := "non_toxic"
	for _, word := range w {
		if strings.Contains(document.Output, word) {
			label = "toxic"
		}
	}
	return judge.Response{Text: fmt.Sprintf(`{"reason": "by the word list", "label": %q}`, label), Model: "words-1"}, nil
}

func ExampleClient() {
	e, err := judge.New(wordList{"idiot"}, judge.WithName("words"))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: "Read the label, idiot."}
	for _, r := range e.Evaluate(context.Background(), c, e.Metrics()[:2]) {
		fmt.Println(r.Metric, r.Outcome, r.Label, r.Err)
	}
	// Output:
	// bias failed  judge_bad_request, code toxicity_only
	// toxicity scored Toxic <nil>
}

// A judge with a small window is shown the beginning and the end of a long
// answer.
func ExampleWithMaxInputTokens() {
	e, err := judge.New(wordList{"idiot"}, judge.WithMaxInputTokens(1024))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := &evaluators.Case{Output: strings.Repeat("Read the label. ", 1000) + "Idiot."}
	for _, r := range e.Evaluate(context.Background(), c, e.Metrics()[1:2]) {
		fmt.Println(r.Metric, r.Outcome, r.Label)
		fmt.Println("not shown:", r.InputCut, "of", len(c.Output), "bytes")
	}
	// Output:
	// toxicity scored Non Toxic
	// not shown: 12068 of 16006 bytes
}
