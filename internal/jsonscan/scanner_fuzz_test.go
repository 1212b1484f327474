package jsonscan

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"unicode/utf8"
)

// FuzzScanner: what is accepted is JSON, and means what the standard decoder says.
// Only what is nested too deep is refused though it is JSON.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		``, ` `, `null`, `true`, `false`, `nul`, `0`, `-0`, `01`, `-`, `1.`, `1.5e+3`, `1e`, `1e400`, `9223372036854775808`, `-9223372036854775808`,
		`""`, `"a\n\u0041\ud83d\ude00"`, `"\ud83d"`, `"\ud83d\u0041"`, `"\udc00\ud83d"`, `"\x"`, `"\u12"`, `"`, "\"\x01\"", "\"\xff\xc3\"", `"é"`,
		`[]`, `[1,2]`, `[1,]`, `[,]`, `{}`, `{"a":1}`, `{"a":1,}`, `{"a"}`, `{a:1}`, ` { "a" : [ { } , null ] } `, `[[[[[[[[]]]]]]]]`, `1 2`,
	} {
		f.Add([]byte(text))
	}
	var s Scanner
	f.Fuzz(func(t *testing.T, text []byte) {
		deepest, depth := 0, 0 // at most: brackets in texts count too
		for _, c := range text {
			switch c {
			case '[', '{':
				depth++
				deepest = max(deepest, depth)
			case ']', '}':
				depth--
			}
		}
		s.Reset(text)
		s.Skip()
		valid := json.Valid(text)
		if ok := s.End(); ok != valid && (ok || deepest <= maxDepth) {
			t.Fatalf("%q: %v, expected %v", text, ok, valid)
		}
		if !valid {
			return
		}
		s.Reset(text)
		switch s.Peek() {
		case '"':
			var want string
			_ = json.Unmarshal(text, &want)
			if got := s.Str(); got != want || !s.End() || !utf8.ValidString(got) {
				t.Errorf("%q: %q, expected %q", text, got, want)
			}
		case 't', 'f':
			if got := s.Bool(); got != (text[s.At()-1] == 'e' && text[s.At()-2] == 'u') || !s.End() {
				t.Errorf("%q: %v", text, got)
			}
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			start := s.At()
			number := string(s.Number())
			want, err := strconv.ParseInt(number, 10, 64)
			s.Back(start)
			if got := s.Int(); s.Bad() != (err != nil) || err == nil && got != want {
				t.Errorf("%q: %d, expected %d, %v", text, got, want, err)
			}
			s.Reset(text)
			float, err := strconv.ParseFloat(number, 64)
			if got := s.Float(); s.Bad() != (err != nil || math.IsInf(float, 0)) || err == nil && got != float {
				t.Errorf("%q: %v, expected %v, %v", text, got, float, err)
			}
		}
	})
}

func TestWordsAreShared(t *testing.T) {
	var s Scanner
	s.Reset([]byte(`["one","two","one",null]`))
	var words []string
	s.Elements(func(s *Scanner) { words = append(words, s.Word()) })
	if !s.End() || len(words) != 4 || words[0] != "one" || words[2] != "one" || words[3] != "" || len(s.words) != 2 {
		t.Errorf("%q of %d", words, len(s.words))
	}
	s.Reset(nil)
	if s.Skip(); s.End() || !s.Bad() {
		t.Error("nothing is a value")
	}
}
