package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelFaithful   = "Faithful"
	labelUnfaithful = "Unfaithful"
)

const (
	// A sentence is unsupported when this share of its telling words, and at
	// least so many, are in no document and were not said before. Three such
	// words make a paraphrase ("send footwear back unused"). At a share of a half
	// a third more sentences are found, and of those in Wikipedia 15 in 100
	// wrongly instead of 6.
	foreignShare = 0.7
	foreignWords = 4
	// A sentence is called supported only when it is nearly copied: of at least
	// so many words, and with this share of its pairs of neighbours.
	copiedWords = 6
	copiedShare = 0.9
	// A sentence of fewer topic words makes no claim that words could decide.
	claimWords = 2
	// shownFindings is how many findings are shown with their sentences.
	shownFindings = 2
)

// judgeFaithfulness looks for what no document says: a number, or a whole
// sentence. Such a finding is evidence; finding none is not, since a paraphrase
// can say the opposite in the documents' own words. So an answer passes only
// when it nearly repeats them, and a judge decides the rest.
func judgeFaithfulness(ctx context.Context, s *subject) (evaluators.Result, error) {
	answer := s.output()
	if why := answer.unreadable(); why != "" {
		return needsJudge(why), nil
	}
	g, err := ground(ctx, s.c.Documents, s.limits.maxDocuments)
	if err != nil {
		return evaluators.Result{}, err
	}
	said := []string{s.c.Input, s.c.System}
	for _, t := range slices.Backward(s.c.History) {
		said = append(said, t.Text)
	}
	g.hear(s.limits.maxDocuments, said...)
	s.truncated = s.truncated || g.cut
	if g.foreign {
		return needsJudge("documents not recognisably English"), nil
	}

	var v verdict
	for _, sen := range answer.sentences {
		if err := ctx.Err(); err != nil {
			return evaluators.Result{}, err
		}
		v.add(g, sen)
	}
	return v.result(g, answer.cut), nil
}

// verdict gathers what is found over the sentences of an answer.
type verdict struct {
	claims, unsupported int
	evidence            []string // why a sentence is unsupported
	numbers             bool     // a number or a date is
	names               []string // names that no document has
	// doubt: something that no flag is raised for, yet no pass given either.
	doubt bool
}

func (v *verdict) add(g *grounding, s sentence) {
	var topical, stated int  // words that are not function words, those in a document
	var telling, foreign int // those that are not vague either, those known from nowhere
	for _, w := range s.words {
		if functionWords[w.text] || w.digits() {
			continue
		}
		topical++
		if g.states(w) {
			stated++
		}
		if !taskWords[w.text] && units[w.text] == (unit{}) {
			telling++
			if !g.knows(w) {
				foreign++
			}
		}
	}
	missing, stands, unsure := g.lookUp(s)
	missing = append(missing, g.missingDates(s)...)
	if declines(s) && len(missing) == 0 {
		v.doubt = true
		return
	}
	if (topical < claimWords || s.question() || courteous(s)) && len(missing) == 0 {
		v.doubt = v.doubt || unsure || stated < topical && !courteous(s) && !s.question()
		return
	}
	v.claims++
	switch {
	case len(missing) > 0:
		v.unsupported++
		v.numbers = true
		v.evidence = append(v.evidence, quote(missing[0])+" is in no document, said in "+quote(around(s.text, missing[0])))
	case foreign >= foreignWords && float64(foreign) >= foreignShare*float64(telling) && !stands && !hypothetical(s):
		v.unsupported++
		v.evidence = append(v.evidence, "no document supports "+quote(s.text))
	default:
		v.names = append(v.names, g.missingNames(s)...)
		v.doubt = v.doubt || unsure || len(s.words) < copiedWords || !g.repeats(s)
	}
}

// hypothetical: the speaker's own opinion, wish or offer, which documents do
// not hold.
func hypothetical(s sentence) bool {
	switch s.words[0].text {
	case "i", "i'm", "i'd", "i've", "i'll", "let", "let's", "imagine", "suppose", "please", "remember", "try", "maybe", "perhaps":
		return true
	}
	return false
}

// result is the verdict on the whole answer. What is unsupported in the part
// that was read is evidence; the share of it, and support, need the rest.
func (v *verdict) result(g *grounding, cut bool) evaluators.Result {
	switch {
	case cut && v.unsupported == 0:
		return unread("output")
	case v.claims == 0:
		return needsJudge("no statement that words could decide")
	case v.unsupported > 0 && g.cut:
		return needsJudge("the documents are too long to say what they do not hold")
	case v.unsupported > 0:
		why := strings.Join(v.evidence[:min(shownFindings, len(v.evidence))], "; ")
		if more := len(v.evidence) - shownFindings; more > 0 {
			why += fmt.Sprintf("; and %d more", more)
		}
		score := float64(v.claims-v.unsupported) / float64(v.claims)
		kind := EvidenceSentence
		if v.numbers {
			kind = EvidenceNumber
		}
		return evident(evaluators.Scored("", score, labelUnfaithful, why), kind)
	case !v.doubt && len(v.names) == 0:
		return evident(evaluators.Scored("", 1, labelFaithful, fmt.Sprintf("%d of %d sentences repeat a document", v.claims, v.claims)), EvidenceCopied)
	case len(v.names) > 0:
		return needsJudge("no lexical contradiction found, but " + quote(v.names[0]) + " is in no document")
	}
	return needsJudge("no lexical contradiction found, which is not yet support")
}

// lookUp returns the sentence's figures that neither the documents nor the
// conversation state. Stands is set when they do state a telling one, unsure
// when one is missing that may be reckoned, or be the answer's own.
func (g *grounding) lookUp(s sentence) (missing []string, stands, unsure bool) {
	fs := figures(s)
	defer func() { g.named = fs }()
	together := composites(s, fs)
	excused := make([]bool, len(s.words))
	var d *derivation
	derived := func(f figure) bool {
		if d == nil {
			d = g.derivation(s, slices.Concat(fs, s.assumed(), together))
		}
		return d.gives(f, s.approximate(f))
	}
	for _, f := range together {
		stated := g.numbers.supports(f, s.approximate(f))
		if !stated && !derived(f) {
			continue
		}
		stands, unsure = stands || stated, unsure || !stated
		for i := f.from; i < f.to; i++ {
			excused[i] = true
		}
	}
	var absent []figure
	for _, f := range fs {
		if f.identifier {
			unsure = unsure || !g.states(s.words[f.from]) && !g.numbers.codes.has(s, f)
			continue
		}
		if g.numbers.supports(f, s.approximate(f)) || g.numbers.codes.has(s, f) {
			stands = stands || f.value > 12 || f.unit != (unit{})
			continue
		}
		if derived(f) || excused[f.from] || ownCounting(s, f) || s.supposes(f) || g.numbers.relative && f.year() {
			unsure = true
			continue
		}
		if o, ok := g.reckons(f, fs, g.named, g.asked); ok {
			unsure = true
			if slices.ContainsFunc(fs, func(own figure) bool { return own == o }) {
				excused[o.from] = true
			}
			continue
		}
		absent = append(absent, f)
	}
	if d != nil {
		// What another figure was rightly reckoned with: 4 tickets cost $60.
		for _, o := range d.used {
			excused[o.from] = true
		}
	}
	for _, f := range absent {
		if excused[f.from] {
			unsure = true
			continue
		}
		missing = append(missing, s.text[f.start:f.end])
	}
	return missing, stands, unsure
}

// approximate: a word or sign before the figure says that it is rounded.
func (s sentence) approximate(f figure) bool {
	return f.from > 0 && approximations[s.words[f.from-1].text] || f.from > 1 && approximations[s.words[f.from-2].text] ||
		f.start > 0 && strings.HasSuffix(strings.TrimRight(s.text[:f.start], "$€£ "), "~") || strings.HasPrefix(s.text[f.end:], "+") ||
		strings.HasPrefix(s.text[f.end:], " or so") || strings.HasPrefix(s.text[f.end:], "-ish")
}

// supposes: the figure is an example of the speaker's, as in "if you order 3".
// What limits something is a rule, which documents have.
func (s sentence) supposes(f figure) bool {
	if f.unit.kind == percent || f.unit.kind == duration || f.unit.kind == months || f.year() {
		return false
	}
	for i := f.from - 1; i >= 0 && i >= f.from-12; i-- {
		w := s.words[i]
		if limits[w.text] && i >= f.from-3 || strings.ContainsAny(s.text[w.end:s.words[i+1].start], ",;:") && !suppositions[w.text] {
			return false
		}
		if suppositions[w.text] {
			return true
		}
	}
	return false
}

var (
	suppositions = set(`if suppose supposing say imagine assume assuming example instance e.g`)
	limits       = set(`within over under above below exceed exceeds exceeding least most than to until before after by minimum maximum up`)
)

// assumed are multiples that a sentence names in words.
func (s sentence) assumed() []figure {
	var out []figure
	for i, w := range s.words {
		if v := multiples[w.text]; v > 0 {
			out = append(out, figure{value: v, also: v, step: 1, from: i, to: i + 1, start: w.start, end: w.end, per: s.perAt(w.end)})
		} else if u, ok := adverbs[w.text]; ok {
			out = append(out, figure{value: 1, also: 1, step: 1, unit: u, from: i, to: i + 1, start: w.start, end: w.end})
		}
	}
	return out
}

// reckons: the figure comes of a stated one and of the operand it returns, which
// the answer just named or the question names.
func (g *grounding) reckons(f figure, operands ...[]figure) (operand figure, ok bool) {
	for _, fs := range operands {
		for _, o := range fs[:min(len(fs), 8)] {
			if (o.value != f.value || o.unit != f.unit) && !o.identifier && g.numbers.reckons(f, o) {
				return o, true
			}
		}
	}
	return figure{}, false
}

// year: the figure can be a calendar year.
func (f figure) year() bool {
	return f.value >= 1900 && f.value <= 2100 && f.step == 1 && f.unit == (unit{}) && !f.grouped
}

// ownCounting: the number orders or counts the answer's own parts, or is a way
// of speaking.
func ownCounting(s sentence, f figure) bool {
	if f.spelled && f.unit == (unit{}) || f.value <= 1 && f.unit == (unit{}) {
		return true
	}
	if f.from > 0 && labels[s.words[f.from-1].text] {
		return true
	}
	if f.unit.kind == percent && f.value == 100 {
		return true
	}
	rest := s.text[f.end:]
	if f.value <= 20 && strings.HasPrefix(rest, ")") && !strings.Contains(s.text[:f.start], "(") {
		return true
	}
	if f.value == 24 && strings.HasPrefix(rest, "/7") || f.value == 7 && strings.HasSuffix(s.text[:f.start], "24/") {
		return true
	}
	for i := f.to; i < len(s.words) && i < f.to+2; i++ {
		if f.value <= 20 && countedThings[s.words[i].text] {
			return true
		}
	}
	return false
}

// missingNames returns the names in a sentence of which no word is known. The
// first word of a sentence is capital anyway, and where most words are, capital
// letters mean nothing.
func (g *grounding) missingNames(s sentence) []string {
	capitals := 0
	for _, w := range s.words {
		if w.capital {
			capitals++
		}
	}
	if capitals*2 > len(s.words) {
		return nil
	}
	var out []string
	for i := 1; i < len(s.words); i++ {
		start := i
		known := false
		for i < len(s.words) && s.words[i].capital && (i == start || s.words[i].start == s.words[i-1].end+1) {
			known = known || g.knows(s.words[i]) || functionWords[s.words[i].text] || calendar[s.words[i].text]
			i++
		}
		if i > start && !known {
			out = append(out, s.text[s.words[start].start:s.words[i-1].end])
		}
	}
	return out
}

// calendar names are no names to look for: a day can be reckoned.
var calendar = set(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december`)
