package evaluators_test

import (
	"context"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/google/go-cmp/cmp"
)

type (
	message = instrumentation.Message
	part    = instrumentation.Part
)

func parts(role string, ps ...part) message { return message{Role: role, Parts: ps} }

// recorded runs one inference through a handler, without any OTel SDK.
func recorded(ctx context.Context, r instrumentation.Inference, choices ...message) *instrumentation.Invocation {
	_, inv := instrumentation.NewHandler().StartInference(ctx, r)
	inv.SetOutput(choices...)
	inv.End()
	return inv
}

func TestCaseOfConversation(t *testing.T) {
	ctx := instrumentation.WithDocuments(context.Background(),
		instrumentation.Document{ID: "d1", Text: "Shoes can be returned for 30 days.", Score: 0.9},
		instrumentation.Document{ID: "d2", Text: " \u00a0\u200b"},
	)
	_, inv := instrumentation.NewHandler().StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "small",
		SystemInstructions: []part{instrumentation.Text("Be brief."), instrumentation.Text("Be kind.")},
		Input: []message{
			instrumentation.SystemMessage("Answer in English."),
			parts("developer", instrumentation.Text("No prices.")),
			instrumentation.UserMessage("Hello"),
			parts(instrumentation.RoleAssistant,
				instrumentation.Reasoning("They greet me."),
				instrumentation.Text("Hello! One moment."),
				instrumentation.ToolCall("c1", "orders", map[string]any{"customer": "<me>"})),
			parts(instrumentation.RoleTool, instrumentation.ToolResponse("c1", `{"open": 2}`)),
			instrumentation.SystemMessage("The shop closes soon."),
			parts(instrumentation.RoleUser,
				instrumentation.Text("How long can I return these?"),
				instrumentation.Blob("image", "image/png", 12345)),
		},
	})
	inv.SetOutput(
		message{Role: "assistant", FinishReason: "stop", Parts: []part{
			instrumentation.Reasoning("Thirty."), instrumentation.Text("30 days."), instrumentation.Text("Keep the box."),
		}},
		message{Role: "assistant", Parts: []part{instrumentation.Text("A month.")}},
	)
	inv.SetResponse("resp-1", "small-2026", "stop", "length")
	inv.End()

	want := &evaluators.Case{
		ID: "resp-1", Kind: instrumentation.KindInference, Provider: "openai", Model: "small-2026",
		Output: "30 days.\nKeep the box.", Choices: 2,
		Input:  "How long can I return these?\n[image/png, 12345 bytes]",
		System: "Be brief.\nBe kind.\nAnswer in English.\nNo prices.",
		History: []evaluators.Turn{
			{Role: "user", Text: "Hello"},
			{Role: "assistant", Text: "Hello! One moment.\n" + `{"type":"tool_call","id":"c1","name":"orders","arguments":{"customer":"<me>"}}`},
			{Role: "tool", Text: `{"type":"tool_call_response","id":"c1","response":{"open":2}}`},
			{Role: "system", Text: "The shop closes soon."},
		},
		Documents: []instrumentation.Document{
			{ID: "d1", Text: "Shoes can be returned for 30 days.", Score: 0.9},
			{ID: "c1", Text: `{"open":2}`},
		},
	}
	if diff := cmp.Diff(want, evaluators.CaseOf(inv)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCaseOfOutput(t *testing.T) {
	call := instrumentation.ToolCall("1", "search", `{"q":"shoes"}`)
	image := instrumentation.Blob("image", "image/png", 7)
	think := instrumentation.Reasoning("Hm.")
	tests := []struct {
		name   string
		parts  []part
		output string
		tools  bool
		media  bool
		reason string // why a metric on the output is skipped
	}{
		{"nothing", nil, "", false, false, evaluators.SkipEmptyOutput},
		{"text", []part{instrumentation.Text("Yes.")}, "Yes.", false, false, ""},
		{"blank text", []part{instrumentation.Text("\u200b ")}, "\u200b ", false, false, evaluators.SkipEmptyOutput},
		{"reasoning only", []part{think}, "", false, false, evaluators.SkipEmptyOutput},
		{"tool call", []part{call}, "", true, false, evaluators.SkipToolCallOnly},
		{"tool calls after thinking and a blank", []part{think, instrumentation.Text("\n"), call, call}, "\n", true, false, evaluators.SkipToolCallOnly},
		{"E06_text_and_tool_call", []part{instrumentation.Text("I look."), call}, "I look.", false, false, ""},
		{"image", []part{image}, "[image/png, 7 bytes]", false, true, evaluators.SkipNonTextOutput},
		{"image under a blank text", []part{instrumentation.Text(""), image}, "[image/png, 7 bytes]", false, true, evaluators.SkipNonTextOutput},
		{"image and tool call", []part{image, call}, "[image/png, 7 bytes]", false, true, evaluators.SkipNonTextOutput},
		{"text and image", []part{instrumentation.Text("See:"), image}, "See:\n[image/png, 7 bytes]", false, false, ""},
		{"file", []part{instrumentation.File("document", "application/pdf", "file-secret")}, "[application/pdf, file]", false, true, evaluators.SkipNonTextOutput},
		{"uri", []part{instrumentation.URI("video", "", "https://x.example/?sig=secret")}, "[video, uri]", false, true, evaluators.SkipNonTextOutput},
		{"unknown", []part{instrumentation.Raw("hologram", []byte(`{"a":1}`))}, "[hologram, 7 bytes]", false, true, evaluators.SkipNonTextOutput},
		{"blob of nothing known", []part{instrumentation.Blob("", "", 3)}, "[blob, 3 bytes]", false, true, evaluators.SkipNonTextOutput},
		{"structured output", []part{instrumentation.Text(`{"days":30}`)}, `{"days":30}`, false, false, ""},
		{"not UTF-8", []part{instrumentation.Text("a\xffb")}, "a\ufffdb", false, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inv := recorded(context.Background(), instrumentation.Inference{}, parts("assistant", tt.parts...))
			c := evaluators.CaseOf(inv)
			if c.Output != tt.output || c.ToolCallOnly != tt.tools || c.NonText != tt.media {
				t.Errorf("got %q, tools %v, non-text %v", c.Output, c.ToolCallOnly, c.NonText)
			}
			if c.ToolCallOnly != inv.ToolCallOnly() {
				t.Errorf("the case says tools only: %v, the invocation %v", c.ToolCallOnly, inv.ToolCallOnly())
			}
			if reason, _ := evaluators.NeedsMissing(c, evaluators.NeedOutput); reason != tt.reason {
				t.Errorf("skipped %q, want %q", reason, tt.reason)
			}
		})
	}
}

func TestCaseOfInput(t *testing.T) {
	user, assistant := instrumentation.UserMessage, instrumentation.AssistantMessage
	toolResult := parts(instrumentation.RoleUser, instrumentation.ToolResponse("1", "12 °C"))
	tests := []struct {
		name    string
		input   []message
		want    string
		history int
		system  string
	}{
		{"no messages", nil, "", 0, ""},
		{"one", []message{user("a")}, "a", 0, ""},
		{"last user turn", []message{user("a"), assistant("b"), user("c")}, "c", 2, ""},
		{"tools ran after it", []message{user("a"), parts("assistant", instrumentation.ToolCall("1", "x", nil)), parts("tool", instrumentation.ToolResponse("1", "y"))}, "a", 0, ""},
		{"tool responses under the user's role", []message{user("a"), assistant("b"), toolResult}, "a", 0, ""},
		{"blank last turn", []message{user("a"), assistant("b"), user(" ")}, "a", 0, ""},
		{"prefilled answer", []message{user("a"), assistant("The answer is")}, "a", 0, ""},
		{"no role", []message{parts("", instrumentation.Text("prompt"))}, "prompt", 0, ""},
		{"role in capitals", []message{parts("SYSTEM", instrumentation.Text("s")), parts("User", instrumentation.Text("a"))}, "a", 0, "s"},
		{"only system", []message{instrumentation.SystemMessage("s")}, "", 0, "s"},
		{"nobody asks", []message{assistant("a"), parts("tool", instrumentation.ToolResponse("1", "y"))}, "", 2, ""},
		{"image only", []message{parts("user", instrumentation.URI("image", "image/jpeg", "https://x.example"))}, "[image/jpeg, uri]", 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := evaluators.CaseOf(recorded(context.Background(), instrumentation.Inference{Input: tt.input}))
			if c.Input != tt.want || len(c.History) != tt.history || c.System != tt.system {
				t.Errorf("got input %q, history %v, system %q", c.Input, c.History, c.System)
			}
		})
	}
}

func TestCaseOfTruncated(t *testing.T) {
	for reason, want := range map[string]bool{
		"length": true, "max_tokens": true, "MAX_TOKENS": true, "max_output_tokens": true,
		"stop": false, "end_turn": false, "tool_calls": false, "content_filter": false, "": false,
	} {
		_, inv := instrumentation.NewHandler().StartInference(context.Background(), instrumentation.Inference{})
		inv.SetOutput(instrumentation.AssistantMessage("x"), message{FinishReason: "length"})
		inv.SetResponse("", "", reason)
		inv.End()
		if got := evaluators.CaseOf(inv).Truncated; got != want {
			t.Errorf("finish reason %q: truncated %v, want %v", reason, got, want)
		}
		own := recorded(context.Background(), instrumentation.Inference{}, message{FinishReason: reason})
		if got := evaluators.CaseOf(own).Truncated; got != want {
			t.Errorf("finish reason %q of the message: truncated %v, want %v", reason, got, want)
		}
	}
}

func TestCaseOfAgentAndWorkflow(t *testing.T) {
	h := instrumentation.NewHandler()
	ctx, workflow := h.StartWorkflow(context.Background(), instrumentation.Workflow{
		Name: "support", Input: []message{instrumentation.UserMessage("Where is my parcel?")},
	})
	actx, agent := h.StartAgent(ctx, instrumentation.Agent{
		Name: "tracker", Model: "small", SystemInstructions: []part{instrumentation.Text("Track.")},
		Input: []message{instrumentation.UserMessage("Parcel?")},
	})
	_, search := h.StartRetrieval(actx, instrumentation.Retrieval{Query: "parcel"})
	search.SetDocuments(instrumentation.Document{ID: "p", Text: "Parcel 7 is in Bonn."})
	search.End()
	agent.SetOutput(instrumentation.AssistantMessage("In Bonn."))
	agent.End()
	workflow.SetOutput(instrumentation.AssistantMessage("Your parcel is in Bonn."))
	workflow.End()

	documents := []instrumentation.Document{{ID: "p", Text: "Parcel 7 is in Bonn."}}
	for _, tt := range []struct {
		inv  *instrumentation.Invocation
		want evaluators.Case
	}{
		{agent, evaluators.Case{
			Kind: instrumentation.KindAgent, Model: "small", System: "Track.", Input: "Parcel?",
			Output: "In Bonn.", Choices: 1, Documents: documents,
		}},
		{workflow, evaluators.Case{
			Kind: instrumentation.KindWorkflow, Input: "Where is my parcel?",
			Output: "Your parcel is in Bonn.", Choices: 1, Documents: documents,
		}},
	} {
		if diff := cmp.Diff(&tt.want, evaluators.CaseOf(tt.inv)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.inv.Kind(), diff)
		}
	}
}

func TestCaseOfSuppressed(t *testing.T) {
	inv := recorded(instrumentation.WithoutEvaluation(context.Background()), instrumentation.Inference{}, instrumentation.AssistantMessage("x"))
	if c := evaluators.CaseOf(inv); !c.Suppressed || c.Output != "x" {
		t.Errorf("got %+v", c)
	}
	_, none := instrumentation.NewHandler().StartInference(instrumentation.Suppress(context.Background()), instrumentation.Inference{})
	if c := evaluators.CaseOf(none); !c.Suppressed {
		t.Errorf("below Suppress: got %+v", c)
	}
}

func TestCaseOfSurvivesPartsMadeByHand(t *testing.T) {
	odd := parts("assistant",
		part{Type: instrumentation.PartToolCall, Name: "x\xff", Value: []byte("{not json")},
		part{}, part{Type: "x\xff"})
	c := evaluators.CaseOf(recorded(context.Background(), instrumentation.Inference{
		Input: []message{odd, instrumentation.UserMessage("a")},
	}, odd))
	want := []evaluators.Turn{{Role: "assistant", Text: "[tool_call x\ufffd]\n[unknown, 0 bytes]\n[x\ufffd, 0 bytes]"}}
	if diff := cmp.Diff(want, c.History); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
