package instrumentation_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestNestedInvocationsInherit(t *testing.T) {
	tel := record(t)
	member, err := baggage.NewMember("user", "u1")
	if err != nil {
		t.Fatal(err)
	}
	bag, err := baggage.New(member)
	if err != nil {
		t.Fatal(err)
	}
	ctx := baggage.ContextWithBaggage(t.Context(), bag)
	ctx = instrumentation.WithConversationID(ctx, "c1")
	ctx = instrumentation.WithProperties(ctx, attribute.String("tenant", "t1"), attribute.Int("n", 1), attribute.KeyValue{})
	ctx, workflow := tel.StartWorkflow(ctx, instrumentation.Workflow{Name: "w"})
	ctx, agent := tel.StartAgent(ctx, instrumentation.Agent{Name: "outer", ID: "o1", ConversationID: "c2"})
	toolCtx, tool := tel.StartTool(ctx, instrumentation.Tool{Name: "f"})
	innerCtx := instrumentation.WithProperties(toolCtx, attribute.Int("n", 2))
	innerCtx, inner := tel.StartAgent(innerCtx, instrumentation.Agent{Name: "inner"})
	_, inference := tel.StartInference(innerCtx, instrumentation.Inference{Model: "m"})
	_, unnamed := tel.StartAgent(ctx, instrumentation.Agent{})
	_, nameless := tel.StartAgent(ctx, instrumentation.Agent{ID: "n1"})
	makingCtx, making := tel.StartAgent(ctx, instrumentation.Agent{Name: "made", Create: true})
	_, after := tel.StartEmbeddings(makingCtx, instrumentation.Embeddings{})

	properties := func(n int) []attribute.KeyValue {
		return []attribute.KeyValue{attribute.String("tenant", "t1"), attribute.Int("n", n)}
	}
	tests := []struct {
		name                         string
		inv                          *instrumentation.Invocation
		agent, agentID, conversation string
		properties                   []attribute.KeyValue
	}{
		{"workflow", workflow, "", "", "c1", properties(1)},
		{"agent", agent, "outer", "o1", "c2", properties(1)},
		{"tool", tool, "outer", "o1", "c2", properties(1)},
		{"inner agent", inner, "inner", "", "c2", properties(2)},
		{"inference", inference, "inner", "", "c2", properties(2)},
		{"unnamed agent", unnamed, "outer", "o1", "c2", properties(1)},
		{"agent with only an id", nameless, "", "n1", "c2", properties(1)},
		{"agent being made", making, "made", "", "c2", properties(1)},
		{"below the making", after, "outer", "o1", "c2", properties(1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inv := tt.inv
			inv.End()
			if inv.AgentName() != tt.agent || inv.AgentID() != tt.agentID || inv.ConversationID() != tt.conversation {
				t.Errorf("agent %q %q, conversation %q", inv.AgentName(), inv.AgentID(), inv.ConversationID())
			}
			if diff := cmp.Diff(tt.properties, inv.Properties(), cmp.AllowUnexported(attribute.Value{})); diff != "" {
				t.Errorf("properties (-want +got):\n%s", diff)
			}
			if got := inv.Baggage().Member("user").Value(); got != "u1" {
				t.Errorf("baggage %q", got)
			}
			spans := tel.spans.GetSpans()
			got := plainAttributes(spans[len(spans)-1].Attributes)
			if got["tenant"] != "t1" || got["gen_ai.conversation.id"] != tt.conversation ||
				tt.agent != "" && got["gen_ai.agent.name"] != tt.agent {
				t.Errorf("span attributes %v", got)
			}
		})
	}
	for _, m := range tel.points(t, "gen_ai.client.operation.duration") {
		for _, key := range []string{"tenant", "n", "gen_ai.agent.name", "gen_ai.conversation.id"} {
			if m.attributes[key] != nil {
				t.Errorf("%s is on a metric", key)
			}
		}
	}
}

func TestNearestConversationCounts(t *testing.T) {
	tel := record(t)
	ctx, _ := tel.StartAgent(t.Context(), instrumentation.Agent{ConversationID: "agent's"})
	ctx = instrumentation.WithConversationID(ctx, "context's")
	_, inherits := tel.StartInference(ctx, instrumentation.Inference{})
	_, own := tel.StartInference(ctx, instrumentation.Inference{ConversationID: "own"})
	if inherits.ConversationID() != "context's" || own.ConversationID() != "own" {
		t.Errorf("conversations %q and %q", inherits.ConversationID(), own.ConversationID())
	}
}

func TestPropertiesCannotPassForTheConventions(t *testing.T) {
	tel := record(t, instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanAndEvent))
	ctx := t.Context()
	forged := []string{
		"error.type", "gen_ai.operation.name", "gen_ai.request.model", "gen_ai.response.id", "gen_ai.usage.input_tokens",
		"gen_ai.evaluation.sampled", "gen_ai.input.messages", "server.address", "server.port", "genaievals.cancelled", "genaievals.of.tomorrow",
	}
	for _, k := range forged {
		ctx = instrumentation.WithProperties(ctx, attribute.String(k, "forged"))
	}
	ctx = instrumentation.WithProperties(ctx, attribute.String("tenant", "t1"))
	_, inv := tel.StartInference(ctx, instrumentation.Inference{Model: "m"})
	inv.SetResponse("r", "")
	inv.End()
	if p := inv.Properties(); len(p) != 1 || p[0].Key != "tenant" {
		t.Errorf("properties %v, want the tenant only", p)
	}
	signals := map[string]map[string]any{"span": plainAttributes(tel.span(t).Attributes), "event": eventAttributes(tel.event(t))}
	for signal, got := range signals {
		if got["gen_ai.operation.name"] != "chat" || got["gen_ai.request.model"] != "m" || got["gen_ai.response.id"] != "r" || got["tenant"] != "t1" {
			t.Errorf("%s: attributes %v", signal, got)
		}
		for k, v := range got {
			if v == "forged" {
				t.Errorf("%s: %s is forged", signal, k)
			}
		}
	}
}

func TestDerivingAContextLeavesItsParentAlone(t *testing.T) {
	tel := record(t)
	parent := instrumentation.WithProperties(t.Context(), attribute.Int("a", 1))
	for _, text := range []string{"p", "q", "r"} { // room for a fourth is left, when a slice grows
		parent = instrumentation.WithDocuments(parent, instrumentation.Document{Text: text})
	}
	children := make(map[string]context.Context)
	for _, child := range []string{"x", "y"} {
		ctx := instrumentation.WithProperties(parent, attribute.String("child", child))
		children[child] = instrumentation.WithDocuments(ctx, instrumentation.Document{Text: child})
	}
	for child, ctx := range children {
		_, inv := tel.StartInference(ctx, instrumentation.Inference{})
		inv.End()
		if p := inv.Properties(); len(p) != 2 || p[1].Value.AsString() != child {
			t.Errorf("properties %v", p)
		}
		if d := inv.Documents(); len(d) != 4 || d[3].Text != child {
			t.Errorf("documents %v", d)
		}
	}
}

func TestFromContext(t *testing.T) {
	tel := record(t)
	if inv := instrumentation.FromContext(t.Context()); inv != nil {
		t.Errorf("an invocation from nowhere: %v", inv)
	}
	ctx, agent := tel.StartAgent(t.Context(), instrumentation.Agent{})
	below, inference := tel.StartInference(ctx, instrumentation.Inference{})
	if instrumentation.FromContext(ctx) != agent || instrumentation.FromContext(below) != inference {
		t.Error("not the innermost invocation")
	}
}
