package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// The runs that are compared.
const (
	oldRun = iota
	newRun
)

// pairing has the scores of two runs by item: about 150 bytes an item, and 16 for
// each metric.
type pairing struct {
	places map[string]int32 // of ids
	ids    []string
	in     [2][]bool
	sums   [2][]uint64
	pairs  []*pair
	// of is which pair, if any, a metric of a run is in.
	of [2]map[name]*pair
}

// pair is a metric of both runs.
type pair struct {
	evaluator [2]journal.Evaluator
	metric    [2]journal.Metric
	// scores of either run by place, NaN where there is none.
	scores [2][]float64
	flips  []Flip
}

// pairUp says which metrics of the runs are the same: those of the same evaluator
// and name, and then those of the same name where only one is left in either. It
// returns those that are in one run only.
func pairUp(headers [2]journal.Header) (p *pairing, only [2][]string) {
	p = &pairing{places: map[string]int32{}, of: [2]map[name]*pair{{}, {}}}
	type metric struct {
		evaluator journal.Evaluator
		metric    journal.Metric
	}
	var have [2][]metric
	for side, h := range headers {
		for _, e := range h.Evaluators {
			for _, m := range e.Metrics {
				have[side] = append(have[side], metric{e, m})
			}
		}
	}
	left := func(side int, of string) (found []metric) {
		for _, m := range have[side] {
			if p.of[side][name{m.evaluator.Name, m.metric.Name}] == nil && (of == "" || m.metric.Name == of) {
				found = append(found, m)
			}
		}
		return found
	}
	join := func(a, b metric) {
		both := &pair{evaluator: [2]journal.Evaluator{a.evaluator, b.evaluator}, metric: [2]journal.Metric{a.metric, b.metric}}
		p.pairs = append(p.pairs, both)
		p.of[oldRun][name{a.evaluator.Name, a.metric.Name}] = both
		p.of[newRun][name{b.evaluator.Name, b.metric.Name}] = both
	}
	for _, b := range have[newRun] {
		for _, a := range have[oldRun] {
			if a.evaluator.Name == b.evaluator.Name && a.metric.Name == b.metric.Name && p.of[newRun][name{b.evaluator.Name, b.metric.Name}] == nil {
				join(a, b)
			}
		}
	}
	for _, b := range left(newRun, "") {
		if as, bs := left(oldRun, b.metric.Name), left(newRun, b.metric.Name); len(as) == 1 && len(bs) == 1 {
			join(as[0], b)
		}
	}
	for side := range only {
		for _, m := range left(side, "") {
			only[side] = append(only[side], m.evaluator.Name+"."+m.metric.Name)
		}
	}
	return p, only
}

// place is that of an item, a new one where it was not seen before.
func (p *pairing) place(id string) int32 {
	at, ok := p.places[id]
	if !ok {
		at = int32(len(p.ids)) //nolint:gosec // memory ends before
		id = strings.Clone(id)
		p.places[id] = at
		p.ids = append(p.ids, id)
	}
	return at
}

// put sets what a list has at a place; what is not set is none.
func put[T any](list *[]T, at int32, v, none T) {
	for len(*list) <= int(at) {
		*list = append(*list, none)
	}
	(*list)[at] = v
}

// get is what a list has at a place.
func get[T any](list []T, at int32, none T) T {
	if int(at) < len(list) {
		return list[at]
	}
	return none
}

// add takes a record of one of the runs; the old one's come first.
func (p *pairing) add(side int, r *runner.Record, sameContent bool) {
	if r == nil || (r.Evaluator == "" && r.ErrorType == "") {
		return
	}
	at := p.place(r.ID)
	put(&p.in[side], at, true, false)
	if r.Sum != 0 {
		put(&p.sums[side], at, r.Sum, 0)
	}
	for i := range r.Results {
		result := &r.Results[i]
		both := p.of[side][name{r.Evaluator, result.Metric}]
		if both == nil || result.Outcome != evaluators.OutcomeScored {
			continue
		}
		put(&both.scores[side], at, result.Score, math.NaN())
		if changed := p.changed(at); side == newRun && (!changed || !sameContent) {
			both.flip(at, r, result, changed)
		}
	}
}

// changed reports whether an item's content is known to differ between the runs.
func (p *pairing) changed(at int32) bool {
	a, b := get(p.sums[oldRun], at, 0), get(p.sums[newRun], at, 0)
	return a != 0 && b != 0 && a != b
}

// passes holds a score of either run against the new run's threshold, so that
// only the answers make a difference.
func (b *pair) passes(score float64) bool {
	m := b.metric[newRun]
	return evaluators.Metric{Direction: m.Direction, Threshold: m.Threshold}.Passes(score)
}

// better is a difference with the good side up.
func (b *pair) better(difference float64) float64 {
	if b.metric[newRun].Direction == evaluators.LowerIsBetter {
		return -difference
	}
	return difference
}

const maxFlips = 20

// flip keeps an item that does not pass any more, if its loss is large enough.
func (b *pair) flip(at int32, rec *runner.Record, r *evaluators.Result, changed bool) {
	before := get(b.scores[oldRun], at, math.NaN())
	if math.IsNaN(before) || !b.passes(before) || b.passes(r.Score) {
		return
	}
	gain := b.better(r.Score - before)
	to, _ := slices.BinarySearchFunc(b.flips, gain, func(have Flip, gain float64) int {
		return cmp.Or(cmp.Compare(b.better(have.NewScore-have.OldScore), gain), cmp.Compare(have.Index, rec.Index))
	})
	b.flips = placed(b.flips, to, maxFlips, Flip{
		ID: render.Clip(rec.ID, maxText), Index: rec.Index, Line: rec.Line,
		OldScore: before, NewScore: r.Score, Label: render.Clip(r.Label, maxText),
		Explanation: render.Clip(r.Explanation, maxText),
		Input:       render.Clip(rec.Input, maxText), Output: render.Clip(rec.Output, maxText), Changed: changed,
	})
}

// items counts what is in the runs.
func (p *pairing) items() (c ItemsCompared, in [2]int64) {
	const examples = 10
	for i, id := range p.ids {
		at := int32(i) //nolint:gosec // as above
		before, after := get(p.in[oldRun], at, false), get(p.in[newRun], at, false)
		if before {
			in[oldRun]++
		}
		if after {
			in[newRun]++
		}
		switch {
		case before && after:
			c.Both++
			if p.changed(at) {
				c.Changed++
			}
		case before:
			if c.OnlyOld++; len(c.OnlyOldExamples) < examples {
				c.OnlyOldExamples = append(c.OnlyOldExamples, render.Clip(id, maxText))
			}
		default:
			if c.OnlyNew++; len(c.OnlyNewExamples) < examples {
				c.OnlyNewExamples = append(c.OnlyNewExamples, render.Clip(id, maxText))
			}
		}
	}
	return c, in
}

// notes say in what else the runs differ.
func (b *pair) notes() (notes []string) {
	differ := func(what, before, after string) {
		if before != after {
			notes = append(notes, fmt.Sprintf("%s.%s: %s was %s, is %s", b.evaluator[newRun].Name, b.metric[newRun].Name, what,
				cmp.Or(before, "not set"), cmp.Or(after, "not set")))
		}
	}
	e, m := b.evaluator, b.metric
	differ("the evaluator", e[oldRun].Name, e[newRun].Name)
	differ("the evaluator's version", e[oldRun].Version, e[newRun].Version)
	differ("the evaluator's type", e[oldRun].Type, e[newRun].Type)
	differ("the direction", m[oldRun].Direction.String(), m[newRun].Direction.String())
	differ("the threshold", render.Threshold(m[oldRun].Threshold), render.Threshold(m[newRun].Threshold))
	differ("the labels", strings.Join(m[oldRun].Labels, ", "), strings.Join(m[newRun].Labels, ", "))
	differ("the judge", m[oldRun].Judge, m[newRun].Judge)
	differ("the model", m[oldRun].Model, m[newRun].Model)
	if m[oldRun].Fingerprint != m[newRun].Fingerprint {
		notes = append(notes, fmt.Sprintf("%s.%s: its options differ", e[newRun].Name, m[newRun].Name))
	}
	return notes
}
