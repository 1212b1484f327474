package samples

import (
	"fmt"
	"strconv"

	"github.com/genaievals/genaievals/internal/rows"
)

var haluEvalGeneral = &mapping{
	Format: Format{
		Name:    "halueval_general",
		Set:     "HaluEval, general prompts answered by ChatGPT",
		Source:  "https://github.com/RUCAIBox/HaluEval",
		Licence: "MIT",
		Metrics: []string{hallucination},
		Columns: []string{"user_query", "chatgpt_response", "hallucination"},
		Doc: "yes is Hallucinated, no is Not Hallucinated. There are no documents, and people judged by what they knew or looked up, " +
			"the metric by the prompt: expect them to disagree.",
	},
	id:     "id",
	input:  "user_query",
	output: "chatgpt_response",
	label:  "hallucination",
	labels: map[string]string{"yes": hallucinated, "no": notHallucinated},
}

var haluQuest = &mapping{
	Format: Format{
		Name:    "haluquestqa",
		Set:     "HaluQuestQA, long answers of people and of GPT, 698 questions",
		Source:  "https://github.com/UKPLab/arxiv2024-lfqa-hallucination",
		Licence: "Apache-2.0",
		Metrics: []string{relevancy},
		Columns: []string{
			"question_text", "ans1_text", "ans2_text", "ans1_label", "ans2_label",
			"relevance_model_score", "relevance_human_score",
		},
		Doc: "Two samples a row. An answer of which every sentence is relevant (score 1) is Relevant, one of which less than half is (below 0.5) Irrelevant; " +
			"what is between is left out. Few are Irrelevant.",
	},
	samples: func(r rows.Row) ([]Sample, error) {
		var made []Sample
		for _, answer := range []string{"ans1", "ans2"} {
			// The columns model and human are the writers of the answers.
			column, err := meaning(r, answer+"_label", map[string]string{
				"model_answer": "relevance_model_score", "human_answer": "relevance_human_score",
			})
			if err != nil {
				return nil, err
			}
			score, err := strconv.ParseFloat(r.Word(column), 64)
			if err != nil {
				return nil, fmt.Errorf("%s is %q, expected a number from 0 to 1", column, shortened(r.Text(column)))
			}
			s := Sample{ID: "-" + answer, Note: r.Word(answer + "_label")}
			switch {
			case score >= 1:
				s.Label = relevant
			case score < 0.5:
				s.Label = irrelevant
			default:
				s = leaving("relevant in part")
			}
			s.Case.Input, s.Case.Output = r.Text("question_text"), r.Text(answer+"_text")
			made = append(made, s)
		}
		return made, nil
	},
}
