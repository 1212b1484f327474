package rows

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzObject: what is read in one pass is what the standard decoder reads, and
// the same goes for each text in it.
func FuzzObject(f *testing.F) {
	for _, text := range []string{
		`{"id":1,"input":"a","output":"b\nc","context":["x",{"text":"y"}],"metadata":{"a":{"b":[]}}}`,
		` { "output" : "\ud83d\ude00\ud83d \u00e9" , "n" : -0.5e+3 , "t":true,"f" : false, "z":null } `,
		`{"a":1,"a":2}`, `{"A":1,"a":2}`, `{"\u0041":"x"}`, `{"é":1}`, `{}`, `null`, `[]`, `{"a":"` + "\xff\x01" + `"}`,
		`{"a":01}`, `{"a":"x"}y`, `{"a":"\x"}`, `{"a":[[[[1,]]]]}`, `{"a":"b",}`, `{"":""}`, `{"a":"` + "\u2028\x7f" + `"}`,
	} {
		f.Add([]byte(text))
	}
	var o objects
	f.Fuzz(func(t *testing.T, text []byte) {
		want, err := fieldsOf(text)
		usual := o.usual(text)
		if usual && err != nil {
			t.Fatalf("%q is no object: %v", text, err)
		}
		if usual {
			got := make(map[string]json.RawMessage)
			for _, m := range o.members {
				got[m.name] = m.value
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q: -want +got:\n%s", text, diff)
			}
		}
		for _, v := range append([]json.RawMessage{text}, values(want)...) {
			if len(v) == 0 || v[0] != '"' {
				continue
			}
			var s string
			valid := json.Unmarshal(v, &s) == nil
			if got, ok := StringOf(v); ok != valid || valid && got != s {
				t.Fatalf("%q: %q, %v, expected %q, %v", v, got, ok, s, valid)
			}
		}
	})
}

func values(fields map[string]json.RawMessage) (all []json.RawMessage) {
	for _, v := range fields {
		all = append(all, v)
	}
	return all
}

// The usual row of a dataset is not left to the standard decoder.
func TestTheUsualObjectIsReadInOnePass(t *testing.T) {
	var o objects
	for text, want := range map[string]bool{
		`{"id":"a","input":"b","output":"c\n","context":[{"text":"é"}],"n":1.5,"x":null}`: true,
		`{"a":1,"a":2}`: false,
		`{"A":1}`:       false,
		`{"a":1`:        false,
	} {
		if got := o.usual([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
