package report

import (
	"cmp"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner"
)

// worst keeps the worst cases of a metric, of those alike the dataset's first.
type worst struct {
	most  int
	cases []ranked
}

type ranked struct {
	bad float64 // distance from the good end
	Case
}

// add keeps a scored result if it is bad enough. One at the good end never is.
func (w *worst) add(bad float64, rec *runner.Record, r *evaluators.Result) {
	if bad <= 0 || w.most == 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(w.cases, bad, func(have ranked, bad float64) int {
		return cmp.Or(cmp.Compare(bad, have.bad), cmp.Compare(have.Index, rec.Index))
	})
	w.cases = placed(w.cases, at, w.most, ranked{bad, Case{
		ID: render.Clip(rec.ID, maxText), Index: rec.Index, Line: rec.Line,
		Score: r.Score, Label: render.Clip(r.Label, maxText), Passed: r.Passed,
		Explanation: render.Clip(r.Explanation, maxText),
		Input:       render.Clip(rec.Input, maxText), Output: render.Clip(rec.Output, maxText),
	}})
}

// placed puts a value at its place in a list of at most most.
func placed[T any](list []T, at, most int, value T) []T {
	if at >= most {
		return list
	}
	return slices.Insert(list[:min(len(list), most-1)], at, value)
}

func (w *worst) kept() []Case {
	var out []Case
	for i := range w.cases {
		out = append(out, w.cases[i].Case)
	}
	return out
}
