package main

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators/builtin"
)

// relevancy gives every question its own answer, the answer of a random other
// question, and the answer of the other question that shares most words with
// it, weighed by how few questions have them.
func (b *bench) relevancy() error {
	rows, err := b.replies()
	if err != nil || len(rows) == 0 {
		return err
	}
	random := rand.New(rand.NewPCG(1, 1))
	var questions, all, closest detection
	near := nearest(rows)
	for i, row := range rows {
		other := random.IntN(len(rows) - 1)
		if other >= i {
			other++
		}
		for _, pair := range []struct {
			d      *detection
			answer string
			off    bool
		}{
			{&all, row.Answer, false}, {&all, rows[other].Answer, true},
			{&closest, row.Answer, false}, {&closest, rows[near[i]].Answer, true},
		} {
			r := b.judge(builtin.MetricAnswerRelevancy, row.Question, pair.answer)
			if pair.d.add(pair.off, r, "Irrelevant") {
				pair.d.show(b, r, row.Question, pair.answer)
			}
			if pair.d == &all && strings.HasSuffix(strings.TrimSpace(row.Question), "?") {
				questions.add(pair.off, r, "Irrelevant")
			}
		}
	}
	all.print("own or a random other answer", "Irrelevant", "Relevant")
	questions.print("the same, where the prompt asks", "Irrelevant", "Relevant")
	closest.print("own or the nearest other answer", "Irrelevant", "Relevant")

	// Long answers by people and by GPT to questions of a forum.
	var d detection
	type qa struct{ question, answer string }
	var long []qa
	ok, err := b.table('\t', func(c func(string) string) {
		q := strings.Trim(c("question_text"), `"`)
		for _, a := range []string{c("ans1_text"), c("ans2_text")} {
			if row := (qa{q, a}); !slices.Contains(long, row) {
				long = append(long, row)
			}
		}
	}, "relevance", "haluquestqa.csv")
	if err != nil || !ok {
		return err
	}
	for i, row := range long {
		other := long[(i+len(long)/2)%len(long)]
		for off, a := range []string{row.answer, other.answer} {
			r := b.judge(builtin.MetricAnswerRelevancy, row.question, a)
			if d.add(off == 1, r, "Irrelevant") {
				d.show(b, r, row.question, a)
			}
		}
	}
	d.print("HaluQuestQA, own or another answer", "Irrelevant", "Relevant")
	return nil
}

// nearest returns for each question the most similar other one.
func nearest(rows []reply) []int {
	words := make([]map[string]bool, len(rows))
	having := map[string][]int{}
	for i, r := range rows {
		words[i] = map[string]bool{}
		for _, w := range strings.FieldsFunc(strings.ToLower(r.Question), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if !words[i][w] {
				words[i][w] = true
				having[w] = append(having[w], i)
			}
		}
	}
	out := make([]int, len(rows))
	for i := range rows {
		scores := make([]float64, len(rows))
		for w := range words[i] {
			for _, j := range having[w] {
				scores[j] += 1 / float64(len(having[w]))
			}
		}
		scores[i] = -1
		for j, s := range scores {
			if rows[j].Question == rows[i].Question {
				continue
			}
			if s /= 3 + float64(len(words[j])); s > scores[out[i]]/(3+float64(len(words[out[i]]))) || out[i] == i {
				out[i] = j
			}
		}
	}
	return out
}
