package genaihttp

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// parsed rebuilds a value by walking over it.
func parsed(v value) any {
	switch {
	case v.isObject():
		object := map[string]any{}
		for name, v := range v.members() {
			object[name] = parsed(v)
		}
		return object
	case v.isArray():
		array := []any{}
		for _, v := range v.elements(math.MaxInt) {
			array = append(array, parsed(v))
		}
		return array
	case v.isString():
		return v.str()
	}
	var scalar any
	if err := json.Unmarshal(v, &scalar); err != nil {
		return err.Error()
	}
	return scalar
}

var walkSeeds = []string{
	`{}`, `[]`, `""`, `null`, `-1.5e3`, `true`,
	`{"a":1,"b":[1,2,{"c":"}]"}],"":null}`,
	" { \"a\" : [ ] , \"b\\n\\u00e9\" : { } } ",
	`[[],[[]],"\\","\"","\\\"",",",1,2 , 3]`,
	`{"a":"x\\\\\"y","a":"again"}`,
	"\"a\xffb\"", "{\"\xff\":1}", `"\ud83d\ude00 \ud83d"`,
	`{"choices":[{"index":0,"delta":{"content":"hi, \"you\""}}]}`,
	`[` + strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100) + `]`,
}

func TestWalkingAgreesWithUnmarshalling(t *testing.T) {
	for _, s := range walkSeeds {
		var want any
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		v, whole := readable([]byte(s))
		if got := parsed(v); !reflect.DeepEqual(want, got) || !whole {
			t.Errorf("%s: %v, whole: %t, want %v", s, got, whole, want)
		}
	}
}

func FuzzWalkingAgreesWithUnmarshalling(f *testing.F) {
	for _, s := range walkSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var want any
		if err := json.Unmarshal(b, &want); err != nil {
			if v, whole := readable(b); v != nil && !json.Valid(v) {
				t.Errorf("the readable part of %q is %q, whole: %t", b, v, whole)
			}
			return
		}
		v, whole := readable(b)
		if got := parsed(v); !reflect.DeepEqual(want, got) || !whole { // cmp takes exponential time in the depth
			t.Errorf("%v, whole: %t, want %v", got, whole, want)
		}
	})
}

func TestReadablePart(t *testing.T) {
	tests := map[string]struct {
		want  string
		whole bool
	}{
		`{"a":1,"b":[1,2`:      {`{"a":1}`, false},
		`{"a":1,"b":2,`:        {`{"a":1,"b":2}`, false},
		`{"a":1,"b`:            {`{"a":1}`, false},
		`{"a":1,"b":oops,"c":`: {`{"a":1}`, false},
		` {`:                   {`{}`, false},
		`{"a":1} trailing`:     {`{"a":1}`, true},
		"{\"a\":1}\n{\"b\":2}": {`{"a":1}`, true},
		`[1,2`:                 {``, false},
		`"abc`:                 {``, false},
		``:                     {``, false},
		`<html>`:               {``, false},
	}
	for body, tt := range tests {
		if v, whole := readable([]byte(body)); string(v) != tt.want || whole != tt.whole {
			t.Errorf("%s: %s, %t, want %s, %t", body, v, whole, tt.want, tt.whole)
		}
	}
}

func TestElementsStopAtTheirLimit(t *testing.T) {
	n := 0
	for i, v := range value(`[0,1,2,3,4]`).elements(3) {
		if got := v.count(); got != int64(i) {
			t.Errorf("element %d = %d", i, got)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d elements, want 3", n)
	}
}

func TestNumbers(t *testing.T) {
	tests := map[string]struct {
		number, integer any
	}{
		`1`:                      {1.0, int64(1)},
		`-1.5`:                   {-1.5, nil},
		`"7"`:                    {7.0, int64(7)},
		`1e3`:                    {1000.0, int64(1000)},
		`1e400`:                  {nil, nil},
		`9223372036854775807`:    {9223372036854775807.0, int64(math.MaxInt64)},
		`9223372036854775808`:    {9223372036854775808.0, nil},
		`"NaN"`:                  {nil, nil},
		`"Infinity"`:             {nil, nil},
		`"0x10"`:                 {nil, nil},
		`"1_000"`:                {nil, nil},
		`null`:                   {nil, nil},
		`[1]`:                    {nil, nil},
		`""`:                     {nil, nil},
		strings.Repeat("9", 9e4): {nil, nil},
	}
	for s, tt := range tests {
		var number, integer any
		if f := value(s).number(); f != nil {
			number = *f
		}
		if n := value(s).integer(); n != nil {
			integer = *n
		}
		if number != tt.number || integer != tt.integer {
			t.Errorf("%.20s: %v, %v, want %v, %v", s, number, integer, tt.number, tt.integer)
		}
	}
}

func TestShortCutsBetweenCharacters(t *testing.T) {
	if got := value(`"` + strings.Repeat("é", 200) + `x"`).short(); got != strings.Repeat("é", 128) {
		t.Errorf("short = %q", got)
	}
	if got := value(`"a` + strings.Repeat("é", 200) + `"`).short(); got != "a"+strings.Repeat("é", 127) {
		t.Errorf("short = %q", got)
	}
}
