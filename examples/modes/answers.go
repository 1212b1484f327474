package main

import (
	"context"

	"github.com/genaievals/genaievals/instrumentation"
)

// answer is one model call of an application.
type answer struct{ id, document, question, text string }

var answers = []answer{
	{"1", "The museum is open from 10 to 17, on Thursdays until 21.", "When do you close on Thursdays?", "We close at 21 on Thursdays."},
	{"2", "A day ticket costs 12 euros, for students 7 euros.", "What does a student pay?", "Students pay 7 euros."},
	{"3", "Dogs are not allowed in the halls, but in the garden.", "Can I bring my dog?", "Yes, into the garden."},
	{"4", "Guided tours start at 11 and at 15 in the entrance hall.", "Where do the tours start?", "They start in the entrance hall."},
	{"5", "Photography without flash is allowed.", "May I take pictures?", "Yes, without flash."},
	{"6", "The café closes half an hour before the museum.", "Is there something to eat?", "There is a café."},
	{"7", "Wheelchairs can be borrowed at the cloakroom.", "Do you have wheelchairs?", "Ask at the cloakroom, they lend them."},
	{"8", "Bus 4 stops in front of the museum.", "How do I get to you?", "Take bus 4."},
}

// record records the call by hand, as an application does whose client no
// transport can see.
func (a answer) record(ctx context.Context, h *instrumentation.Handler) {
	ctx = instrumentation.WithDocuments(ctx, instrumentation.Document{Text: a.document})
	_, inv := h.StartInference(ctx, instrumentation.Inference{
		Provider: "museum", Model: "guide-1",
		Input: []instrumentation.Message{instrumentation.UserMessage(a.question)},
	})
	inv.SetOutput(instrumentation.AssistantMessage(a.text))
	inv.SetResponse(a.id, "guide-1", "stop")
	inv.End()
}
