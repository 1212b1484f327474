package instrumentation_test

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/instrumentation"
)

// What a paying customer gets is evaluated first; one of its calls matters less.
func ExampleWithPriority() {
	handler := instrumentation.NewHandler()
	ctx := instrumentation.WithPriority(context.Background(), instrumentation.PriorityHigh)
	ctx, agent := handler.StartAgent(ctx, instrumentation.Agent{Name: "support"})
	_, answer := handler.StartInference(ctx, instrumentation.Inference{Model: "gpt-4o-mini"})
	_, title := handler.StartInference(ctx, instrumentation.Inference{Model: "gpt-4o-mini"})
	title.SetPriority(instrumentation.PriorityLow)
	answer.End()
	title.End()
	agent.End()
	fmt.Println(agent.Summary().Priority, answer.Summary().Priority, title.Summary().Priority)
	// Output: high high low
}
