package encoder

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// vocabulary are the pieces that texts are cut into.
type vocabulary struct {
	pieces  []layout.Piece
	ids     map[string]uint16
	longest int // piece, in characters
}

func newVocabulary(f layout.File) *vocabulary {
	v := &vocabulary{pieces: f.Vocabulary, ids: make(map[string]uint16, len(f.Vocabulary)), longest: f.Longest()}
	for id := layout.Reserved; id < len(f.Vocabulary); id++ {
		v.ids[f.Vocabulary[id].Text] = uint16(id)
	}
	return v
}

// unknown is the id of a run of characters that are in no piece.
const unknown = 0

// tokens is the working memory of the tokenizer.
type tokens struct {
	text   []byte
	starts []int     // of each character in text, and the end
	scores []float64 // the best score of the text before each character
	words  []uint16  // the piece with which that ends; unknown: a character that is in none
	pieces []uint16
}

// cut divides a text into the pieces that are together the most probable, as
// the model was trained with: Unicode normal form NFKC, words marked by
// [layout.Separator], runs of unknown characters one piece. White space is one
// space however much it is, and none at the ends. The result is good until the
// next call. Time is linear in the length of the text; the caller bounds it.
func (v *vocabulary) cut(text string, t *tokens) []uint16 {
	t.normalise(text)
	n := len(t.starts) - 1
	t.scores, t.words = resize(t.scores, n+1), resize(t.words, n+1)
	for i := range n {
		for j := i + 1; j <= min(i+v.longest, n); j++ {
			id, ok := v.ids[string(t.text[t.starts[i]:t.starts[j]])]
			if !ok {
				continue
			}
			// A score of 0 is none yet: a text that ends in an unknown character
			// starts afresh. The later of two equal ones counts.
			score := t.scores[i] + float64(v.pieces[id].Score)
			if t.scores[j] == 0 || score >= t.scores[j] {
				t.scores[j], t.words[j] = score, id
			}
		}
	}
	t.pieces = t.pieces[:0]
	for end := n; end > 0; {
		id := t.words[end]
		if length := len(t.pieces); id != unknown || length == 0 || t.pieces[length-1] != unknown {
			t.pieces = append(t.pieces, id)
		}
		if id == unknown {
			end--
		} else {
			end -= utf8.RuneCountInString(v.pieces[id].Text)
		}
	}
	for i, j := 0, len(t.pieces)-1; i < j; i, j = i+1, j-1 {
		t.pieces[i], t.pieces[j] = t.pieces[j], t.pieces[i]
	}
	return t.pieces
}

// normalise fills text and starts.
func (t *tokens) normalise(text string) {
	t.text, t.starts = t.text[:0], t.starts[:0]
	space := true // before the first word
	for _, r := range norm.NFKC.String(strings.ToValidUTF8(text, string(utf8.RuneError))) {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			space = false
			t.starts = append(t.starts, len(t.text))
			t.text = utf8.AppendRune(t.text, layout.Separator)
		}
		t.starts = append(t.starts, len(t.text))
		t.text = utf8.AppendRune(t.text, r)
	}
	t.starts = append(t.starts, len(t.text))
}

// resize makes a slice of n zeros, out of s if that is long enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
