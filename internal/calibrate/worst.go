package calibrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/render"
)

const (
	maxText  = 600 // bytes of a text of a disagreement that are kept
	maxCause = 200 // bytes of what a failure says
)

// Disagreement is a sample that the judge labelled otherwise than the person,
// with what is needed to see who is right. Texts are cut.
type Disagreement struct {
	ID          string  `json:"id"`
	Human       string  `json:"human"`
	Judge       string  `json:"judge"`
	Score       float64 `json:"score"`
	Input       string  `json:"input,omitempty"`
	Output      string  `json:"output"`
	Documents   string  `json:"documents,omitempty"`
	Explanation string  `json:"explanation,omitempty"`
	// Note is why the sample is hard, as whoever labelled it says.
	Note string `json:"note,omitempty"`
	Hard bool   `json:"hard,omitempty"`
	// InputCut is how many bytes of the text the judge was not shown.
	InputCut int64 `json:"input_cut,omitempty"`

	distance float64
	index    int
}

// worst keeps those disagreements whose score is farthest from what the person
// said, the earlier sample first where they are alike.
type worst struct {
	most int
	kept []Disagreement
}

func (w *worst) add(j *job, r *evaluators.Result) {
	s := &j.sample
	d := Disagreement{
		ID: strings.Clone(s.ID), Human: s.Label, Judge: r.Label, Score: r.Score, Hard: s.Hard, InputCut: r.InputCut,
		distance: j.question.distance(s.Label, r.Score), index: j.index,
	}
	at, _ := slices.BinarySearchFunc(w.kept, d, func(a, b Disagreement) int {
		return cmp.Or(-cmp.Compare(a.distance, b.distance), cmp.Compare(a.index, b.index))
	})
	if at >= w.most {
		return
	}
	d.Input, d.Output = render.Clip(s.Case.Input, maxText), render.Clip(s.Case.Output, maxText)
	d.Explanation, d.Note = render.Clip(r.Explanation, maxText), render.Clip(s.Note, maxText)
	var documents []string
	for _, document := range s.Case.Documents {
		documents = append(documents, render.Clip(document.Text, maxText))
		if len(documents) == 4 {
			break // more would be cut
		}
	}
	d.Documents = render.Clip(strings.Join(documents, "\n\n"), maxText)
	w.kept = slices.Insert(w.kept, at, d)
	w.kept = w.kept[:min(len(w.kept), w.most)]
}
