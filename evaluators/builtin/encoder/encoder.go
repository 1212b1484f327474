package encoder

import (
	"context"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// Limits of a text. What is beyond either is not read; [Vector.Truncated] says so.
const (
	// MaxPieces is how many pieces of words are read: about 100 words.
	MaxPieces = layout.MaxPieces
	// MaxBytes is how many bytes are looked at to find them.
	MaxBytes = 8 << 10
)

// Encoder turns texts into vectors. Encoders are cheap: all share one model,
// one working memory and one turn, so that the process never computes more than
// one thing at a time here, whatever the number of encoders and callers. Each
// has a share of its own. An Encoder is safe for concurrent use; the zero value
// and nil are encoders with defaults.
type Encoder struct {
	share float64

	mu        sync.Mutex
	allowance allowance
}

// New returns an encoder. It is quick and loads nothing: the model is read when
// it is first needed. It returns [ErrShare].
func New(options ...Option) (*Encoder, error) {
	c := config{share: DefaultShare}
	for _, o := range options {
		if o != nil {
			c = o.apply(c)
		}
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	return &Encoder{share: c.share}, nil
}

// turn is held by whoever computes, and with it the working memory.
var turn = func() chan *scratch {
	c := make(chan *scratch, 1)
	c <- nil // made at first use
	return c
}()

// Embed returns the vector of each text, in their order. It waits for its turn
// and for the encoder's share, computes on the caller's goroutine, about a
// hundred words at a time, and looks at ctx between them: its error is then
// the cause of ctx, with no vectors. Other errors say that the program's copy of the
// model is damaged. The same text has the same vector, to the bit, whatever
// texts are with it. Texts may be anything: what is no UTF-8 counts as unknown
// characters.
func (e *Encoder) Embed(ctx context.Context, texts ...string) ([]Vector, error) {
	if e == nil {
		e = new(Encoder)
	}
	vectors := make([]Vector, len(texts))
	for done := 0; done < len(texts); {
		n, err := e.some(ctx, texts[done:], vectors[done:])
		if err != nil {
			return nil, fmt.Errorf("embed text %d of %d: %w", done+1, len(texts), err)
		}
		done += n
	}
	return vectors, nil
}

// some embeds as many of the texts as are worked on together, and returns how
// many that were.
func (e *Encoder) some(ctx context.Context, texts []string, vectors []Vector) (int, error) {
	s, err := e.begin(ctx)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	defer func() {
		e.end(time.Since(began))
		turn <- s
	}()
	m, err := shared()
	if err != nil {
		return 0, err
	}
	if s == nil {
		s = newScratch()
	}
	return m.some(s, texts, vectors), nil
}

// begin waits until the encoder's share allows to compute and takes the turn,
// which the caller has to give back.
func (e *Encoder) begin(ctx context.Context) (*scratch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		var s *scratch
		select {
		case s = <-turn:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		wait := e.wait(time.Now())
		if wait == 0 {
			return s, nil
		}
		turn <- s // others need not wait meanwhile
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		}
	}
}

// wait is how long the encoder has to rest.
func (e *Encoder) wait(now time.Time) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.allowance.share == 0 {
		share := e.share
		if share == 0 {
			share = DefaultShare
		}
		e.allowance = newAllowance(share)
	}
	return e.allowance.wait(now)
}

// end tells the encoder's allowance how long it has computed.
func (e *Encoder) end(took time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.allowance.spend(time.Now(), took)
}

// some embeds the texts that fit in a chunk, at least one.
func (m *model) some(s *scratch, texts []string, vectors []Vector) int {
	s.ids, s.ends = s.ids[:0], s.ends[:0]
	n := 0
	out := s.out[:0]
	for ; n < len(texts) && n < maxTexts; n++ {
		text, cut := head(texts[n])
		pieces := m.vocabulary.cut(text, &s.tokens)
		if len(pieces) > MaxPieces {
			pieces, cut = pieces[:MaxPieces], true
		}
		if len(s.ids)+len(pieces) > chunk {
			break
		}
		vectors[n] = Vector{Pieces: len(pieces), Truncated: cut}
		if len(pieces) > 0 {
			s.ids = append(s.ids, pieces...)
			s.ends = append(s.ends, len(s.ids))
			out = append(out, &vectors[n])
		}
	}
	if len(out) > 0 {
		m.forward(s, out)
	}
	clear(out) // the vectors are the caller's
	s.out = out
	return n
}

// maxTexts bounds how many texts are looked at for one chunk: empty ones have
// no pieces that would.
const maxTexts = chunk

// head cuts a text at MaxBytes, between two characters.
func head(text string) (string, bool) {
	if len(text) <= MaxBytes {
		return text, false
	}
	end := MaxBytes
	for end > MaxBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], true
}
