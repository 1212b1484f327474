package judge

import (
	"strings"
	"testing"
)

// The answers that are parsed, checked and scored have 2 KiB.
var (
	reason1900 = strings.Repeat("It says so. ", 158)
	claims2K   = `{"claims":[` + strings.TrimSuffix(strings.Repeat(`{"claim":"Returns take 30 days","reason":"The first document states it.","verdict":"supported"},`, 20), ",") + `]}`
)

func benchmarkParse(b *testing.B, q *question, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		a, err := q.parse(text)
		if err != nil {
			b.Fatal(err)
		}
		q.result(q.metric, a)
	}
}

// BenchmarkParseBuiltin is to stay below 50 µs.
func BenchmarkParseBuiltin(b *testing.B) {
	label := `{"reason":"` + reason1900 + `","label":"biased"}`
	for _, bb := range []struct{ name, metric, text string }{
		{"label", "bias", label},
		{"label_fenced", "bias", "Here:\n```json\n" + label + "\n```"},
		{"claims", "faithfulness", claims2K},
	} {
		b.Run(bb.name, func(b *testing.B) { benchmarkParse(b, questionNamed(b, bb.metric), bb.text) })
	}
}

// BenchmarkParseRubric is to stay below 300 µs.
func BenchmarkParseRubric(b *testing.B) {
	for _, bb := range []struct{ name, rubric, decision string }{
		{"label", "on_brand", `"label":"mixed"`},
		{"scale", "verbosity", `"score":4`},
		{"scale_in_quotes", "verbosity", `"score":"4"`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			benchmarkParse(b, rubricNamed(b, bb.rubric), `{"reason":"`+reason1900+`",`+bb.decision+`}`)
		})
	}
	b.Run("scale_fenced", func(b *testing.B) {
		benchmarkParse(b, rubricNamed(b, "verbosity"), "Here:\n```json\n{\"reason\":\""+reason1900+"\",\"score\":4}\n```")
	})
}
