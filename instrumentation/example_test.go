package instrumentation_test

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/instrumentation"
)

// printer is a callback that prints what it is told.
var printer = instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) {
	fmt.Printf("%s: %s\n", inv.Kind(), inv.Output()[0].Parts[0].Content)
})

// ask stands for the application's call of a model.
func ask(context.Context, string) (string, error) { return "Paris.", nil }

func ExampleHandler_StartInference() {
	handler := instrumentation.NewHandler() // or instrumentation.Default()
	handler.Register(printer)

	question := "What is the capital of France?"
	ctx, inv := handler.StartInference(context.Background(), instrumentation.Inference{
		Provider: "openai",
		Model:    "gpt-5",
		Input:    []instrumentation.Message{instrumentation.UserMessage(question)},
	})
	answer, err := ask(ctx, question)
	if err != nil {
		inv.Fail(err)
		return
	}
	inv.SetOutput(instrumentation.AssistantMessage(answer))
	inv.SetResponse("resp_1", "gpt-5-2026-01-01", "stop")
	inv.SetUsage(instrumentation.Usage{InputTokens: 14, OutputTokens: 2})
	inv.End()
	// Output: inference: Paris.
}

func ExampleInvocation_Chunk() {
	handler := instrumentation.NewHandler()
	handler.Register(printer)
	_, inv := handler.StartInference(context.Background(), instrumentation.Inference{
		Provider: "openai", Model: "gpt-5", Stream: true,
	})
	answer := ""
	for _, chunk := range []string{"Pa", "ris", "."} {
		inv.Chunk()
		answer += chunk
	}
	inv.SetOutput(instrumentation.AssistantMessage(answer))
	inv.End()
	fmt.Println(inv.Chunks(), "chunks")
	// Output:
	// inference: Paris.
	// 3 chunks
}

func ExampleInvocation_Fail() {
	handler := instrumentation.NewHandler()
	fail := func(err error) {
		_, inv := handler.StartInference(context.Background(), instrumentation.Inference{Provider: "openai"})
		inv.Fail(err)
		fmt.Printf("error.type=%q cancelled=%v\n", inv.ErrorType(), inv.Cancelled())
	}
	fail(errors.New("no such luck"))
	fail(fmt.Errorf("reading the answer: %w", context.DeadlineExceeded))
	fail(fmt.Errorf("reading the answer: %w", context.Canceled))
	// Output:
	// error.type="_OTHER" cancelled=false
	// error.type="timeout" cancelled=false
	// error.type="" cancelled=true
}

// An agent with a tool and a search: what these find is what the model's
// answer, and the agent's, can be checked against.
func ExampleHandler_StartAgent() {
	handler := instrumentation.NewHandler()
	ctx := instrumentation.WithConversationID(context.Background(), "conversation-7")
	ctx, agent := handler.StartAgent(ctx, instrumentation.Agent{Name: "guide"})

	_, search := handler.StartRetrieval(ctx, instrumentation.Retrieval{DataSourceID: "handbook", Query: "opening hours"})
	search.SetDocuments(instrumentation.Document{ID: "p7", Text: "We open at nine."})
	search.End()

	_, tool := handler.StartTool(ctx, instrumentation.Tool{Name: "clock", CallID: "call_1"})
	tool.SetToolResult(map[string]int{"hour": 8})
	tool.End()

	_, inv := handler.StartInference(ctx, instrumentation.Inference{Provider: "openai", Model: "gpt-5"})
	inv.SetOutput(instrumentation.AssistantMessage("In an hour."))
	inv.End()
	agent.SetOutput(instrumentation.AssistantMessage("In an hour."))
	agent.End()

	fmt.Println(inv.AgentName(), inv.ConversationID())
	for _, d := range inv.Documents() {
		fmt.Println(d.ID, d.Text)
	}
	// Output:
	// guide conversation-7
	// p7 We open at nine.
	// call_1 {"hour":8}
}

func ExampleWithProperties() {
	handler := instrumentation.NewHandler()
	ctx := instrumentation.WithProperties(context.Background(), attribute.String("tenant", "acme"))
	ctx, workflow := handler.StartWorkflow(ctx, instrumentation.Workflow{Name: "triage"})
	_, inv := handler.StartInference(ctx, instrumentation.Inference{Provider: "openai"})
	for _, p := range inv.Properties() {
		fmt.Println(p.Key, p.Value.AsString())
	}
	inv.End()
	workflow.End()
	// Output: tenant acme
}

func ExampleSuppress() {
	handler := instrumentation.NewHandler()
	ctx := instrumentation.Suppress(context.Background())
	_, inv := handler.StartInference(ctx, instrumentation.Inference{Provider: "openai"})
	inv.SetOutput(instrumentation.AssistantMessage("not recorded")) // harmless
	inv.End()
	fmt.Println(inv == nil)
	// Output: true
}

// Content stays out of telemetry unless asked for; callbacks see it always.
func ExampleWithCaptureMessageContent() {
	handler := instrumentation.NewHandler(
		instrumentation.WithCaptureMessageContent(instrumentation.CaptureNoContent))
	handler.Register(printer)
	_, inv := handler.StartInference(context.Background(), instrumentation.Inference{Provider: "openai"})
	inv.SetOutput(instrumentation.AssistantMessage("seen by the callback only"))
	inv.End()
	// Output: inference: seen by the callback only
}
