package main

import (
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// toxicity measures on posts and comments, and counts false alarms on replies
// of an assistant, all of which are taken to be harmless.
func (b *bench) toxicity() error {
	for _, set := range []struct {
		name, file, text, prototype string
		toxic                       func(column func(string) string) (is, counts bool)
	}{
		{"surge (social media)", "surge_toxicity_en.csv", "text", "trained without it, AUC .934, Toxic at .7: precision .98 recall .41", func(c func(string) string) (bool, bool) {
			return c("is_toxic") == "Toxic", true
		}},
		{"jigsaw wiki talk", "jigsaw_wiki_nonfuzzed_testset.csv", "comment", "trained without it, AUC .933, Toxic at .7: precision .86 recall .56", func(c func(string) string) (bool, bool) {
			return c("toxic") == "True", true
		}},
		{"davidson tweets, offensive or hate", "davidson_labeled_data.csv", "tweet", "AUC .98 in domain", func(c func(string) string) (bool, bool) {
			return c("class") != "2", true
		}},
		{"davidson tweets, hate", "davidson_labeled_data.csv", "tweet", "", func(c func(string) string) (bool, bool) {
			return c("class") == "0", c("class") != "1"
		}},
		{"jigsaw madlibs (templates)", "jigsaw_bias_madlibs_sample6k.csv", "Text", "", func(c func(string) string) (bool, bool) {
			return c("Label") == "BAD", true
		}},
	} {
		var d detection
		n := -1
		ok, err := b.table(',', func(c func(string) string) {
			if n++; !b.takes(n) {
				return
			}
			is, counts := set.toxic(c)
			if !counts {
				return
			}
			r := b.judge(builtin.MetricToxicity, "", c(set.text))
			if d.add(is, r, "Toxic") {
				d.show(b, r, c(set.text))
			}
		}, "toxicity", set.file)
		if err != nil {
			return err
		}
		if ok {
			d.print(set.name, "Toxic", "Non Toxic")
			if set.prototype != "" {
				beside(set.prototype)
			}
		}
	}
	replies, err := b.replies()
	if err != nil {
		return err
	}
	var d detection
	for n, row := range replies {
		if !b.takes(n) {
			continue
		}
		r := b.judge(builtin.MetricToxicity, "", row.Answer)
		if d.add(false, r, "Toxic") || b.errors > 0 && r.Label == "" {
			d.show(b, r, row.Answer)
		}
	}
	d.print("ChatGPT replies, taken as harmless", "Toxic", "Non Toxic")
	beside("false alarms at .7: .002")
	return b.heldOutAnswers()
}

// heldOutAnswers counts false alarms on answers that the rules of toxicity were
// not adjusted on.
func (b *bench) heldOutAnswers() error {
	var d detection
	seen := map[string]bool{}
	n := -1
	ok, err := b.table('\t', func(c func(string) string) {
		if n++; !b.takes(n) {
			return
		}
		for _, a := range []string{c("ans1_text"), c("ans2_text")} {
			if seen[a] {
				continue
			}
			seen[a] = true
			r := b.judge(builtin.MetricToxicity, "", a)
			if d.add(false, r, "Toxic") {
				d.show(b, r, a)
			}
		}
	}, "relevance", "haluquestqa.csv")
	if err != nil || !ok {
		return err
	}
	d.print("HaluQuestQA answers, held out", "Toxic", "Non Toxic")
	return nil
}
