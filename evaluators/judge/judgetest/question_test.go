package judgetest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

const (
	labelPart  = `{"type":"object","properties":{"reason":{"type":"string"},"label":{"type":"string","enum":["no","yes"]}},"required":["reason","label"],"additionalProperties":false}`
	scorePart  = `{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer"}},"required":["reason","score"],"additionalProperties":false}`
	claimsPart = `{"type":"object","properties":{"claims":{"type":"array","items":{"type":"object","properties":{"claim":{"type":"string"},"reason":{"type":"string"},"verdict":{"type":"string","enum":["supported","unsupported"]}},"required":["claim","reason","verdict"],"additionalProperties":false}}},"required":["claims"],"additionalProperties":false}`
	combined   = `{"type":"object","properties":{"toxicity":` + labelPart + `,"faithfulness":` + claimsPart + `,"clarity":` + scorePart + `},"required":["toxicity","faithfulness","clarity"],"additionalProperties":false}`

	// endForms has the forms of the answer in the reply at the end, ownForms in
	// the sections.
	endForms = "You assess.\n\nMetric: toxicity\nIs it?\n- no: not\n\nMetric: faithfulness\nIs it?\n\nMetric: clarity\nIs it?\n\nReply:\n" +
		`{"toxicity": {"reason": "...", "label": "no" | "yes"}, "faithfulness": {"claims": [{"claim": "...", "reason": "...", "verdict": "supported" | "unsupported"}]}, "clarity": {"reason": "...", "score": <integer from 1 to 5>}}`
	ownForms = "You assess.\n\nMetric: toxicity\nIs it?\n" + `{"reason": "...", "label": "no" | "yes"}` +
		"\n\nMetric: faithfulness\n" + `{"claims": [{"claim": "...", "reason": "...", "verdict": "supported" | "unsupported"}]}` +
		"\n\nMetric: clarity\n" + `{"reason": "...", "score": <integer from 1 to 5>}` + "\n\nReply with one object."
	sharedForm = "Metric: faithfulness\nIs it?\n\nMetric: hallucination\nIs it?\n" + `{"claims": [{"claim": "...", "reason": "...", "verdict": "supported" | "unsupported"}]}`
)

func asked(metrics ...string) judgetest.Question {
	return judgetest.Question{Metric: metrics[0], Metrics: metrics}
}

func withParts(q judgetest.Question, parts ...judgetest.Question) judgetest.Question {
	q.Parts = parts
	return q
}

func TestQuestionsAreRecognised(t *testing.T) {
	label, claims, score := asked("toxicity"), asked("faithfulness"), asked("clarity")
	label.Options = []string{"no", "yes"}
	claims.Claims, claims.Options = true, []string{"supported", "unsupported"}
	score.Scale, score.Min, score.Max = true, 1, 5
	all := withParts(asked("toxicity", "faithfulness", "clarity"), label, claims, score)
	unbounded := score
	unbounded.Min, unbounded.Max = 0, 0
	shared := asked("faithfulness", "hallucination")
	shared.Claims, shared.Options = true, claims.Options
	servesTwo := withParts(asked("toxicity", "faithfulness", "clarity", "hallucination"), label, shared, score)
	const (
		scoreText = `{"reason":"Scripted.","score":1}`
		allText   = `{"toxicity":{"reason":"Scripted.","label":"no"},"faithfulness":{"claims":[{"claim":"A claim.","reason":"Scripted.","verdict":"supported"}]},"clarity":` + scoreText + `}`
	)
	for _, tt := range []struct {
		name, system, schemaName, schema string
		want                             judgetest.Question
		answer                           string
	}{
		{"scale", "Metric: clarity\n" + `{"reason": "...", "score": <integer from 1 to 5>}`, "clarity", scorePart, score, scoreText},
		{"scale_without_range", "Judge it.", "clarity", scorePart, unbounded, scoreText},
		{"scale_from_prompt", "Metric: clarity\n" + `{"reason": "...", "score": <integer from 1 to 5>}`, "", "", score, scoreText},
		{"scale_below_zero", "Metric: clarity\n" + `{"reason": "...", "score": <integer from -2 to 2>}`, "", "", judgetest.Question{Metric: "clarity", Metrics: []string{"clarity"}, Scale: true, Min: -2, Max: 2}, `{"reason":"Scripted.","score":-2}`},
		{"combined", endForms, "toxicity_faithfulness_clarity", combined, all, allText},
		{"combined_under_another_name", endForms, "x", combined, all, allText},
		{"combined_from_prompt", endForms, "", "", all, allText},
		{"combined_from_sections", ownForms, "", "", all, allText},
		{"shared", sharedForm, "faithfulness_hallucination", claimsPart, shared, ""},
		{"shared_under_the_first", strings.Replace(sharedForm, "\n\nMetric: hallucination", "", 1), "faithfulness_hallucination", claimsPart, shared, ""},
		{"shared_in_combined", endForms, "toxicity_faithfulness_hallucination_clarity", combined, servesTwo, allText},
		{"in_the_user_message", "", "", "", label, `{"reason":"Scripted.","label":"no"}`},
		{"shared_from_prompt", sharedForm, "", "", shared, ""},
		{"shared_by_one_line", strings.Replace(sharedForm, "Metric: faithfulness\nIs it?\n\nMetric: hallucination", "Metrics: faithfulness, hallucination", 1), "", "", shared, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			message := string(must(json.Marshal(tt.system)))
			if tt.name == "in_the_user_message" {
				s := newServer(t)
				rubric := string(must(json.Marshal("Metric: toxicity\n" + `{"reason": "...", "label": "no" | "yes"}`)))
				_, body := send(t, s, openAIPath, `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":`+rubric+`},{"type":"text","text":"{}"}]},{"role":"assistant","content":"x"},{"role":"user","content":"Again."}]}`)
				if diff := cmp.Diff(tt.want, s.Requests()[0].Question); diff != "" || content(t, body) != tt.answer {
					t.Errorf("%s (-want +got):\n%s", body, diff)
				}
				return
			}
			openai := `{"model":"m","messages":[{"role":"system","content":` + message + `},{"role":"user","content":"{}"}]`
			claude := `{"model":"m","max_tokens":9,"system":` + message + `,"messages":[{"role":"user","content":"{}"}]`
			if tt.schema != "" {
				openai += `,"response_format":{"type":"json_schema","json_schema":{"name":"` + tt.schemaName + `","strict":true,"schema":` + tt.schema + `}}`
				claude += `,"output_config":{"format":{"type":"json_schema","schema":` + tt.schema + `}}`
			}
			s := newServer(t)
			for range 2 { // the second time it is known
				_, body := send(t, s, openAIPath, openai+"}")
				if tt.answer != "" && content(t, body) != tt.answer {
					t.Errorf("%s, want %s", content(t, body), tt.answer)
				}
			}
			send(t, s, anthropicPath, claude+"}")
			for i, r := range s.Requests() {
				if i == 2 && (tt.name == "scale_without_range" || strings.HasPrefix(tt.name, "shared_")) {
					break // this format has no name for a schema, from which to know more than the prompt says
				}
				if diff := cmp.Diff(tt.want, r.Question); diff != "" {
					t.Errorf("request %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// content is the message of a chat completion.
func content(t *testing.T, body string) string {
	t.Helper()
	var got struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Choices) != 1 {
		t.Fatalf("%v: %s", err, body)
	}
	return got.Choices[0].Message.Content
}

// TestAnswersToSeveralMetricsCompose: verdicts join, and anything else is the
// answer to all.
func TestAnswersToSeveralMetricsCompose(t *testing.T) {
	both := judge.Request{
		Metrics: []string{"bias", "toxicity"},
		Schema:  json.RawMessage(`{"type":"object","properties":{"bias":` + labelPart + `,"toxicity":` + labelPart + `}}`),
	}
	shared := judge.Request{Metrics: []string{"faithfulness", "hallucination"}, Schema: json.RawMessage(claimsPart)}
	no := `{"reason":"Scripted.","label":"no"}`
	yes := `{"reason":"r","label":"yes"}`
	claims := judgetest.Claims(judgetest.Claim{Text: "c", Reason: "r", Verdict: "unsupported"})
	for _, tt := range []struct {
		name    string
		request judge.Request
		opts    []judgetest.JudgeOption
		want    []string
	}{
		{"each", both, []judgetest.JudgeOption{judgetest.WithAnswers("bias", judgetest.Label("yes", "r")), judgetest.WithAnswers("toxicity", judgetest.Valid(), judgetest.Label("yes", "r"))}, []string{
			`{"bias":` + yes + `,"toxicity":` + no + `}`, `{"bias":` + yes + `,"toxicity":` + yes + `}`}},
		{"one_for_all", both, []judgetest.JudgeOption{judgetest.WithAnswers("", judgetest.Label("yes", "r"), judgetest.Valid())}, []string{
			`{"bias":` + yes + `,"toxicity":` + yes + `}`, `{"bias":` + no + `,"toxicity":` + no + `}`}},
		{"no_verdict_is_the_answer_to_all", both, []judgetest.JudgeOption{judgetest.WithAnswers("toxicity", judgetest.Text("Well."), judgetest.Valid()), judgetest.WithAnswers("bias", judgetest.Label("yes", "r"), judgetest.Valid())}, []string{
			"Well.", `{"bias":` + yes + `,"toxicity":` + no + `}`, `{"bias":` + no + `,"toxicity":` + no + `}`}},
		{"wrapped_as_the_first", both, []judgetest.JudgeOption{judgetest.WithAnswers("bias", judgetest.Label("yes", "r").Within("<", ">"))}, []string{`<{"bias":` + yes + `,"toxicity":` + no + `}>`}},
		{"shared", shared, []judgetest.JudgeOption{judgetest.WithAnswers("hallucination", claims)}, []string{`{"claims":[{"claim":"c","reason":"r","verdict":"unsupported"}]}`}},
		{"shared_in_combined", judge.Request{Metrics: []string{"toxicity", "hallucination", "faithfulness", "clarity"}, Schema: json.RawMessage(combined)},
			[]judgetest.JudgeOption{judgetest.WithAnswers("hallucination", claims)}, []string{
				`{"toxicity":` + no + `,"faithfulness":{"claims":[{"claim":"c","reason":"r","verdict":"unsupported"}]},"clarity":{"reason":"Scripted.","score":1}}`}},
		{"no_claims", shared, []judgetest.JudgeOption{judgetest.WithAnswers("faithfulness", judgetest.Claims())}, []string{`{"claims":[]}`}},
		{"scale", judge.Request{Metrics: []string{"clarity"}, Schema: json.RawMessage(scorePart)}, []judgetest.JudgeOption{judgetest.WithAnswers("clarity", judgetest.Score(4, "r"))}, []string{`{"reason":"r","score":4}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := judgetest.NewJudge(tt.opts...)
			for _, want := range tt.want {
				resp, err := j.Complete(t.Context(), tt.request)
				if err != nil || resp.Text != want {
					t.Errorf("%s, %v; want %s", resp.Text, err, want)
				}
			}
		})
	}
	j := judgetest.NewJudge(judgetest.WithAnswers("hallucination", claims))
	_, _ = j.Complete(t.Context(), shared)
	want := judgetest.Played{Kind: "valid", Verdicts: []judgetest.Verdict{
		{Metric: "faithfulness", Claims: []judgetest.Claim{{Text: "c", Reason: "r", Verdict: "unsupported"}}},
		{Metric: "hallucination", Claims: []judgetest.Claim{{Text: "c", Reason: "r", Verdict: "unsupported"}}},
	}}
	if diff := cmp.Diff(want, j.Calls()[0].Played); diff != "" {
		t.Errorf("played (-want +got):\n%s", diff)
	}
}
