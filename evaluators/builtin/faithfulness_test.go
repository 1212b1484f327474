package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

var shop = documents(
	"Shoes can be returned within 30 days of delivery if they are unworn. Refunds are paid to the original payment method within 5 business days.",
	"# Warranty\n\nAll jackets carry a warranty of 2 years against faults in materials. Damage from wear is not covered.",
	"Shipping costs $4.95 within the country, and orders over $50 ship free. Parcels arrive in 2 to 4 working days. In 2019 we shipped 12,480 parcels, 3.5% more than in the year before.",
)

func TestFaithfulness(t *testing.T) {
	faithful := func(n int) result {
		return result{1, "Faithful", fmt.Sprintf("%d of %d sentences repeat a document", n, n), ""}
	}
	unfaithful := func(score float64, why string) result { return result{score, "Unfaithful", why, ""} }
	unproved := needsJudge("no lexical contradiction found, which is not yet support")
	noClaim := needsJudge("no statement that words could decide")
	for name, test := range map[string]struct {
		answer string
		want   result
	}{
		"copied":                  {"Shoes can be returned within 30 days of delivery if they are unworn. Refunds are paid to the original payment method within 5 business days.", faithful(2)},
		"copied in part":          {"Refunds are paid to the original payment method.", faithful(1)},
		"copied, with courtesies": {"Thank you for asking! Shoes can be returned within 30 days of delivery. I hope this helps.", faithful(1)},
		"copied, as a list":       {"Here is what I found:\n\n1. Shoes can be returned within 30 days of delivery [1].\n2. Orders over $50 ship free within the country [2, 3].", unproved},
		"paraphrase":              {"You may send footwear back for a month.", unproved},
		"negation dropped":        {"Damage from wear is covered by the warranty of 2 years.", unproved},
		"negation added":          {"Shoes can not be returned within 30 days of delivery.", unproved},
		"turned round":            {"Delivery can be returned within 30 days of shoes.", unproved},
		"pieced together":         {"Jackets can be returned within 30 days of delivery.", unproved},

		"number":                  {"All jackets carry a warranty of 5 years against faults in materials.", unfaithful(0, `"5 years" is in no document, said in "…jackets carry a warranty of 5 years against faults in…"`)},
		"number in one of two":    {"All jackets carry a warranty of 2 years. The extended plan runs for 5 years.", unfaithful(0.5, `"5 years" is in no document, said in "The extended plan runs for 5 years."`)},
		"two wrong numbers":       {"The warranty is 7 years. Shipping costs $8.95. Refunds are paid within 5 business days.", unfaithful(1.0/3, `"7 years" is in no document, said in "The warranty is 7 years."; "$8.95" is in no document, said in "Shipping costs $8.95."`)},
		"price":                   {"Shipping within the country costs $9.95 for you.", unfaithful(0, `"$9.95" is in no document, said in "Shipping within the country costs $9.95 for you."`)},
		"percentage":              {"We shipped 7 % more parcels.", unfaithful(0, `"7 %" is in no document, said in "We shipped 7 % more parcels."`)},
		"other unit of time":      {"Shoes can be returned within 30 months of delivery.", unfaithful(0, `"30 months" is in no document, said in "Shoes can be returned within 30 months of delivery."`)},
		"spelled number of years": {"The warranty of all jackets lasts seven years.", unfaithful(0, `"seven years" is in no document, said in "The warranty of all jackets lasts seven years."`)},
		"year":                    {"Some 12,480 parcels were shipped in 2012.", unfaithful(0, `"2012" is in no document, said in "Some 12,480 parcels were shipped in 2012."`)},
		"three wrong numbers":     {"It takes 70 days. It costs $80.50. It weighs 90 kg.", unfaithful(0, `"70 days" is in no document, said in "It takes 70 days."; "$80.50" is in no document, said in "It costs $80.50."; and 1 more`)},
		"one word changed":        {"Damage from wear is not covered, and all jackets carry a warranty of 2 years against faults in zips.", unproved},
		"sentence":                {"Our mountain guides recommend sturdy boots and a light breakfast.", needsJudge("no lexical contradiction found, but a sentence in words that no document has")},
		"sentence with a name":    {"Our mountain guides in Chamonix recommend sturdy boots.", unfaithful(0, `no document supports "Our mountain guides in Chamonix recommend sturdy boots."`)},

		"thousands without comma":  {"In 2019 we shipped 12480 parcels.", faithful(1)},
		"number spelled":           {"The warranty is two years against faults.", unproved},
		"converted":                {"The warranty of all jackets is 24 months.", unproved},
		"rounded":                  {"In 2019 we shipped about 12,500 parcels.", unproved},
		"reckoned":                 {"Shipping costs $9.90 for two orders below that.", needsJudge(`no lexical contradiction found, but "$9.90" is reckoned, not stated`)},
		"reckoned from question":   {"No, with 60 pairs you are 10 above the 50 that ship, I am afraid.", unproved},
		"reckoned from sentence":   {"You sent shoes back after 45 days, so 15 days after the 30 days within which they can be returned.", unfaithful(0, `"45 days" is in no document, said in "You sent shoes back after 45 days, so 15 days after the 30…"`)},
		"sum of other numbers":     {"Refunds of the warranty are paid within 7 business days.", unfaithful(0, `"7 business days" is in no document, said in "Refunds of the warranty are paid within 7 business days."`)},
		"range":                    {"Parcels arrive in 2–4 days.", unproved},
		"end of a range":           {"Parcels arrive after 2 days at the earliest.", unproved},
		"figure of speech":         {"We are 100% sure and there 24/7 about returned shoes.", unproved},
		"own counting":             {"There are 3 things to know about shoes and refunds.", unproved},
		"step of the answer":       {"Step 7: bring shoes within 30 days of delivery.", unproved},
		"number from the question": {"No, 60 pairs of shoes cannot be returned.", unproved},

		"only courtesies": {"You're welcome! Have a nice day.", noClaim},
		"asks back":       {"Which of the two orders do you mean?", noClaim},
		"does not know":   {"The documents do not mention gift cards.", noClaim},
		"one word":        {"Shoes.", noClaim},
		"unknown name": {
			"Refunds are paid by Northwind Traders to the original payment method within 5 business days.",
			needsJudge(`no lexical contradiction found, but "Northwind Traders" is in no document`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &evaluators.Case{Input: "Can I return 60 pairs of shoes?", Output: test.answer, Documents: shop}
			if diff := cmp.Diff(test.want, summary(evaluate(t, "faithfulness", c))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatWasSaidNeedsNoDocument(t *testing.T) {
	docs := documents("Tents weigh between two and four kilograms.")
	const answer = "The order 8812 holds 17 tents."
	for name, c := range map[string]evaluators.Case{
		"question": {Input: "What does my order 8812 of 17 tents weigh?"},
		"system":   {Input: "And mine?", System: "Open orders: 8812 (17 tents)."},
		"history":  {Input: "And mine?", History: []evaluators.Turn{{Role: "user", Text: "I ordered 17 tents, order 8812."}}},
	} {
		c.Output, c.Documents = answer, docs
		if r := evaluate(t, "faithfulness", &c); r.Outcome != evaluators.OutcomeSkipped {
			t.Errorf("%s: %s %s", name, r.Label, r.Explanation)
		}
	}
	r := evaluate(t, "faithfulness", &evaluators.Case{Input: "And mine?", Output: answer, Documents: docs})
	if r.Label != "Unfaithful" {
		t.Errorf("said nowhere: %s %s", r.Outcome, r.Explanation)
	}
}

// Beyond the bound anything may stand, so that nothing can be called
// unsupported; what is found in front of it still counts as support.
func TestFaithfulnessBeyondTheBoundOfDocuments(t *testing.T) {
	docs := documents("The gate opens at 8 am in summer and in winter.", strings.Repeat("Filler text goes on. ", 20)+"Tickets cost 15 euros.")
	bound := builtin.WithMaxDocuments(100)
	r := evaluate(t, "faithfulness", &evaluators.Case{Output: "Tickets cost 15 euros for everybody.", Documents: docs}, bound)
	if diff := cmp.Diff(needsJudge("the documents are too long to say what they do not hold"), summary(r)); diff != "" {
		t.Errorf("number beyond the bound (-want +got):\n%s", diff)
	}
	if _, ok := attribute(r, builtin.AttributeTruncated); !ok {
		t.Error("truncation is not told")
	}
	r = evaluate(t, "faithfulness", &evaluators.Case{Output: "The gate opens at 8 am in summer.", Documents: docs}, bound)
	if r.Label != "Faithful" {
		t.Errorf("support before the bound: %s, %s", r.Outcome, r.Explanation)
	}
	r = evaluate(t, "faithfulness", &evaluators.Case{Output: "Tickets cost 19 euros for everybody.", Documents: docs})
	if r.Label != "Unfaithful" {
		t.Errorf("everything read: %s, %s", r.Outcome, r.Explanation)
	}
	if _, ok := attribute(r, builtin.AttributeTruncated); ok {
		t.Error("truncation is told, though nothing was cut")
	}
}

// A verdict names what it rests on and how sure it is; a refusal has neither.
func TestFaithfulnessTellsItsEvidence(t *testing.T) {
	for answer, want := range map[string]string{
		"The warranty of all jackets lasts seven years.":                                   builtin.EvidenceNumber,
		"Our mountain guides in Chamonix recommend sturdy boots. The warranty is 7 years.": builtin.EvidenceNumber,
		"Our mountain guides in Chamonix recommend sturdy boots.":                          builtin.EvidenceSentence,
		"Refunds are paid to the original payment method within 5 business days.":          builtin.EvidenceCopied,
		"You may send footwear back for a month.":                                          "",
	} {
		r := evaluate(t, "faithfulness", &evaluators.Case{Output: answer, Documents: shop})
		if got, _ := attribute(r, builtin.AttributeEvidence); got != want {
			t.Errorf("%q: evidence %q, want %q", answer, got, want)
		}
		if _, ok := attribute(r, builtin.AttributeConfidence); ok != (want != "") {
			t.Errorf("%q: has a confidence: %t", answer, ok)
		}
	}
}
