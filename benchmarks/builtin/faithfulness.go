package main

import (
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// faithfulness measures on replies of dialogue models (BEGIN), on claims of
// Wikipedia articles (WiCE) and on short answers (HaluEval). Generic replies
// of BEGIN claim nothing and are left out; a claim of WiCE that is supported
// in part is not supported.
func (b *bench) faithfulness() error {
	for _, name := range []string{"wow", "cmu", "tc"} {
		f := newFindings("BEGIN dev " + name)
		ok, err := b.table('\t', func(c func(string) string) {
			if label := c("begin_label"); label != "Generic" {
				f.add(b, label != "Fully attributable", c("message"), c("response"), c("knowledge"))
			}
		}, "faithfulness", "begin_dev_"+name+".tsv")
		if err != nil {
			return err
		}
		if ok {
			f.print()
		}
	}
	claims, err := lines[struct {
		Label, Claim string
		Evidence     []string
	}](b, "faithfulness", "wice_oracle_claim_dev.jsonl")
	if err != nil {
		return err
	}
	f := newFindings("WiCE dev claims")
	for _, c := range claims {
		f.add(b, c.Label != "supported", "", c.Claim, strings.Join(c.Evidence, "\n"))
	}
	f.print()
	answers, err := lines[struct {
		Knowledge, Question string
		Right               string `json:"right_answer"`
		Hallucinated        string `json:"hallucinated_answer"`
	}](b, "faithfulness", "halueval_qa_one-turn.jsonl")
	if err != nil {
		return err
	}
	f = newFindings("HaluEval QA one turn")
	for _, a := range answers {
		f.add(b, false, a.Question, a.Right, a.Knowledge)
		f.add(b, true, a.Question, a.Hallucinated, a.Knowledge)
	}
	f.print()
	return nil
}

// findings counts the flags of a set, together and by what was found.
type findings struct {
	set             string
	all             detection
	numbers, wholes [2]int // right, all
}

func newFindings(set string) *findings { return &findings{set: set} }

func (f *findings) add(b *bench, unfaithful bool, question, answer, document string) {
	r := b.judge(builtin.MetricFaithfulness, question, answer, document)
	wrong := f.all.add(unfaithful, r, "Unfaithful")
	if wrong {
		f.all.show(b, r, question, answer, document)
	}
	if r.Outcome != evaluators.OutcomeScored || r.Label != "Unfaithful" {
		return
	}
	kind := &f.wholes
	if strings.Contains(r.Explanation, "is in no document") {
		kind = &f.numbers
	}
	kind[1]++
	if !wrong {
		kind[0]++
	}
}

func (f *findings) print() {
	f.all.print(f.set, "Unfaithful", "Faithful")
	fmt.Printf("  %-34s by number: %d, precision %s  by sentence: %d, precision %s\n", "",
		f.numbers[1], share(f.numbers[0], f.numbers[1]), f.wholes[1], share(f.wholes[0], f.wholes[1]))
}
