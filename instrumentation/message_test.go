package instrumentation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestMessagesOfOneText(t *testing.T) {
	for role, m := range map[string]instrumentation.Message{
		"user":      instrumentation.UserMessage("x"),
		"assistant": instrumentation.AssistantMessage("x"),
		"system":    instrumentation.SystemMessage("x"),
	} {
		want := instrumentation.Message{Role: role, Parts: []instrumentation.Part{instrumentation.Text("x")}}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Errorf("%s (-want +got):\n%s", role, diff)
		}
	}
}

func TestKindNames(t *testing.T) {
	var got []string
	for k := range instrumentation.Kind(instrumentation.Kinds + 1) {
		got = append(got, k.String())
	}
	want := []string{"", "inference", "agent", "workflow", "tool", "embeddings", "retrieval", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
