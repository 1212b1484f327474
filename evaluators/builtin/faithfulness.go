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
	// A sentence is strange when this share of its telling words, and at least so
	// many, are in no document and were not said before. Three such words make a
	// paraphrase ("send footwear back unused"). At a share of a half a third more
	// sentences are found, and of those in Wikipedia 15 in 100 wrongly instead of 6.
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
	if err := g.hear(ctx, s.limits.maxDocuments, said...); err != nil {
		return evaluators.Result{}, err
	}
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
	if err := v.settle(ctx, s, g); err != nil {
		return evaluators.Result{}, err
	}
	return v.result(g, answer.cut), nil
}

// verdict gathers what is found over the sentences of an answer.
type verdict struct {
	claims, unsupported int
	evidence            []string // why a sentence is unsupported
	numbers             bool     // a number or a date is
	names               []string // names that no document has
	strange             []sentence
	apart               bool // one of the strange ones may be a paraphrase
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
		v.strange = append(v.strange, s)
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
	case v.apart:
		return needsJudge("no lexical contradiction found, but a sentence in words that no document has")
	case !v.doubt && len(v.names) == 0:
		return evident(evaluators.Scored("", 1, labelFaithful, fmt.Sprintf("%d of %d sentences repeat a document", v.claims, v.claims)), EvidenceCopied)
	case len(v.names) > 0:
		return needsJudge("no lexical contradiction found, but " + quote(v.names[0]) + " is in no document")
	}
	if g.reckoned != "" {
		return needsJudge("no lexical contradiction found, but " + quote(g.reckoned) + " is reckoned, not stated")
	}
	return needsJudge("no lexical contradiction found, which is not yet support")
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
			w := s.words[i]
			known = known || g.knows(w) || functionWords[w.text] || calendar[w.text] || unitNamed(s.text[w.start:w.end], w.text) != (unit{})
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
