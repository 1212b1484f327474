package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembers(t *testing.T) {
	for _, tt := range []struct {
		text string
		want map[string]string // nil: an error
	}{
		{`{}`, map[string]string{}},
		{" {\n} ", map[string]string{}},
		{`{"a":1}`, map[string]string{"a": "1"}},
		{`{"a":true,"b":null , "c" : -1.5e3 }`, map[string]string{"a": "true", "b": "null", "c": "-1.5e3"}},
		{`{"a":{"b":[1,{"c":"}"}]},"d":[[],{}]}`, map[string]string{"a": `{"b":[1,{"c":"}"}]}`, "d": "[[],{}]"}},
		{`{"a\"b":"c\\","D_e":" , "}`, map[string]string{`a"b`: `"c\\"`, "de": `" , "`}},
		{`{"a":1,"A":2}`, nil},
		{`[1]`, nil},
		{`"a"`, nil},
		{`7`, nil},
	} {
		t.Run(tt.text, func(t *testing.T) {
			o, err := members([]byte(tt.text))
			var got map[string]string
			if err == nil {
				got = map[string]string{}
				for _, m := range o {
					got[m.name] = string(m.value)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("members (-want +got), error %v:\n%s", err, diff)
			}
		})
	}
	var many []string
	for i := range maxMembers + 1 {
		many = append(many, fmt.Sprintf(`"m%d":1`, i))
	}
	if _, err := members([]byte("{" + strings.Join(many, ",") + "}")); err == nil {
		t.Error("no bound on members")
	}
}

// FuzzMembers: on valid JSON the split finds what encoding/json finds.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":{"b":[1,"x"]},"c":[true,null,-1e3,{}]}`, ` [ "a\\" , {} ] `, `"\u0041"`, `7`, `{"a":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		if o, err := members(text); err == nil {
			var want map[string]json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if len(o) != len(want) {
				t.Fatalf("%d members, want %d", len(o), len(want))
			}
			for name, value := range want {
				if got := o.get(fold(name)); !bytes.Equal(got, value) {
					t.Errorf("%q is %s, want %s", name, got, value)
				}
			}
		}
		trimmed := bytes.TrimSpace(text)
		if items, ok := elements(trimmed); ok {
			var want []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if len(items) != len(want) {
				t.Fatalf("%d elements, want %d", len(items), len(want))
			}
			for i := range want {
				if !bytes.Equal(items[i], want[i]) {
					t.Errorf("element %d is %s, want %s", i, items[i], want[i])
				}
			}
		}
		if s, ok := stringValue(trimmed); ok {
			var want string
			if err := json.Unmarshal(text, &want); err != nil || s != want {
				t.Errorf("string %q, want %q", s, want)
			}
		}
	})
}
