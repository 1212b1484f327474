package instrumentation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestAnInputThatIsKnownLate(t *testing.T) {
	h := record(t).Handler
	said := instrumentation.UserMessage("How warm is it?")
	found := instrumentation.Message{Role: instrumentation.RoleTool, Parts: []instrumentation.Part{instrumentation.ToolResponse("1", "12 degrees")}}
	kinds := map[string]struct {
		start func() *instrumentation.Invocation
		kept  bool
	}{
		"inference": {func() *instrumentation.Invocation {
			_, inv := h.StartInference(t.Context(), instrumentation.Inference{Input: []instrumentation.Message{instrumentation.UserMessage("How")}})
			return inv
		}, true},
		"agent": {func() *instrumentation.Invocation {
			_, inv := h.StartAgent(t.Context(), instrumentation.Agent{})
			return inv
		}, true},
		"workflow": {func() *instrumentation.Invocation {
			_, inv := h.StartWorkflow(t.Context(), instrumentation.Workflow{})
			return inv
		}, true},
		"tool": {func() *instrumentation.Invocation {
			_, inv := h.StartTool(t.Context(), instrumentation.Tool{})
			return inv
		}, false},
	}
	for name, tt := range kinds {
		t.Run(name, func(t *testing.T) {
			inv := tt.start()
			inv.SetInput(said, found)
			inv.SetDocuments(instrumentation.Document{Text: "a source"})
			inv.End()
			inv.SetInput(instrumentation.UserMessage("after the end"))
			var input []instrumentation.Message
			var documents []string
			if tt.kept {
				input, documents = []instrumentation.Message{said, found}, []string{"12 degrees", "a source"}
			}
			if d := cmp.Diff(input, inv.Input()); d != "" {
				t.Error(d)
			}
			var got []string
			for _, d := range inv.Documents() {
				got = append(got, d.Text)
			}
			if d := cmp.Diff(documents, got); d != "" {
				t.Errorf("documents: %s", d)
			}
		})
	}
}

func TestInputTruncated(t *testing.T) {
	h := record(t).Handler
	_, inv := h.StartInference(t.Context(), instrumentation.Inference{})
	_, other := h.StartInference(t.Context(), instrumentation.Inference{})
	inv.SetInputTruncated()
	inv.End()
	other.End()
	other.SetInputTruncated() // too late
	var none *instrumentation.Invocation
	none.SetInput()
	none.SetInputTruncated()
	if !inv.InputTruncated() || other.InputTruncated() || none.InputTruncated() {
		t.Errorf("truncated: %t, %t, %t", inv.InputTruncated(), other.InputTruncated(), none.InputTruncated())
	}
	if inv.Summary().Has(instrumentation.FlagTruncated) {
		t.Error("a cut input keeps metrics of the output from being asked")
	}
}
