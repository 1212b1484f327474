package journal

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzRecord: a line that is taken for a record is JSON that the standard library
// reads the same, and what is written of it is read as the same record.
func FuzzRecord(f *testing.F) {
	text, h := realistic()
	f.Add(string(text))
	for _, s := range []string{
		`{"type":"results","id":"\ud83d\ude00\ud800x\udc00\u00e9\/","evaluator":"judge","results":[{"metric":"a","outcome":"failed","error":"x","attributes":{"a":[1,2],"b":[1.0],"c":[1,"x"],"d":{},"e":null,"f":-0.5e3,"g":[],"h":true}}]}`,
		`{"type":"item","id":"a","output":null,"index":-9223372036854775808,"line":null,"metadata":{"a":"b","a":null}}`,
		"{\"type\":\"item\",\"id\":\"a\xff\",\"error\":\"\xe2\x28\"}",
		`{"type":"end","items":3}`, `{"a":[[[[]]]],"type":"x"}`, `{"type":"results","sum":"0123456789abcdeF","at":"2026-01-02T03:04:05.6+01:00","index":01}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := newDecoder(h)
		l, err := d.line([]byte(s))
		if err != nil {
			return
		}
		if strings.TrimSpace(s) != "" && !json.Valid([]byte(s)) {
			t.Fatalf("taken for JSON: %q", s)
		}
		if l.record == nil {
			return
		}
		var plain struct {
			ID, Error *string
			Index     *int64
		}
		if !hasFolded(s) && json.Unmarshal([]byte(s), &plain) == nil {
			if plain.ID != nil && *plain.ID != l.record.ID || plain.Error != nil && *plain.Error != l.record.Error || plain.Index != nil && *plain.Index != l.record.Index {
				t.Fatalf("read as %+v", l.record)
			}
		}
		once := appendRecord(nil, l.record)
		again, err := newDecoder(h).recordOf(bytes.TrimSuffix(once, []byte("\n")))
		if err != nil {
			t.Fatalf("%v: %s", err, once)
		}
		if diff := cmp.Diff(string(once), string(appendRecord(nil, again))); diff != "" {
			t.Errorf("written again: %s", diff)
		}
		if again.ID != l.record.ID || !again.At.Equal(l.record.At) && l.record.At.Year() > 0 && l.record.At.Year() < 10_000 {
			t.Errorf("%+v became %+v", l.record, again)
		}
	})
}

// hasFolded reports whether the standard library could take a name for another.
func hasFolded(s string) bool {
	folded := strings.ToLower(s)
	for _, name := range []string{`"id"`, `"error"`, `"index"`} {
		if strings.Count(folded, name) != 1 || strings.Count(s, name) != 1 {
			return true
		}
	}
	return strings.Contains(s, `\u`) || strings.ContainsAny(s, "ıſK")
}

// FuzzJournal: whatever a file holds, reading it does not panic, and ends.
func FuzzJournal(f *testing.F) {
	text, h := realistic()
	header, err := h.line()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(append([]byte{}, header...), text...))
	f.Add(append(append(append([]byte{}, header...), text...), `{"type":"end"}`+"\n"...))
	f.Add([]byte("{\"type\":\"run\",\"version\":1}\n\n\x00"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		w := newWalker("f", bytes.NewReader(b))
		if _, err := w.header(); err != nil {
			return
		}
		var n int
		for {
			l, err := w.line()
			if err != nil {
				break
			}
			if n++; n > len(b) {
				t.Fatal("more lines than bytes")
			}
			if l.record != nil && l.kind == typeItem && l.record.Evaluator != "" {
				t.Errorf("an item of an evaluator: %+v", l.record)
			}
		}
		if w.valid+w.torn > int64(len(b)) || w.valid > w.next {
			t.Errorf("valid %d, torn %d of %d", w.valid, w.torn, len(b))
		}
	})
}
