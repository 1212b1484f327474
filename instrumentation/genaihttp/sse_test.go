package genaihttp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read feeds a stream in pieces of n bytes and returns the complete events, as
// name=data.
func read(stream string, n, limit int) []string {
	var events []string
	r := eventReader{max: limit, emit: func(name string, data []byte) bool {
		s := strings.TrimSpace(string(data))
		if s != "[DONE]" && !json.Valid(data) {
			return false
		}
		if name != "" {
			s = name + "=" + s
		}
		events = append(events, s)
		return true
	}}
	for len(stream) > 0 {
		k := min(n, len(stream))
		r.write([]byte(stream[:k]))
		stream = stream[k:]
	}
	r.close()
	return events
}

func TestEventReader(t *testing.T) {
	long := `"` + strings.Repeat("x", 100) + `"`
	tests := map[string]struct {
		stream string
		want   []string
	}{
		"LF":                          {"data: 1\n\ndata: 2\n\n", []string{"1", "2"}},
		"CRLF":                        {"data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"1", "2"}},
		"CR":                          {"data: 1\r\rdata: 2\r\r", []string{"1", "2"}},
		"mixed":                       {"data: 1\r\n\rdata: 2\n\r\n", []string{"1", "2"}},
		"no space":                    {"data:1\n\ndata:[DONE]\n\n", []string{"1", "[DONE]"}},
		"comments":                    {": OPENROUTER PROCESSING\n\n:\ndata: 1\n: x\n\n", []string{"1"}},
		"other fields":                {"id: 7\nretry: 10\nnonsense\ndatax: 5\ndata: 1\n\n", []string{"1"}},
		"named":                       {"event: a\ndata: 1\n\ndata: 2\n\n", []string{"a=1", "2"}},
		"a name does not carry over":  {"event: a\n\ndata: 1\n\n", []string{"1"}},
		"several lines":               {"data: {\ndata: \"a\":1\ndata: }\n\n", []string{"{\n\"a\":1\n}"}},
		"several lines, CRLF":         {"data: {\r\ndata: \"a\":1\r\ndata: }\r\n\r\n", []string{"{\n\"a\":1\n}"}},
		"no blank lines":              {"data: 1\ndata: 2\ndata: [DONE]\n", []string{"1", "2", "[DONE]"}},
		"no blank lines, one broken":  {"data: {oops\ndata: 2\ndata: 3\n", []string{"2", "3"}},
		"broken data":                 {"data: {oops\n\ndata: 2\n\n", []string{"2"}},
		"ends without newline":        {"data: 1\n\ndata: 2", []string{"1", "2"}},
		"ends in the middle":          {"data: 1\n\ndata: {\"a\"", []string{"1"}},
		"empty data":                  {"data:\n\ndata\n\ndata: 1\n\n", []string{"1"}},
		"longer than allowed":         {"data: " + long + "\n\ndata: 1\n\n", []string{"1"}},
		"longer, without blank lines": {"data: " + long + "\ndata: 1\n", []string{"1"}},
		"lines longer than allowed":   {strings.Repeat("data: {\n", 40) + "\ndata: 1\n\n", []string{"1"}},
		"nothing":                     {"", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for n := 1; n <= len(tt.stream)+1; n++ {
				if d := cmp.Diff(tt.want, read(tt.stream, n, 64)); d != "" {
					t.Fatalf("in pieces of %d bytes: %s", n, d)
				}
			}
		})
	}
}

func TestEventReaderKeepsNoMoreThanItsBound(t *testing.T) {
	const limit = 1 << 10
	r := eventReader{max: limit, emit: func(string, []byte) bool { return false }}
	for range 1 << 10 {
		r.write([]byte("data: " + strings.Repeat("y", 600) + "\n"))
		r.write([]byte(strings.Repeat("z", 600)))
		r.write([]byte(strings.Repeat("z", 600) + "\n"))
		if kept := cap(r.line) + cap(r.data); kept > 4*limit {
			t.Fatalf("holds %d bytes, bound %d", kept, limit)
		}
	}
}
