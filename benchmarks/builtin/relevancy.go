package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
	"github.com/genaievals/genaievals/internal/affinity"
)

// relevancy gives questions their own answer, that of a random other question,
// and that of the other question nearest to it: half of the prompts of HaluEval,
// those that nothing was fitted on, with the model and without it; then
// questions of a forum.
func (b *bench) relevancy() error {
	model := affinity.Remember(semantic.Open(1))
	with := *b
	with.evaluator = builtin.New(builtin.WithModel(func(float64) builtin.Model { return model }))
	without := *b
	without.evaluator = builtin.New(builtin.WithModel(nil))
	if err := with.halueval(model, &without); err != nil {
		return err
	}
	rows, err := b.forum()
	if err != nil {
		return err
	}
	for _, b := range []struct {
		*bench
		name string
	}{{&with, "HaluQuestQA"}, {&without, "HaluQuestQA, no model"}} {
		var d detection
		for i, row := range rows {
			for off, a := range []string{row.Answer, rows[(i+len(rows)/2)%len(rows)].Answer} {
				r := b.judge(builtin.MetricAnswerRelevancy, row.Question, a)
				if d.add(off == 1, r, "Irrelevant") {
					d.show(b.bench, r, row.Question, a)
				}
			}
		}
		d.print(b.name, "Irrelevant", "Relevant")
	}
	return nil
}

func (b *bench) halueval(model builtin.Model, without *bench) error {
	rows, err := affinity.Rows(b.dir)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Printf("  %-34s absent\n", "HaluEval")
		return nil
	}
	if err != nil {
		return err
	}
	comparisons, err := affinity.Compare(context.Background(), model, rows, affinity.Row.Held)
	if err != nil {
		return err
	}
	random, near := affinity.AUCs(comparisons)
	fmt.Printf("  %-34s questions %d of %d  AUC against a random other answer %.3f, the nearest %.3f\n", "HaluEval, held out", len(comparisons), len(rows), random, near)
	for _, b := range []struct {
		*bench
		suffix string
	}{{b, ""}, {without, ", no model"}} {
		var asking, all, closest detection
		for _, c := range comparisons {
			for _, pair := range []struct {
				d      *detection
				answer string
				off    bool
			}{
				{&all, c.Row.Answer, false}, {&all, c.Random.Answer, true},
				{&closest, c.Row.Answer, false}, {&closest, c.Nearest.Answer, true},
			} {
				r := b.judge(builtin.MetricAnswerRelevancy, c.Row.Question, pair.answer)
				if pair.d.add(pair.off, r, "Irrelevant") {
					pair.d.show(b.bench, r, c.Row.Question, pair.answer)
				}
				if pair.d == &all && strings.HasSuffix(strings.TrimSpace(c.Row.Question), "?") {
					asking.add(pair.off, r, "Irrelevant")
				}
			}
		}
		all.print("own or a random other"+b.suffix, "Irrelevant", "Relevant")
		asking.print("the same, where it asks"+b.suffix, "Irrelevant", "Relevant")
		closest.print("own or the nearest other"+b.suffix, "Irrelevant", "Relevant")
	}
	return nil
}

// forum reads questions with long answers by people and by GPT.
func (b *bench) forum() ([]reply, error) {
	var rows []reply
	_, err := b.table('\t', func(c func(string) string) {
		q := strings.Trim(c("question_text"), `"`)
		for _, a := range []string{c("ans1_text"), c("ans2_text")} {
			if row := (reply{q, a}); !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
	}, "relevance", "haluquestqa.csv")
	return rows, err
}
