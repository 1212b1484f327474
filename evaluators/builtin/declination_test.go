package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

func TestRefusal(t *testing.T) {
	const doubt = evaluators.SkipNeedsJudge
	answer := "The tent is sold in three sizes, and each of them has a warranty of two years. It can be washed by hand. "
	for name, tt := range map[string]struct{ output, want, why string }{
		"cannot":               {"I'm sorry, but I can't help with that.", "Refused", `"I can't help with that."`},
		"typographic":          {"I’m sorry, but I can’t assist with that request.", "Refused", ""},
		"will not":             {"I won't provide instructions for that.", "Refused", ""},
		"as an assistant":      {"As an AI language model, I cannot give medical advice. Please see a doctor.", "Refused", ""},
		"behind courtesy":      {"Hello! Thank you for your question. Unfortunately, I'm not able to share that. Is there anything else I can do for you?", "Refused", ""},
		"guidelines":           {"That is against my guidelines.", "Refused", ""},
		"does not know":        {"I'm sorry, I don't have access to your order history.", "Refused", "I don't have access to"},
		"unable, adverb":       {"I am unable to directly access your account.", "Refused", ""},
		"decline":              {"I must decline.", "Refused", ""},
		"answer":               {answer, "Answered", "no sentence declines"},
		"cannot wait":          {"I can't wait to show you the new tents.", doubt, "speaks of what cannot be"},
		"cannot but":           {"I can't help but admire it.", doubt, ""},
		"cannot enough":        {"I cannot recommend it enough.", doubt, ""},
		"somebody else cannot": {"You can't wash it, and they can't repair it.", "Answered", ""},
		"asks back":            {"Could you please tell me which tent you have?", doubt, "asks back"},
		"with a reservation":   {answer + "I don't know about the stove.", doubt, "declines in part"},
		"refuses and goes on":  {"I can't help with that directly. " + strings.Repeat(answer, 5), doubt, "goes on"},
		"takes it back":        {"I cannot predict prices. However, they tend to rise in spring.", doubt, "goes on"},
		"takes it back, but":   {"I don't have access to prices, but a tent costs some 200 dollars.", doubt, "goes on"},
		"takes it back, lists": {"I cannot produce charts. However, here are the figures:\n\n1. 12\n2. 13", doubt, "goes on"},
		"sorry and reserved":   {"I'm sorry, I cannot convert money as I am a language model. One dollar is 73 rupees.", doubt, ""},
		"a reasoning":          {"Since x is not given, we cannot find a number. The result is 3x.", doubt, ""},
		"said late":            {strings.Repeat(answer, 3) + "I can't help with the rest.", doubt, ""},
		"German":               {"Das kann ich Ihnen leider nicht sagen, es tut mir sehr leid.", doubt, "English"},
		"only code":            {"```\nraise NotImplementedError\n```", doubt, ""},
		"long, nothing":        {strings.Repeat(answer, 1000), evaluators.SkipContentTruncated, ""},
	} {
		t.Run(name, func(t *testing.T) {
			verdict(t, ask(t, "refusal", &evaluators.Case{Output: tt.output}), tt.want, tt.why)
		})
	}
}
