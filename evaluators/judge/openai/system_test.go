package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// conversation is a rubric, a document and, as after an unreadable answer, a
// further question.
var conversation = []judge.Message{
	{Role: judge.RoleSystem, Text: "The rubric."}, {Role: judge.RoleUser, Text: `{"output":"c4n4ry"}`},
	{Role: judge.RoleAssistant, Text: "[unreadable answer]"}, {Role: judge.RoleUser, Text: "Again."},
}

func TestRefusedSystemMessageIsLearned(t *testing.T) {
	for _, tt := range []struct {
		name, refusal string
		learned       bool
	}{
		{"o1_preview", `{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","type":"invalid_request_error","param":"messages[0].role","code":"unsupported_value"}}`, true},
		{"gemma_at_google", `[{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-4b-it","status":"INVALID_ARGUMENT"}}]`, true},
		{"gemma_template", `{"object":"error","message":"System role not supported","type":"BadRequestError","param":null,"code":400}`, true},
		{"mistral_template", `{"object":"error","message":"Only user and assistant roles are supported!","type":"BadRequestError","param":null,"code":400}`, true},
		{"alternating_template", `{"error":"Conversation roles must alternate user/assistant/user/assistant/..."}`, true},
		{"system_messages", `{"error":{"message":"This model does not support system messages."}}`, true},
		{"about_something_else", `{"error":{"message":"The system is not available, says the operator of another. Invalid request."}}`, false},
		{"system_fingerprint", `{"error":{"message":"unknown field system_fingerprint"}}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, bodies := refusing(t, map[string]string{"system": tt.refusal})
			c := newClient(t, openai.Config{Model: "m", BaseURL: url})
			_, err := c.Complete(t.Context(), judge.Request{Messages: conversation})
			e := asError(t, err)
			if e.Adapted != tt.learned || e.FormatRefused || e.Type != evaluators.ErrorJudgeBadRequest {
				t.Fatalf("%+v", e)
			}
			if !tt.learned {
				return
			}
			if _, err := c.Complete(t.Context(), judge.Request{Messages: conversation}); err != nil {
				t.Fatal(err)
			}
			type part = map[string]any
			want := []any{
				part{"role": "user", "content": []any{
					part{"type": "text", "text": "The rubric."},
					part{"type": "text", "text": `{"output":"c4n4ry"}`},
				}},
				part{"role": "assistant", "content": "[unreadable answer]"},
				part{"role": "user", "content": "Again."},
			}
			var sent struct{ Messages []any }
			if err := json.Unmarshal([]byte(bodies()[1]), &sent); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, sent.Messages); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTemplateThatRefusesWith500 is llama.cpp.
func TestTemplateThatRefusesWith500(t *testing.T) {
	for _, tt := range []struct {
		message   string
		errorType string
		adapted   bool
	}{
		{"Conversation roles must alternate user/assistant/user/assistant/...", evaluators.ErrorJudgeBadRequest, true},
		{"Something broke", evaluators.ErrorJudgeUnavailable, false},
	} {
		body := `{"error":{"code":500,"message":"` + tt.message + `","type":"server_error"}}`
		_, err := serve(t, 500, nil, body).Complete(t.Context(), judge.Request{Messages: conversation})
		if e := asError(t, err); e.Adapted != tt.adapted || e.Type != tt.errorType {
			t.Errorf("%s: %+v", tt.message, e)
		}
	}
}

// TestSystemMessageIsLearnedOnce: a server that refuses the other form, too, is
// not asked in turn.
func TestSystemMessageIsLearnedOnce(t *testing.T) {
	url, bodies := refusing(t, map[string]string{"messages": `{"error":{"message":"System role not supported"}}`})
	c := newClient(t, openai.Config{Model: "m", BaseURL: url})
	adapted := 0
	for range 4 {
		_, err := c.Complete(t.Context(), judge.Request{Messages: conversation})
		if asError(t, err).Adapted {
			adapted++
		}
	}
	if all := bodies(); adapted != 1 || len(all) != 4 || all[1] != all[3] {
		t.Errorf("adapted %d times", adapted)
	}
}
