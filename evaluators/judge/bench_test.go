package judge

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	label := `{"reason":"` + strings.Repeat("It says so. ", 165) + `","label":"biased"}`
	claims := `{"claims":[` + strings.TrimSuffix(strings.Repeat(`{"claim":"Returns take 30 days","reason":"The first document states it.","verdict":"supported"},`, 20), ",") + `]}`
	for _, bb := range []struct{ name, metric, text string }{
		{"label", "bias", label},
		{"label_fenced", "bias", "Here:\n```json\n" + label + "\n```"},
		{"claims", "faithfulness", claims},
	} {
		b.Run(bb.name, func(b *testing.B) {
			c, err := builtinCatalog()
			if err != nil {
				b.Fatal(err)
			}
			q := c.byName[bb.metric]
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				a, err := q.parse(bb.text)
				if err != nil {
					b.Fatal(err)
				}
				q.result(q.metric, a)
			}
		})
	}
}
