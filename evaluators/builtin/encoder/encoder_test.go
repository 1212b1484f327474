package encoder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// whole is an encoder that need not rest.
func whole(t testing.TB) *Encoder {
	t.Helper()
	e, err := New(WithShare(1))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func embed(t testing.TB, e *Encoder, texts ...string) []Vector {
	t.Helper()
	vectors, err := e.Embed(t.Context(), texts...)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors of %d texts", len(vectors), len(texts))
	}
	return vectors
}

var reply = []string{
	"You can return any pair of shoes within thirty days of delivery.",
	"",
	"No.",
	"Keep the receipt, and please do not wear them outside before you are sure that they fit.",
	"You can return any pair of shoes within thirty days of delivery.",
	" \n\t",
	"Ein Satz, der nicht englisch ist.",
	strings.Repeat("The ferry leaves at seven and returns at dusk. ", 30),
	"Thanks!",
}

// To the bit: no text's vector depends on what is with it, on where it stands,
// or on which kernel computed it.
func TestVectorsDoNotDependOnTheBatch(t *testing.T) {
	e := whole(t)
	together := embed(t, e, reply...)
	for i, text := range reply {
		if diff := cmp.Diff(embed(t, e, text)[0], together[i]); diff != "" {
			t.Errorf("text %d alone and with the others:\n%s", i, diff)
		}
	}
	if diff := cmp.Diff(together[0], together[4]); diff != "" {
		t.Errorf("the same text at two places:\n%s", diff)
	}
	if diff := cmp.Diff(together, embed(t, e, reply...)); diff != "" {
		t.Errorf("the same again:\n%s", diff)
	}
	s := newScratch()
	s.portable = true
	portable := make([]Vector, len(reply))
	for n := 0; n < len(reply); {
		n += sharedModel(t).some(s, reply[n:], portable[n:])
	}
	if diff := cmp.Diff(together, portable); diff != "" {
		t.Errorf("with assembly where there is, and without:\n%s", diff)
	}
}

func TestWhatIsReadOfATextIsTold(t *testing.T) {
	long := strings.Repeat("ferry ", 200)
	for name, test := range map[string]struct {
		text      string
		pieces    int
		truncated bool
	}{
		"empty":                    {"", 0, false},
		"white space":              {" \r\n\u00a0\u3000", 0, false},
		"a word":                   {"Yes.", 2, false},
		"as many pieces as can be": {strings.Repeat(" the", MaxPieces), MaxPieces, false},
		"one more":                 {strings.Repeat(" the", MaxPieces+1), MaxPieces, true},
		"long":                     {long, MaxPieces, true},
		"one unknown run":          {strings.Repeat("😀", 500), 2, false},
		"a run beyond the bound":   {strings.Repeat("😀", MaxBytes/4+1), 2, true},
		"blanks beyond the bound":  {"Yes." + strings.Repeat(" ", MaxBytes), 2, true},
		"at the bound":             {strings.Repeat("😀", MaxBytes/4), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := embed(t, whole(t), test.text)[0]
			if v.Pieces != test.pieces || v.Truncated != test.truncated {
				t.Errorf("%d pieces, truncated %v; want %d, %v", v.Pieces, v.Truncated, test.pieces, test.truncated)
			}
			want := 1.0
			if test.pieces == 0 {
				want = 0
			}
			if got := v.Cosine(&v); math.Abs(got-want) > 1e-5 {
				t.Errorf("length² %v, want %v", got, want)
			}
		})
	}
}

// The vector of a text that is cut is that of what was read.
func TestLongTextsAreTheirBeginnings(t *testing.T) {
	v := embed(t, whole(t), strings.Repeat("the ", MaxPieces), strings.Repeat("the ", MaxPieces)+"cat sat on the mat")
	if v[0].Values != v[1].Values || v[0].Truncated || !v[1].Truncated {
		t.Errorf("cosine %v; truncated %v and %v", v[0].Cosine(&v[1]), v[0].Truncated, v[1].Truncated)
	}
}

func TestZeroEncodersHaveDefaults(t *testing.T) {
	want := embed(t, whole(t), "Yes.")
	var none *Encoder
	for name, e := range map[string]*Encoder{"nil": none, "zero": {}} {
		if diff := cmp.Diff(want, embed(t, e, "Yes.")); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	if got := embed(t, none); len(got) != 0 {
		t.Errorf("%d vectors of no texts", len(got))
	}
	if got := (*Vector)(nil).Cosine(&want[0]); got != 0 {
		t.Errorf("cosine with nothing: %v", got)
	}
	e, err := New(nil)
	if err != nil || e.share != DefaultShare {
		t.Errorf("share %v, %v; want %v", e.share, err, DefaultShare)
	}
}

func TestSharesOutOfRangeAreRefused(t *testing.T) {
	for _, share := range []float64{0, -1, 1.01, math.NaN(), math.Inf(1)} {
		if e, err := New(WithShare(share)); !errors.Is(err, ErrShare) || e != nil {
			t.Errorf("%v: %v", share, err)
		}
	}
}

func TestAnEncoderRestsUntilItsShareAllows(t *testing.T) {
	sharedModel(t)
	synctest.Test(t, func(t *testing.T) {
		e := &Encoder{allowance: allowance{share: 0.5, credit: -time.Second, at: time.Now()}}
		start := time.Now()
		embed(t, e, "Yes.")
		if got := time.Since(start); got != 2*time.Second {
			t.Errorf("began after %v, want 2s", got)
		}
		e.end(3 * time.Second)
		start = time.Now()
		embed(t, new(Encoder), "Yes.") // another is not kept by it
		if got := time.Since(start); got != 0 {
			t.Errorf("another encoder began after %v", got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := e.Embed(ctx, "Yes."); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want that of the context", err)
		}
		if got := time.Since(start); got != time.Second {
			t.Errorf("gave up after %v, want 1s", got)
		}
	})
}

func TestWaitingForTheTurnEndsWithTheContext(t *testing.T) {
	s := <-turn
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := whole(t).Embed(ctx, "Yes.")
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	turn <- s
	embed(t, whole(t), "Yes.") // the turn is free again
}

// countdown is a context that is cancelled when it has been asked n times.
type countdown struct {
	context.Context
	left, asked atomic.Int64
}

func (c *countdown) Err() error {
	c.asked.Add(1)
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelledBetweenSentences(t *testing.T) {
	texts := make([]string, 10_000)
	for i := range texts {
		texts[i] = reply[0]
	}
	ctx := &countdown{Context: t.Context()}
	ctx.left.Store(3)
	vectors, err := whole(t).Embed(ctx, texts...)
	if !errors.Is(err, context.Canceled) || vectors != nil {
		t.Errorf("%d vectors, error %v", len(vectors), err)
	}
	// Eight sentences at a time; waiting for the turn looks at the context, too.
	var text int
	_, after, _ := strings.Cut(fmt.Sprint(err), "embed text ")
	if _, e := fmt.Sscanf(after, "%d of 10000", &text); e != nil || text > 25 || text%8 != 1 {
		t.Errorf("error %q, want text 25, or eight or sixteen earlier", err)
	}
	if got := ctx.asked.Load(); got > 5 {
		t.Errorf("asked the context %d times after the end", got)
	}
}

func TestManyCallersGetTheirOwn(t *testing.T) {
	want := embed(t, whole(t), reply...)
	shared := whole(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			e := shared
			if i%2 == 0 {
				e = whole(t)
			}
			for j := range reply {
				k := (i + j) % len(reply)
				got, err := e.Embed(t.Context(), reply[k], reply[0])
				if err != nil {
					t.Error(err)
					return
				}
				if got[0] != want[k] || got[1] != want[0] {
					t.Errorf("caller %d: text %d has another vector", i, k)
				}
			}
		})
	}
	group.Wait()
}
