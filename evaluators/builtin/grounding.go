package builtin

import (
	"context"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"

	"github.com/genaievals/genaievals/evaluators"
)

// grounding is what the documents say, indexed: words, numbers, and the
// sentences that hold a word.
type grounding struct {
	stems map[string][]int32 // the sentences with that word, the first few
	// sentences of the documents, as stems.
	sentences []stated
	// said are the words of the question and the conversation, which the answer
	// may repeat without a document; numbers are those of both.
	said    map[string]bool
	numbers *numbers
	// asked are the figures of the question, named those of the sentence of the
	// answer that was judged last.
	asked, named []figure
	// reckoned is the first figure of the answer that no document states and that
	// comes of those it does state.
	reckoned string
	// derived is how many figures of the answer were tried to be reckoned.
	derived int
	// cut: documents or conversation were over the bound.
	cut     bool
	foreign bool
}

// stated is a sentence of a document.
type stated struct {
	text     string
	stems    []string
	negated  bool
	operands []operand
	periods  [5]bool
	listed   int // things that it lists
}

// postings is how many sentences are remembered for one word.
const postings = 24

// ground reads the documents in order, up to limit bytes over all of them.
// Call hear before asking for anything.
func ground(ctx context.Context, docs []instrumentation.Document, limit int) (*grounding, error) {
	g := &grounding{stems: make(map[string][]int32), said: make(map[string]bool), numbers: newNumbers()}
	words, foreignWords := 0, 0
	for _, d := range docs {
		if evaluators.Blank(d.Text) {
			continue
		}
		if limit <= 0 {
			g.cut = true
			break
		}
		p := readDocument(d.Text, limit)
		limit -= len(d.Text)
		g.cut = g.cut || p.cut
		words += p.words
		if p.foreign {
			foreignWords += p.words
		}
		for _, s := range p.sentences {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g.addSentence(s)
		}
	}
	g.foreign = foreignWords*2 > words
	return g, nil
}

func (g *grounding) addSentence(s sentence) {
	id := int32(len(g.sentences))
	st := stated{text: s.text, stems: make([]string, len(s.words)), negated: s.negated()}
	for i, w := range s.words {
		st.stems[i] = w.stem
	}
	fs, together := g.numbers.addSentence(s)
	st.operands, st.periods, st.listed = operandsOf(s, fs, together), s.periods(), s.lists()
	g.sentences = append(g.sentences, st)
	for _, w := range s.words {
		if at := g.stems[w.stem]; len(at) < postings {
			g.stems[w.stem] = append(at, id)
		}
	}
}

// hear takes in what was said before the answer, the question first, up to
// limit bytes, and ends reading. What is over may hold what the answer repeats, as with documents.
func (g *grounding) hear(ctx context.Context, limit int, texts ...string) error {
	for i, t := range texts {
		p := readDocument(t, max(0, limit))
		limit -= len(t)
		g.cut = g.cut || p.cut
		for _, s := range p.sentences {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, w := range s.words {
				g.said[w.stem] = true
			}
			fs, _ := g.numbers.addSentence(s)
			if i == 0 && len(g.asked) < 8 {
				g.asked = append(g.asked, fs...)
			}
		}
	}
	g.numbers.close()
	return nil
}

// states reports whether a document has the word.
func (g *grounding) states(w word) bool { return len(g.stems[w.stem]) > 0 }

// knows reports whether the word is in a document or was said before.
func (g *grounding) knows(w word) bool { return g.states(w) || g.said[w.stem] }

// nearest returns the documents' sentence that shares most of the rarer words
// with s, -1 when none shares any.
func (g *grounding) nearest(s sentence) int32 {
	votes := make(map[int32]int)
	best, most := int32(-1), 0
	for _, w := range s.words {
		at := g.stems[w.stem]
		if functionWords[w.text] || len(at) == postings {
			continue
		}
		for _, id := range at {
			if votes[id]++; votes[id] > most {
				best, most = id, votes[id]
			}
		}
	}
	return best
}

// repeats reports whether one sentence of the documents says s: all its words
// that carry meaning in the same order, most of them side by side as there, and
// negated alike.
func (g *grounding) repeats(s sentence) bool {
	near := g.nearest(s)
	if near < 0 || g.sentences[near].negated != s.negated() {
		return false
	}
	all := g.sentences[near].stems
	rest := all
	for _, w := range s.words {
		if functionWords[w.text] && !decisive[w.text] {
			continue
		}
		i := slices.Index(rest, w.stem)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	pairs := make(map[[2]string]bool, len(all))
	for i := 1; i < len(all); i++ {
		pairs[[2]string{all[i-1], all[i]}] = true
	}
	copied := 0
	for i := 1; i < len(s.words); i++ {
		if pairs[[2]string{s.words[i-1].stem, s.words[i].stem}] {
			copied++
		}
	}
	return float64(copied) >= copiedShare*float64(len(s.words)-1)
}

// decisive function words change what a sentence says, or leave open whom it is
// about.
var decisive = set(`yes no i my he him his she her it its they them their before after until since over under above below up down out off without into from more less least most
only all every each both either any some many few several never always often sometimes usually first last next`)

// readDocument reads a document as it is: code, data and tables in it may well
// support an answer, so nothing is left out but markup signs.
func readDocument(text string, limit int) passage {
	text, cut := clipWords(text, limit)
	p := read(codeSigned.Replace(text), 2*limit)
	p.cut = cut
	return p
}

var codeSigned = strings.NewReplacer("`", " ", "|", " | ")
