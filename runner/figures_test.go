package runner

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

func TestPaceFollowsTheCompletions(t *testing.T) {
	now := time.Unix(0, 0)
	p := pace{at: now}
	if got := p.perSecond(now); got != 0 {
		t.Errorf("%v before anything", got)
	}
	for range 6000 { // ten minutes at 10 a second
		now = now.Add(100 * time.Millisecond)
		p.add(now, 1)
	}
	if got := p.perSecond(now); math.Abs(got-10) > 0.01 {
		t.Errorf("%v, want 10", got)
	}
	for range 600 { // a minute at 100 a second
		now = now.Add(100 * time.Millisecond)
		p.add(now, 10)
	}
	if got := p.perSecond(now); got < 90 || got > 100 {
		t.Errorf("%v, want nearly 100", got)
	}
	if got := p.perSecond(now.Add(time.Minute)); got > 10 {
		t.Errorf("%v after a minute of nothing", got)
	}
}

// Sums are kept in journals: they must not change.
func TestSumsAreTheSameForever(t *testing.T) {
	for want, item := range map[uint64]*Item{
		0xe4d00e85f0532108: {},
		0x516d74d611557f13: {ID: "any", Line: 3, Input: "What is the capital of France?", Output: "Paris.", Metadata: map[string]string{"a": "b"}},
	} {
		if got := Sum(item); got != want {
			t.Errorf("%#x, want %#x", got, want)
		}
	}
}

func TestEachPartOfTheContentIsInTheSum(t *testing.T) {
	items := []Item{
		{}, {Input: "a"}, {Output: "a"}, {Expected: "a"}, {System: "a"}, {Input: "ab"}, {Input: "a", Output: "b"}, {Input: "a\x00"},
		{Documents: []instrumentation.Document{{Text: "a"}}}, {Documents: []instrumentation.Document{{ID: "a"}}},
		{Documents: []instrumentation.Document{{}, {Text: "a"}}}, {History: []evaluators.Turn{{Role: "a"}}}, {History: []evaluators.Turn{{Text: "a"}}},
		{Case: &evaluators.Case{}}, {Case: &evaluators.Case{Kind: instrumentation.KindAgent}}, {Case: &evaluators.Case{Output: "a"}},
	}
	sums := map[uint64]int{}
	for i := range items {
		s := Sum(&items[i])
		if j, there := sums[s]; there {
			t.Errorf("%+v and %+v have the same sum", items[i], items[j])
		}
		sums[s] = i
	}
	same := Item{ID: "x", Index: 9, Line: 9, Metadata: map[string]string{"a": "b"}, Evaluators: []string{"x"}}
	if Sum(&same) != Sum(&items[0]) {
		t.Error("what is not content is in the sum")
	}
}

func TestIDsThatWereThereAreKnown(t *testing.T) {
	s := newSeen()
	for round := range 2 {
		for i := range uint32(100_000) {
			before, again := s.first(strconv.Itoa(int(i)), i)
			if again != (round == 1) || again && before != i {
				t.Fatalf("round %d: %d was at %d, %v", round, i, before, again)
			}
		}
	}
}
