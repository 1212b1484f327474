package builtin

import "context"

const (
	// A sentence whose meaning is as near as this to a document's, as a cosine,
	// may be a paraphrase of it. Of 90 that share hardly a word with what they
	// paraphrase none was farther than that; of 60 on something else half were
	// nearer than 0.33. With a name that no document has it must be nearer.
	paraphraseFrom      = 0.35
	paraphraseNamedFrom = 0.5
	// strangeRead is how many strange sentences of an answer the model reads.
	strangeRead = 8
)

// settle decides on the sentences in words that are in no document. Words alone
// cannot: a paraphrase may share none. A model says how near the meanings are;
// where there is none, or the documents are too long for it, a name that no
// document has must add to it.
func (v *verdict) settle(ctx context.Context, s *subject, g *grounding) error {
	if len(v.strange) == 0 {
		return nil
	}
	near, err := v.nearness(ctx, s, g)
	if err != nil {
		return err
	}
	for i, sen := range v.strange {
		named := len(g.missingNames(sen)) > 0
		if i < len(near) && (near[i] < paraphraseFrom || near[i] < paraphraseNamedFrom && named) || i >= len(near) && named {
			v.unsupported++
			v.evidence = append(v.evidence, "no document supports "+quote(sen.text))
		} else {
			v.apart = true
		}
	}
	return nil
}

// nearness returns how near each of the first strange sentences is to the
// nearest sentence of the documents or of the question, none where nobody can
// tell.
func (v *verdict) nearness(ctx context.Context, s *subject, g *grounding) ([]float64, error) {
	if s.limits.model == nil || g.cut || len(g.sentences) > 2*s.limits.sentencesRead() {
		return nil, nil
	}
	n := min(len(v.strange), strangeRead)
	texts := make([]string, 0, n+len(g.sentences)+1)
	for _, sen := range v.strange[:n] {
		texts = append(texts, sen.text)
	}
	texts = append(texts, beginning(s.c.Input))
	for _, st := range g.sentences {
		texts = append(texts, st.text)
	}
	vectors, err := s.embed(ctx, texts...)
	if err != nil {
		return nil, err
	}
	near := make([]float64, n)
	for i := range near {
		near[i] = -1
		for _, other := range vectors[n:] {
			near[i] = max(near[i], vectors[i].Cosine(other))
		}
	}
	return near, nil
}
