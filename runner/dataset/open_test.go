package dataset_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
)

// collect reads all items; what is wrong is among the errors, and the text of an
// error that ends the reading begins with an exclamation mark.
func collect(t testing.TB, items runner.Dataset) (got []runner.Item, errs []string) {
	t.Helper()
	for item, err := range items {
		var bad *runner.ItemError
		switch {
		case errors.As(err, &bad):
			errs = append(errs, err.Error())
		case err != nil:
			errs = append(errs, "! "+err.Error())
		default:
			got = append(got, item)
		}
	}
	return got, errs
}

func read(t testing.TB, name, text string, o dataset.Options) ([]runner.Item, []string) {
	t.Helper()
	items, err := dataset.Read(strings.NewReader(text), name, o)
	if err != nil {
		t.Fatal(err)
	}
	return collect(t, items)
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

const paris = `{"id":"a","input":"Where is the Louvre?","output":"In Paris.","context":["The Louvre is in Paris."]}`

func TestTheFormatIsRecognised(t *testing.T) {
	want := runner.Item{
		ID: "a", Input: "Where is the Louvre?", Output: "In Paris.",
		Documents: []instrumentation.Document{{Text: "The Louvre is in Paris."}},
	}
	for name, tt := range map[string]struct {
		file, text string
		line       int
	}{
		"lines":            {"f", paris + "\n", 1},
		"lines CRLF":       {"f", "\r\n" + paris + "\r\n", 2},
		"no last break":    {"f", paris, 1},
		"array":            {"f", "[\n" + paris + "\n]", 0},
		"array in object":  {"f.json", `{"items": [` + paris + `]}`, 0},
		"byte order mark":  {"f.jsonl", "\ufeff" + paris, 1},
		"gzip":             {"f", packed(paris), 1},
		"csv":              {"f", "id,input,output,context\na,Where is the Louvre?,In Paris.,\"[\"\"The Louvre is in Paris.\"\"]\"\n", 2},
		"csv plain text":   {"f", "id,input,output,context\r\na,Where is the Louvre?,In Paris.,The Louvre is in Paris.\r\n", 2},
		"csv semicolons":   {"f.csv", "ID;Input;Output;Context\na;Where is the Louvre?;In Paris.;The Louvre is in Paris.\n", 2},
		"tsv":              {"f", "id\tinput\toutput\tcontext\na\tWhere is the Louvre?\tIn Paris.\tThe Louvre is in Paris.\n", 2},
		"csv gzip":         {"f.csv.gz", packed("id,input,output,context\na,Where is the Louvre?,In Paris.,The Louvre is in Paris.\n"), 2},
		"objects, by name": {"f.jsonl", paris, 1},
		"synonyms":         {"f", `{"id":"a","question":"Where is the Louvre?","Answer":"In Paris.","retrieved_contexts":"The Louvre is in Paris."}`, 1},
		"documents":        {"f", `{"id":"a","prompt":"Where is the Louvre?","response":"In Paris.","sources":[{"page_content":"The Louvre is in Paris.","metadata":{}}]}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			want := want
			want.Line = tt.line
			for kind, r := range map[string]io.Reader{"at once": strings.NewReader(tt.text), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.text))} {
				items, err := dataset.Read(r, tt.file, dataset.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, errs := collect(t, items)
				if diff := cmp.Diff([]runner.Item{want}, got); diff != "" || errs != nil {
					t.Errorf("%s: -want +got:\n%s%q", kind, diff, errs)
				}
			}
		})
	}
}

func TestAllFieldsOfAnItem(t *testing.T) {
	got, errs := read(t, "f.jsonl", `{"id":7,"input":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"},{"role":"user","content":[{"type":"text","text":"And you?"}]}],`+
		`"output":"Fine.","context":[{"id":"d1","title":"T","text":"x"},"y",""],"expected":"Well.","metadata":{"lang":"en","n":3,"deep":{"a": [1]},"no":null},"evaluators":["judge","Bias"]}`, dataset.Options{})
	want := []runner.Item{{
		ID: "7", Line: 1, Input: "And you?", Output: "Fine.", Expected: "Well.", System: "Be brief.",
		History:   []evaluators.Turn{{Role: "user", Text: "Hi"}, {Role: "assistant", Text: "Hello"}},
		Documents: []instrumentation.Document{{ID: "d1", Text: "T\nx"}, {Text: "y"}},
		Metadata:  map[string]string{"lang": "en", "n": "3", "deep": `{"a":[1]}`}, Evaluators: []string{"judge", "Bias"},
	}}
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("-want +got:\n%s%q", diff, errs)
	}
	got, errs = read(t, "f.csv", "question,answer,Topic,evaluators,history,metadata\n"+
		`"[{""role"":""user"",""content"":""Hi""}]",[sic],art,"judge, bias","[{""role"":""user"",""content"":""before""}]","{""k"":1}"`+"\n", dataset.Options{})
	want = []runner.Item{{
		Line: 2, Input: "Hi", Output: "[sic]", Evaluators: []string{"judge", "bias"},
		History: []evaluators.Turn{{Role: "user", Text: "before"}}, Metadata: map[string]string{"Topic": "art", "k": "1"},
	}}
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("-want +got:\n%s%q", diff, errs)
	}
}

func TestBadRowsAreNamedAndPassed(t *testing.T) {
	good := `{"output":"fine"}`
	for name, tt := range map[string]struct {
		file, text string
		want       []string
		good       int
	}{
		"bad JSON":          {"f.jsonl", good + "\n{\"output\":\n" + good, []string{"f.jsonl:2: expected a JSON object: unexpected end of JSON input"}, 2},
		"first line":        {"f.jsonl", "secret\n" + good, []string{"f.jsonl:1: expected a JSON object: invalid character 's' looking for beginning of value"}, 1},
		"no object":         {"f.jsonl", good + "\n[1]\n\"x\"\nnull\n3", []string{"f.jsonl:2: expected a JSON object, found a list", "f.jsonl:3: expected a JSON object, found a text", "f.jsonl:4: expected a JSON object, found null", "f.jsonl:5: expected a JSON object, found a number"}, 1},
		"no output":         {"f", good + "\n" + `{"input":"q"}` + "\n" + `{"output":null}`, []string{"f:2: no output: expected a text, or in its place answer, response, completion", "f:3: no output: expected a text, or in its place answer, response, completion"}, 1},
		"output of a type":  {"f", `{"output":"x"}` + "\n" + `{"output":["secret"]}`, []string{"f:2: output: expected a text, found a list"}, 1},
		"input of a type":   {"f", `{"input":12345,"output":"x"}`, []string{"f:1: input: expected a text or the messages of a chat, found a number"}, 0},
		"bad message":       {"f", `{"input":[{"role":"user"},{"content":"x"}],"output":"x"}`, []string{"f:1: input: message 2: expected an object with role and content"}, 0},
		"context":           {"f", `{"context":{"a":1},"output":"x"}` + "\n" + `{"context":["a",1],"output":"x"}` + "\n" + `{"context":[{"id":1}],"output":"x"}`, []string{"f:1: context: expected a text, or a list of texts or of objects with text, content or page_content, found an object", "f:2: context: element 2: expected a text, or an object with text, content or page_content, found a number", "f:3: context: element 1: expected an object with text, content or page_content, found one without"}, 0},
		"id":                {"f", `{"id":{},"output":"x"}`, []string{"f:1: id: expected a text or a number, found an object"}, 0},
		"metadata":          {"f", `{"metadata":[],"output":"x"}`, []string{"f:1: metadata: expected an object, found a list"}, 0},
		"evaluators":        {"f", `{"evaluators":[1],"output":"x"}`, []string{"f:1: evaluators: expected a list of names, or names separated by commas, found a list of something else"}, 0},
		"late ambiguity":    {"f", good + strings.Repeat("\n"+good, 100) + "\n" + `{"question":"a","query":"b","output":"x"}`, []string{"f:102: ambiguous columns: question and query could both be the input, say which: input=question"}, 101},
		"array, syntax":     {"f", "[" + good + ",{]," + good + "]", []string{"f: item 2: expected a JSON object: invalid character ']' looking for beginning of object key string", "! the rest cannot be read: f: item 2: expected a JSON object: invalid character ']' looking for beginning of object key string"}, 1},
		"array, truncated":  {"f", "[" + good + "," + good + "\n", []string{"f: item 3: expected another item or the end of the array: unexpected EOF", "! the rest cannot be read: f: item 3: expected another item or the end of the array: unexpected EOF"}, 2},
		"array, in an item": {"f", "[" + good + `,{"output":"sec`, []string{"f: item 2: expected a JSON object: unexpected EOF", "! the rest cannot be read: f: item 2: expected a JSON object: unexpected EOF"}, 1},
		"csv quotes":        {"f.csv", "output\nfine\n\"a\"b\nfine\n", []string{"f.csv:3: expected a row of the table: extraneous or missing \" in quoted-field"}, 2},
		"csv, unclosed":     {"f.csv", "output\nfine\n\"a\nfine\nfine\n", []string{"f.csv:3: expected a row of the table: extraneous or missing \" in quoted-field", "! the rest cannot be read: f.csv:3: expected a row of the table: extraneous or missing \" in quoted-field"}, 1},
		"csv, closed late":  {"f.csv", "output\nfine\n\"a\nfine\n\"b\"\n", []string{"f.csv:3: expected a row of the table: extraneous or missing \" in quoted-field", "! the rest cannot be read: f.csv:3: expected a row of the table: extraneous or missing \" in quoted-field"}, 1},
		"csv cells":         {"f.csv", "input,output\nq,a,secret\nq\n\nq,\n", []string{"f.csv:2: expected 2 columns, found 3", "f.csv:3: no output: expected a text, or in its place answer, response, completion"}, 1},
		"csv history":       {"f.csv", "output,history\na,x\n", []string{"f.csv:2: history: expected a list of objects with role and content: the cell holds no valid JSON"}, 0},
		"zero byte":         {"f.jsonl", "{\"output\":\"\x00\"}\n" + good, []string{"f.jsonl:1: expected a JSON object: invalid character '\\x00' in string literal"}, 1},
		"cut gzip":          {"f", packed(strings.Repeat(good+"\n", 50))[:40], []string{"! read f: unexpected EOF"}, 50},
	} {
		t.Run(name, func(t *testing.T) {
			counts := &dataset.Counts{}
			got, errs := read(t, tt.file, tt.text, dataset.Options{Counts: counts})
			if diff := cmp.Diff(tt.want, errs); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(got) != tt.good || counts.Items() != int64(tt.good) {
				t.Errorf("%d items, %d counted, want %d", len(got), counts.Items(), tt.good)
			}
			bad := slices.DeleteFunc(slices.Clone(tt.want), func(e string) bool { return strings.HasPrefix(e, "! ") })
			if counts.Bad() != int64(len(bad)) {
				t.Errorf("%d bad, want %d", counts.Bad(), len(bad))
			}
		})
	}
}

func TestOddTextIsReadAsItIs(t *testing.T) {
	got, errs := read(t, "f", "{\"output\":\"a\xffb\",\"input\":\"first\",\"input\":\"last\"}\n"+`{"output":"\u0000\ud800"}`, dataset.Options{})
	want := []runner.Item{{Line: 1, Output: "a\uFFFDb", Input: "last"}, {Line: 2, Output: "\x00\uFFFD"}}
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("-want +got:\n%s%q", diff, errs)
	}
	for _, empty := range []string{"", "\n\n", "[]", " [ ] ", `{"items":[]}`, "input,output\n"} {
		if got, errs := read(t, "f", empty, dataset.Options{}); len(got)+len(errs) > 0 {
			t.Errorf("%q: %v %v", empty, got, errs)
		}
	}
}

func TestAHugeLineFailsAlone(t *testing.T) {
	huge := io.MultiReader(strings.NewReader(paris+"\n{\"output\":\""), io.LimitReader(letters{}, 100<<20), strings.NewReader("\"}\n"+paris))
	items, err := dataset.Read(huge, "f", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, errs := collect(t, items)
	if len(got) != 2 || len(errs) != 1 || errs[0] != "f:2: longer than 16 MiB" {
		t.Errorf("%d items, %q", len(got), errs)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestFieldsAreMapped(t *testing.T) {
	nested := `{"q":"Where?","response":{"Text":"There.","n":1},"a.b":"dotted"}`
	got, errs := read(t, "f", nested, dataset.Options{Fields: map[string]string{"input": "Q", "Output": "response.text", "expected": "a.b"}})
	want := []runner.Item{{Line: 1, Input: "Where?", Output: "There.", Expected: "dotted"}}
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("-want +got:\n%s%q", diff, errs)
	}
	got, errs = read(t, "f.csv", "question,query,text\na,b,c\n", dataset.Options{Fields: map[string]string{"input": "query", "output": "text"}})
	want = []runner.Item{{Line: 2, Input: "b", Output: "c", Metadata: map[string]string{"question": "a"}}}
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("-want +got:\n%s%q", diff, errs)
	}
	if got, errs := read(t, "f.csv", "question\na\n", dataset.Options{OutputOptional: true}); len(got) != 1 || errs != nil {
		t.Errorf("%v %q", got, errs)
	}
	// One that some rows lack is no mistake.
	if got, errs := read(t, "f", paris+"\n"+`{"output":"x","docs":"d"}`, dataset.Options{Fields: map[string]string{"context": "docs"}}); len(got) != 2 || errs != nil {
		t.Errorf("%v %q", got, errs)
	}
	for name, tt := range map[string]struct {
		file, text string
		fields     map[string]string
		is         error
		says       string
	}{
		"csv column":  {"f.csv", "question,answer\n", map[string]string{"input": "qestion"}, dataset.ErrUnknownField, "no column qestion for input, found question, answer"},
		"json column": {"f", paris, map[string]string{"output": "text"}, dataset.ErrUnknownField, "no text for output, found context, id, input, output"},
		"json path":   {"f", nested, map[string]string{"output": "response.txt"}, dataset.ErrUnknownField, "no response.txt for output"},
		"field":       {"f", paris, map[string]string{"outputs": "x"}, dataset.ErrUnknownField, `"outputs", expected one of id, input,`},
		"no column":   {"f", paris, map[string]string{"output": " "}, dataset.ErrUnknownField, "output is mapped to no column"},
		"ambiguous":   {"f.csv", "answer,prompt,question\n", nil, dataset.ErrAmbiguous, "question and prompt could both be the input, say which: input=question"},
		"ambiguous 2": {"f", `{"answer":"a","response":"b"}`, nil, dataset.ErrAmbiguous, "answer and response could both be the output"},
		"no output":   {"f.csv", "question,text\na,b\n", nil, dataset.ErrUnknownField, "no column for the output"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := dataset.Read(strings.NewReader(tt.text), tt.file, dataset.Options{Fields: tt.fields})
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f.jsonl")
	if err := os.WriteFile(file, []byte(paris+"\n"+paris+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	items, err := dataset.Open(file, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // it can be read again
		if got, errs := collect(t, items); len(got) != 2 || errs != nil {
			t.Errorf("%d items, %q", len(got), errs)
		}
	}
	for range items {
		break
	}
	stream, err := dataset.Read(strings.NewReader(paris), "-", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, errs := collect(t, stream); len(got) != 1 || errs != nil {
		t.Errorf("%d items, %q", len(got), errs)
	}
	if got, errs := collect(t, stream); len(got) != 0 || len(errs) != 1 {
		t.Errorf("a second time: %d items, %q", len(got), errs)
	}
	if _, err := dataset.Open(filepath.Join(dir, "none"), dataset.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := dataset.Open(dir, dataset.Options{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := dataset.Open(file, dataset.Options{Format: "parquet"}); !errors.Is(err, dataset.ErrUnknownFormat) {
		t.Errorf("another format: %v", err)
	}
	if _, err := dataset.Read(strings.NewReader("\xff\xfea\x00"), "f", dataset.Options{}); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("UTF-16: %v", err)
	}
}
