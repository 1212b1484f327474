package genaihttp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// elided writes s in pieces of n bytes.
func elided(s string, limit, n int) content {
	e := elider{max: limit}
	for len(s) > 0 {
		k := min(n, len(s))
		e.write([]byte(s[:k]))
		s = s[k:]
	}
	return e.content()
}

func TestElider(t *testing.T) {
	b64 := strings.Repeat("QUJD", 1000) // 3000 bytes
	escaped := strings.Repeat(`QU\/D`, 1000)
	prose := strings.Repeat("It is long. ", 1000)
	const limit = 16 << 10
	tests := map[string]struct {
		in, want  string
		cut, open bool
	}{
		"small":             {in: `{"a":1,"b":[true,null,"x\"}"],"c":{}}`, want: `{"a":1,"b":[true,null,"x\"}"],"c":{}}`},
		"blanks":            {in: " { \"a\" :\n[ 1 , 2 ] } \n", want: `{"a":[1,2]}`},
		"what follows":      {in: `{"a":1} trailing`, want: `{"a":1}`},
		"a data URL":        {in: `{"url":"data:image/png;base64,` + b64 + `","b":1}`, want: `{"url":"data:image/png;base64,~4000","b":1}`},
		"escaped":           {in: `["DATA:image\/png;base64,` + escaped + `"]`, want: `["DATA:image\/png;base64,~4000"]`},
		"padding":           {in: `["data:a/b;base64,` + b64 + `QQ=="]`, want: `["data:a/b;base64,~4002"]`},
		"data":              {in: `{"data":"` + b64 + `","format":"mp3"}`, want: `{"data":"~4000","format":"mp3"}`},
		"file_data":         {in: `{"file_data":"` + b64 + `"}`, want: `{"file_data":"~4000"}`},
		"a small one":       {in: `{"data":"QUJD"}`, want: `{"data":"QUJD"}`},
		"base64 elsewhere":  {in: `{"x":"` + b64 + `"}`, want: `{"x":"` + b64 + `"}`},
		"text called data":  {in: `{"data":"` + prose + `"}`, want: `{"data":"` + prose + `"}`},
		"the next member":   {in: `{"data":"x","` + b64 + `":1}`, want: `{"data":"x","` + b64 + `":1}`},
		"data in a list":    {in: `{"data":["` + b64 + `"]}`, want: `{"data":["` + b64 + `"]}`},
		"text like a URL":   {in: `["data: ` + prose + `"]`, want: `["data: ` + prose + `"]`},
		"not base64":        {in: `["data:image/svg+xml,` + b64 + `"]`, want: `["data:image/svg+xml,` + b64 + `"]`},
		"text behind it":    {in: `["data:a/b;base64,` + b64 + ` What is it?"]`, want: `["data:a/b;base64,~4000 What is it?"]`},
		"many":              {in: `[` + strings.Repeat(`"data:a/b;base64,`+b64+`",`, 100) + `"x"]`, want: `[` + strings.Repeat(`"data:a/b;base64,~4000",`, 100) + `"x"]`},
		"too long":          {in: `{"m":"x","l":[{"a":"b"},{"a":"` + prose + prose + `"}]}`, want: `{"m":"x","l":[{"a":"b"},{}]}`, cut: true, open: true},
		"a long last":       {in: `{"m":"x","l":"` + prose + prose + `"}`, want: `{"m":"x"}`, cut: true},
		"breaks off":        {in: `{"m":"x","l":[{"a":["b",{"c":1},"d`, want: `{"m":"x","l":[{"a":["b",{"c":1}]}]}`, cut: true, open: true},
		"breaks off in one": {in: `{"l":["data:a/b;base64,` + b64, want: `{"l":[]}`, cut: true, open: true},
		"too deep to close": {in: `{"a":[[[[[[[[[[1,2`, want: `{"a":[[[[[]]]]]}`, cut: true, open: true},
		"nothing":           {cut: true},
		"no JSON":           {in: `a=b`, cut: true},
		"closed too often":  {in: `]]`, want: `]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := content{[]byte(tt.want), tt.cut, tt.open}
			for _, n := range []int{1, 2, 3, 7, 511, 512, 513, 4096, 1 << 20} {
				got := elided(tt.in, limit, n)
				if string(got.json) != tt.want || got.cut != tt.cut || got.open != tt.open {
					t.Fatalf("in pieces of %d: %.200s, cut %t, open %t,\nwant %.200s, cut %t, open %t",
						n, got.json, got.cut, got.open, want.json, want.cut, want.open)
				}
			}
		})
	}
}

func TestContentSoFarStaysWhatItWas(t *testing.T) {
	e := elider{max: 1 << 10}
	e.write([]byte(`{"a":[1,2,`))
	before := e.content()
	const want = `{"a":[1,2]}`
	e.write([]byte(`3,4],"b":5}`))
	if string(before.json) != want || string(e.content().json) != `{"a":[1,2,3,4],"b":5}` {
		t.Errorf("%s, then %s", before.json, e.content().json)
	}
}

func FuzzEliderKeepsJSON(f *testing.F) {
	for _, s := range walkSeeds {
		f.Add([]byte(s), uint16(1<<12), uint8(3))
		f.Add([]byte(s), uint16(10), uint8(1))
	}
	f.Add([]byte(`{"data":"`+strings.Repeat("QUJD", 300)+`"}`), uint16(1<<12), uint8(100))
	f.Fuzz(func(t *testing.T, b []byte, limit uint16, n uint8) {
		c := elided(string(b), int(limit), int(n)+1)
		if most := int(limit) + safeDepth; len(c.json) > most {
			t.Errorf("%d bytes of %d", len(c.json), most)
		}
		var in, out any
		if json.Unmarshal(b, &in) != nil {
			return
		}
		if err := json.Unmarshal(c.json, &out); err != nil && len(c.json) > 0 {
			t.Fatalf("%s: %v", c.json, err)
		}
		if !c.cut && len(b) < decidedAt && !reflect.DeepEqual(in, out) {
			t.Errorf("%s became %s", b, c.json)
		}
	})
}

func TestListsAreBounded(t *testing.T) {
	list := func(n int, item string) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	message := func(content string) string { return `{"role":"user","content":` + content + `}` }
	tests := map[string]struct {
		request string
		whole   bool
	}{
		"messages":          {`{"messages":` + list(maxInput/2, message(`"x"`)) + `}`, true},
		"too many messages": {`{"messages":` + list(maxInput+1, `{}`) + `}`, false},
		"parts":             {`{"messages":[` + message(list(1000, `"x"`)) + `]}`, true},
		"too many parts":    {`{"messages":[` + message(list(maxInput+1, `"x"`)) + `]}`, false},
		"too many, in all":  {`{"messages":` + list(maxInput/100, message(list(200, `"x"`))) + `}`, false},
		"too many calls":    {`{"messages":[{"role":"assistant","tool_calls":` + list(maxInput+1, `{}`) + `}]}`, false},
		"too many thoughts": {`{"messages":[` + message(`[{"type":"thinking","thinking":`+list(maxInput+1, `"x"`)+`}]`) + `]}`, false},
		"too many tools":    {`{"tools":` + list(1<<20, `{}`) + `,"functions":` + list(1<<20, `{}`) + `,"messages":[]}`, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			i := request(tt.request)
			items := len(i.Input)
			for _, m := range i.Input {
				items += len(m.Parts)
			}
			if items > maxInput || len(i.Tools) > 2*maxTools {
				t.Errorf("%d items of input, %d tools", items, len(i.Tools))
			}
			if whole := readOpenAIRequest(content{json: []byte(tt.request)}, &i); whole != tt.whole {
				t.Errorf("whole = %t, want %t", whole, tt.whole)
			}
		})
	}
}

func TestAnAnswerWithTooManyItemsIsCut(t *testing.T) {
	list := func(n int, item string) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	choices := func(s string) string { return `{"choices":[{"index":0,` + s + `}]}` }
	each := func(n int, event func(i int) string) []string {
		events := make([]string, n)
		for i := range events {
			events[i] = event(i)
		}
		return events
	}
	one := func(i int) string { return fmt.Sprintf(`{"choices":[{"index":%d,"delta":{"content":"x"}}]}`, i) }
	call := func(i int) string {
		return choices(fmt.Sprintf(`"delta":{"tool_calls":[{"index":%d,"function":{"name":"f"}}]}`, i))
	}
	part := func(int) string { return choices(`"delta":{"content":[{"type":"q"}]}`) }
	tests := map[string]struct {
		events []string
		cut    bool
	}{
		"choices":             {[]string{`{"choices":` + list(maxItems, `{}`) + `}`}, false},
		"a choice too many":   {[]string{`{"choices":` + list(maxItems+1, `{}`) + `}`}, true},
		"streamed choices":    {each(maxItems, one), false},
		"a streamed one more": {each(maxItems+1, one), true},
		"parts":               {[]string{choices(`"message":{"content":` + list(maxItems, `"x"`) + `}`)}, false},
		"a part too many":     {[]string{choices(`"message":{"content":` + list(maxItems+1, `"x"`) + `}`)}, true},
		"in a delta":          {[]string{choices(`"delta":{"content":` + list(maxItems+1, `"x"`) + `}`)}, true},
		"streamed parts":      {each(maxItems, part), false},
		"one more part":       {each(maxItems+1, part), true},
		"calls":               {[]string{choices(`"message":{"tool_calls":` + list(maxItems, `{}`) + `}`)}, false},
		"a call too many":     {[]string{choices(`"message":{"tool_calls":` + list(maxItems+1, `{}`) + `}`)}, true},
		"streamed calls":      {each(maxItems, call), false},
		"one more call":       {each(maxItems+1, call), true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := openAI{}.newReply(200, DefaultMaxBody)
			for _, e := range tt.events {
				r.event("", []byte(e))
			}
			if cut := r.answer().cut; cut != tt.cut {
				t.Errorf("cut = %t, want %t", cut, tt.cut)
			}
		})
	}
}
