package builtin

import (
	"math"
	"slices"
)

// derivation tells whether a figure of the answer is reckoned from figures that
// the documents state: by one step, from those that stand near what the
// sentence is about. Such a figure is neither evidence nor support, since the
// documents' words do not say whether it is the right reckoning. From all the
// figures of a document nearly any small number could be reckoned.
type derivation struct {
	operands []operand
	bare     map[int]int // how many of a sentence have no unit
	factors  []float64   // by which a period named in the one exceeds that in the other
	mean     bool
	// cued: the sentence says that it reckons ("in total", "more than").
	cued bool
	// moves: it says that something goes up or down, or by how much.
	moves bool
	used  []operand
}

// operand is a figure of a document, the question, or the answer itself.
type operand struct {
	figure
	sentence int  // of the documents; negative elsewhere
	implied  bool // a period that is not counted: "a month"
	ends     bool // one of a range
	// assumed: the answer names an amount that nobody states, as in "for 300 km".
	assumed bool
}

// ofAnswer is the place of operands of the answer's sentence itself, those below
// it of the one before and of the question.
const ofAnswer = -1

const (
	reckonedSentences = 3   // of the documents are reckoned from
	fewBare           = 4   // numbers without a unit that are added up unasked
	mostOperands      = 24  // figures
	mostDerived       = 400 // figures of an answer are tried; further ones are not judged
	mostListed        = 20  // items are counted
)

// derivation gathers what the figures of a sentence may be reckoned from.
func (g *grounding) derivation(s sentence, own []figure) *derivation {
	d := &derivation{bare: make(map[int]int)}
	for _, w := range s.words {
		d.cued = d.cued || reckoningWords[w.text]
		d.moves = d.moves || w.text == "up" || w.text == "down" || w.text == "by"
		d.mean = d.mean || w.text == "average" || w.text == "mean" || w.text == "midpoint" || w.text == "averages"
	}
	var stated [5]bool // periods that the documents name
	for _, id := range g.nearby(s) {
		st := g.sentences[id]
		for _, o := range st.operands {
			o.sentence = int(id)
			d.add(o)
		}
		for i, named := range st.periods {
			stated[i] = stated[i] || named
		}
		if st.listed > 1 {
			for _, n := range []int{st.listed, st.listed + 1} {
				d.add(operand{figure: figure{value: float64(n), also: float64(n), step: 1, unit: unit{kind: counted}}, sentence: int(id), implied: true})
			}
		}
	}
	for i, fs := range [][]figure{own, g.named, g.asked} {
		n := 0
		for _, f := range fs {
			if n < 6 {
				d.add(operand{figure: f, sentence: ofAnswer - i, assumed: f.unit != (unit{}) && !g.numbers.supports(f, false)})
				n++
			}
		}
	}
	for i, a := range s.periods() {
		for j, b := range stated {
			if a && b && i != j {
				d.factors = append(d.factors, periodsPerYear[j]/periodsPerYear[i])
			}
		}
	}
	return d
}

// operandsOf a sentence of a document are its figures, and what they make
// together.
func operandsOf(s sentence, fs, together []figure) []operand {
	const most = 12
	var out []operand
	part := make([]bool, len(s.words)) // of a time of day or a length: no numbers
	for _, f := range together {
		if f.unit.kind == clock || f.unit.size > 0 && f.to-f.from > 2 {
			for i := f.from; i < f.to; i++ {
				part[i] = true
			}
		}
		if f.span == 0 {
			alone := f.to-f.from == 2 && each[s.words[f.from].text] && units[s.words[f.from+1].text] != (unit{})
			out = append(out, operand{figure: f, implied: alone})
		}
	}
	for k, f := range fs {
		if !part[f.from] {
			ends := k > 0 && s.spans(fs[k-1], f) || k+1 < len(fs) && s.spans(f, fs[k+1])
			out = append(out, operand{figure: f, ends: ends})
		}
	}
	for i, w := range s.words {
		if u, ok := adverbs[w.text]; ok {
			out = append(out, operand{figure: figure{value: 1, also: 1, step: 1, unit: u, from: i, to: i + 1}, implied: true})
		} else if v := multiples[w.text]; v > 0 && w.text != "both" {
			out = append(out, operand{figure: figure{value: v, also: v, step: 1, from: i, to: i + 1, per: s.perAt(w.end)}})
		} else if m := monthNames[w.text]; m > 0 && w.capital {
			out = append(out, operand{figure: figure{value: float64(m), step: 1, unit: unit{kind: dated}, from: i, to: i + 1}})
		}
	}
	return out[:min(len(out), most)]
}

// multiples are words for so many of something.
var multiples = map[string]float64{"both": 2, "double": 2, "twice": 2, "pair": 2, "couple": 2, "triple": 3, "dozen": 12, "return": 2, "way": 2}

// lists counts the things that a sentence lists, 0 when it lists none.
func (s sentence) lists() int {
	n := 0
	for i := 1; i < len(s.words); i++ {
		if s.text[s.words[i-1].end:s.words[i].start] == ", " && !s.words[i-1].digits() && !s.words[i].digits() {
			n++
		}
	}
	for _, w := range s.words {
		if n > 0 && (w.text == "and" || w.text == "or") && n < mostListed {
			return n + 1
		}
	}
	return 0
}

func (d *derivation) add(o operand) {
	if o.identifier || o.value == 0 || len(d.operands) >= mostOperands {
		return
	}
	d.operands = append(d.operands, o)
	if o.unit == (unit{}) {
		d.bare[o.sentence]++
	}
}

// nearby returns the documents' sentences that share the most of the rarer words
// with s, at most reckonedSentences, and those beside the first; all of few, and
// where none shares any the first that have figures.
func (g *grounding) nearby(s sentence) []int32 {
	if len(g.sentences) <= reckonedSentences {
		ids := make([]int32, len(g.sentences))
		for i := range ids {
			ids[i] = int32(i)
		}
		return ids
	}
	votes := make(map[int32]int)
	for _, w := range s.words {
		if at := g.stems[w.stem]; !functionWords[w.text] && len(at) < postings {
			for _, id := range at {
				votes[id]++
			}
		}
	}
	ids := make([]int32, 0, len(votes))
	for id := range votes {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int32) int {
		if votes[a] != votes[b] {
			return votes[b] - votes[a]
		}
		return int(a - b)
	})
	ids = ids[:min(len(ids), reckonedSentences)]
	for id := int32(0); len(votes) == 0 && int(id) < min(len(g.sentences), 64) && len(ids) < reckonedSentences; id++ {
		if len(g.sentences[id].operands) > 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) > 0 {
		for _, beside := range []int32{ids[0] - 1, ids[0] + 1} {
			if beside >= 0 && int(beside) < len(g.sentences) && !slices.Contains(ids, beside) {
				ids = append(ids, beside)
			}
		}
	}
	return ids
}

// gives reports whether f comes of one step. What the answer itself has in that
// step is added to used.
func (d *derivation) gives(f figure, approximate bool) bool {
	t := target{f, f.tolerance(false)}
	if approximate {
		t.slack = max(t.slack, math.Abs(f.value)*0.02)
	}
	for i, a := range d.operands {
		if a.partOf(f) {
			continue
		}
		if !a.assumed && d.alone(t, a) {
			return true
		}
		for _, b := range d.operands[:i] {
			if b.partOf(f) || a.sentence < 0 && b.sentence < 0 || overlaps(a, b) {
				continue
			}
			if d.together(t, a, b) || d.together(t, b, a) {
				for _, o := range [...]operand{a, b} {
					if o.sentence == ofAnswer {
						d.used = append(d.used, o)
					}
				}
				return true
			}
		}
	}
	return d.sum(t) || d.three(t)
}

// three is the rule of three: 600 g for 4 people are 900 g for the 6 that the
// answer names.
func (d *derivation) three(t target) bool {
	for _, c := range d.operands {
		if c.sentence != ofAnswer || c.unit != (unit{}) || c.partOf(t.figure) || c.step != 1 {
			continue
		}
		for _, b := range d.operands {
			if b.sentence < 0 || b.unit != (unit{}) || b.value < 2 || b.value > 100 || b.step != 1 || b.value == c.value {
				continue
			}
			for _, a := range d.operands {
				if a.sentence == b.sentence && !overlaps(a, b) && !a.implied && a.unit.kind != clock && a.unit.kind != dated && a.unit.kind != percent &&
					t.is(a.value*c.value/b.value, a.unit) && math.Mod(math.Round(a.value*c.value/b.value*1e6), math.Round(t.step*1e6)) == 0 {
					d.used = append(d.used, c)
					return true
				}
			}
		}
	}
	return false
}

// partOf: the operand is the figure itself, or a part of it.
func (o operand) partOf(f figure) bool {
	return o.sentence == ofAnswer && o.from < f.to && f.from < o.to
}

// overlaps: the one is a part of the other.
func overlaps(a, b operand) bool {
	return a.sentence == b.sentence && a.sentence >= 0 && a.from < b.to && b.from < a.to
}

// periodsPerYear by the place in what periods returns.
var periodsPerYear = [5]float64{365, 52, 12, 4, 1}

// periods are those that a sentence names.
func (s sentence) periods() (named [5]bool) {
	for _, w := range s.words {
		switch w.text {
		case "day", "days", "daily", "night", "nights":
			named[0] = true
		case "week", "weeks", "weekly":
			named[1] = true
		case "month", "months", "monthly":
			named[2] = true
		case "quarter", "quarterly", "quarters":
			named[3] = true
		case "year", "years", "yearly", "annual", "annually":
			named[4] = true
		}
	}
	return named
}
