package rows

import (
	"bufio"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestHowAJSONTextBegins(t *testing.T) {
	for text, want := range map[string]Start{
		"":                        {},
		" \r\n":                   {At: 3},
		"a,b":                     {First: 'a'},
		"\n [1]":                  {First: '[', At: 2},
		`{"id":1}`:                {First: '{', Key: "id", ArrayAt: 6},
		` { "items" : [{}`:        {First: '{', At: 1, Key: "items", Array: true, ArrayAt: 13},
		`{"a\"b":[]}`:             {First: '{'},
		`{}`:                      {First: '{'},
		`{"cut`:                   {First: '{'},
		strings.Repeat(" ", 5000): {At: maxStart},
	} {
		in := bufio.NewReader(iotest.OneByteReader(strings.NewReader(text)))
		if diff := cmp.Diff(want, StartOf(in)); diff != "" {
			t.Errorf("%.20q: -want +got:\n%s", text, diff)
		}
		if n := in.Buffered(); n > len(text) {
			t.Errorf("%.20q: %d bytes read", text, n)
		}
		if rest, _ := in.Peek(min(1, len(text))); string(rest) != text[:min(1, len(text))] {
			t.Errorf("%.20q: something was taken", text)
		}
	}
	if at, ok := (Start{First: '{', Key: "items", Array: true, ArrayAt: 9}).In([]string{"rows"}); ok {
		t.Errorf("another array at %d", at)
	}
}
