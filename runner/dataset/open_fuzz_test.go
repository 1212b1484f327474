package dataset_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
)

// FuzzRead: whatever a file holds and is called, reading does not panic, ends, and
// yields items of valid text or errors that say where.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		paris, "[" + paris + "," + paris, `{"items":[` + paris + "]}", "input,output,context\na,\"b\nc\",[]\n", "a;answer\nb;c", "output\tid\nx\t1\n",
		`{"input":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"image"}]},{"role":"tool","tool_call_id":"1","content":{}}],"output":""}`,
		`{"resourceSpans":[{"resource":{},"scopeSpans":[{"spans":[{"traceId":"x","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},` +
			`{"key":"gen_ai.output.messages","value":{"arrayValue":{"values":[{"intValue":"1"},{"kvlistValue":{}}]}}}]}]}]}]}` + "\n{}\n",
		"\x1f\x8b\x08\x00", "\ufeff[{}]", "{\n\"resourceSpans\":[]}{",
	} {
		for _, name := range []string{"", "f.csv", "f.json"} {
			f.Add(text, name, "", "")
		}
	}
	f.Add(`{"a":{"b":"c"}}`, "f", "output", "a.b")
	f.Fuzz(func(t *testing.T, text, name, field, column string) {
		o := dataset.Options{}
		if field != "" {
			o.Fields = map[string]string{field: column}
		}
		items, err := dataset.Read(strings.NewReader(text), name, o)
		if err != nil {
			return
		}
		n := 0
		for item, err := range items {
			if n++; n > len(text)+2 {
				t.Fatalf("%d yielded of %d bytes", n, len(text))
			}
			var bad *runner.ItemError
			if errors.As(err, &bad) && bad.Line < 1 && bad.Item < 1 {
				t.Errorf("nowhere: %v", err)
			}
			if err != nil {
				continue
			}
			for _, s := range []string{item.ID, item.Input, item.Output, item.Expected, item.System} {
				if !utf8.ValidString(s) {
					t.Errorf("not UTF-8: %q", s)
				}
			}
			for k, v := range item.Metadata {
				if !utf8.ValidString(k) || !utf8.ValidString(v) {
					t.Errorf("not UTF-8: %q %q", k, v)
				}
			}
		}
	})
}
