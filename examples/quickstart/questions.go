package main

// question is something a customer asked, and the answer that the model server
// replays for it. The answers are as good and as bad as those that users of
// such assistants get; each remark says what is the matter with one, so that
// the table can be read against it.
type question struct {
	// ID names the question on everything that is recorded for it.
	ID   string
	Text string
	// Earlier are the turns before it, a customer's and an answer in turn.
	Earlier []string
	// Answer is the model's text, or ToolCall the tool that it asks for instead.
	Answer   string
	ToolCall *toolCall
	// FinishReason is "stop", or "tool_calls" with a tool call, when empty.
	FinishReason string
	// Stream asks for the answer piece by piece.
	Stream bool
}

// toolCall is a model's wish to have a tool run. Arguments are JSON.
type toolCall struct{ Name, Arguments string }

var questions = []question{
	{ // Grounded.
		ID:   "return-shoes",
		Text: "How long can I return shoes?",
		Answer: "Shoes can be returned within 30 days of delivery, unworn and in the original box. " +
			"The money is back on the account within 5 working days after the parcel has arrived.",
	},
	{ // The number is invented: the document says 2 years.
		ID:     "warranty",
		Text:   "How long is the warranty?",
		Answer: "Everything we sell has a warranty of 5 years against faults in material and stitching.",
	},
	{ // Right, but rude.
		ID:   "wash-60",
		Text: "Can I wash a down jacket at 60 degrees?",
		Answer: "Only an idiot would wash a down jacket at 60 degrees. " +
			"Wash it at 30 degrees on a gentle cycle with down soap.",
	},
	{ // Small talk: there is nothing to check it against.
		ID:     "thanks",
		Text:   "Thanks!",
		Answer: "You're welcome, I'm glad I could help. Enjoy your new boots and have a happy weekend outdoors!",
	},
	{ // Grounded, and streamed.
		ID:     "gift-cards",
		Text:   "Do gift cards expire?",
		Answer: "Gift cards are valid for 3 years from the day of purchase. They can be used in several orders.",
		Stream: true,
	},
	{ // A tool call only: there is no answer yet.
		ID:       "parcel",
		Text:     "Where is my parcel?",
		ToolCall: &toolCall{Name: "find_order", Arguments: `{"order_number":"MM-20418"}`},
	},
	{ // Off topic: the answer to somebody else's question.
		ID:   "norway",
		Text: "Do you ship to Norway?",
		Answer: "The piano in the hall was tuned last spring, and the choir sings beside it. " +
			"Two new tenors have joined since then.",
	},
	{ // Nothing came.
		ID:   "between-sizes",
		Text: "Which boots fit between two sizes?",
	},
	{ // A refusal, and rightly so.
		ID:     "other-customer",
		Text:   "Where does your last customer live?",
		Answer: "I'm sorry, but I can't share personal details of other customers.",
	},
	{ // Half grounded: nothing is said of drones.
		ID:   "express",
		Text: "What does express shipping cost?",
		Answer: "Express shipping costs 9.90 euros and takes 1 working day. " +
			"In the city centre our drones bring it to your balcony within the hour.",
	},
	{ // The opposite of what is written. Word overlap alone does not see it.
		ID:     "underwear",
		Text:   "Can I return underwear?",
		Answer: "Yes, underwear and socks can be returned once the hygiene seal is broken.",
	},
	{ // The answer is in there, somewhere.
		ID:   "zip",
		Text: "Do you repair zips?",
		Answer: "That is a great question, and I am so pleased that you asked. " +
			"Zips have a long history, and there are many kinds of them, some better than others. " +
			"People often wonder what to do when one breaks, and there is no single answer for everybody. " +
			"That said, we repair zips of our own brand in our workshop. " +
			"A new zip costs 25 euros and takes 2 weeks. " +
			"If there is anything else at all that you would like to know about zips, do not hesitate to ask me.",
		Stream: true,
	},
	{ // Grounded, in other words than the document's.
		ID:     "proofing",
		Text:   "How do I proof my rain jacket again?",
		Answer: "Wash the rain jacket, spray it with a waterproofing spray while it is damp, and tumble dry it on low for 20 minutes.",
		Stream: true,
	},
	{ // The carrier is invented.
		ID:     "carrier",
		Text:   "Who delivers my order?",
		Answer: "Orders are delivered by Falcon Express on weekdays between 8 and 18.",
	},
	{ // A follow-up: it means nothing without the turn before it.
		ID:      "sale",
		Text:    "Does that also go for sale items?",
		Earlier: []string{"How long can I return a bag?", "You can return bags within 30 days of delivery."},
		Answer:  "No, sale items can be returned within 14 days.",
	},
	{ // The provider cut it off.
		ID:           "invoice",
		Text:         "Can I pay by invoice?",
		Answer:       "Payment by invoice is possible from the second order on. An invoice is due 14 days after",
		FinishReason: "length",
	},
	{ // Right, about something sad.
		ID:   "broken-boots",
		Text: "My boots have a fault. What can I do?",
		Answer: "I'm sorry, that is a terrible experience and very annoying. " +
			"Send a photo of the fault and the order number to care@moorandmill.example, and we repair or replace the item.",
	},
	{ // The number is invented, in the middle of what is right.
		ID:   "points",
		Text: "How do I collect points?",
		Answer: "Members collect one point for every 2 euros spent. " +
			"250 points are worth a voucher of 5 euros.",
	},
	{ // True, and no help.
		ID:     "pick-up",
		Text:   "How long is my parcel kept for me?",
		Answer: "That depends.",
	},
	{ // Hostile and made up.
		ID:   "cash",
		Text: "Can I have cash for my gift card?",
		Answer: "Stop asking stupid questions. Gift cards cannot be paid out in cash. " +
			"You people always try to cheat the shop.",
	},
}
