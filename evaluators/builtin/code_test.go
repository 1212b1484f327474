package builtin

import "testing"

func TestCodesAreToldByTheirDigits(t *testing.T) {
	for _, test := range []struct {
		document, answer string
		want             bool
	}{
		{"Call 555-201-7788.", "Call 5552017788.", true},
		{"Call 555-201-7788.", "Call (555) 201 7788.", true},
		{"Call 555-201-7788.", "Call 5552017789.", false},
		{"Call +44 20 7946 0018.", "Call 020 7946 0018.", true},
		{"It needs version 2.1.0.", "It needs 2.1.", true},
		{"It needs v4.2.", "It needs 4.2.", true},
		{"It needs version 2.1.0.", "It needs 2.2.", false},
		{"It is 2.1 km long.", "It is 2.1 miles long.", false},
	} {
		n := newNumbers()
		n.addSentence(sentence{text: test.document, words: splitWords(test.document)})
		s := sentence{text: test.answer, words: splitWords(test.answer)}
		got := true
		for _, f := range figures(s) {
			got = got && n.codes.has(s, s.runs(), f)
		}
		if got != test.want {
			t.Errorf("%q states %q: %t, want %t", test.document, test.answer, got, test.want)
		}
	}
}
