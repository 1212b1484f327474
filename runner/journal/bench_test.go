package journal

import (
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

func realistic() ([]byte, *Header) {
	h := &Header{Evaluators: []Evaluator{{Name: "judge", Version: "1", Metrics: []Metric{{Name: "answer_relevancy", Threshold: 0.5}}}}}
	r := evaluators.Scored("answer_relevancy", 0.75, "Relevant", `The answer names the "Louvre" and the opening hours that the question asks for, too.`)
	r.Passed, r.JudgeModel, r.Attempts = true, "gpt-4.1-mini", 1
	r.InputTokens, r.OutputTokens, r.Cost, r.HasCost = 812, 41, 0.000391, true
	r.Duration, r.LimitWait = 1234567*time.Microsecond, 12345
	return appendRecord(nil, &runner.Record{
		ID: "item-123456", Index: 123455, Line: 123456, Sum: 1 << 40, At: time.Unix(1_700_000_000, 123456789), Evaluator: "judge",
		Results: []evaluators.Result{r}, Metadata: map[string]string{"language": "en"},
	}), h
}

func BenchmarkReadRecord(b *testing.B) {
	text, h := realistic()
	d := newDecoder(h)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if l, err := d.line(text[:len(text)-1]); err != nil || l.record == nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteRecord(b *testing.B) {
	text, h := realistic()
	r, err := newDecoder(h).recordOf(text)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var buf []byte
	for b.Loop() {
		buf = appendRecord(buf[:0], r)
	}
}
