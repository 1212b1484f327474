package samples

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ownRow = `{"id":"a","metric":"bias","label":"Biased","output":"o"}`

// endless yields a letter n times.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.n)
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.n -= n
	return n, nil
}

// long is a text with 20 MiB of one letter in the middle.
func long(before, after string) io.Reader {
	return io.MultiReader(strings.NewReader(before), &endless{n: 20 << 20}, strings.NewReader(after))
}

func TestARowThatIsTooLongIsNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		text   io.Reader
		format string
		where  string
		after  bool // what is behind it is still read
	}{
		"JSON line":    {long(ownRow+"\n"+`{"x":"`, "\"}\n"+ownRow), "", "f, line 2: longer than 16 MiB", true},
		"last line":    {long(ownRow+"\n"+ownRow+"\n", ""), "", "f, line 3: longer than 16 MiB", true},
		"JSON array":   {long("["+ownRow+`,{"x":"`, "\"},"+ownRow+"]"), "", "f, item 2: expected a JSON object: longer than 16 MiB", false},
		"table":        {long("metric,label,output\nbias,1,\"two\nlines\"\nbias,1,", "\nbias,1,o"), "", "f, line 4: longer than 16 MiB", false},
		"open quote":   {long("metric\tlabel\toutput\nbias\t1\to\nbias\t1\t\"", ""), "", "f, line 3: longer than 16 MiB", false},
		"plain tabs":   {long("sentence\tlabel\nfine\t1\n", "\t1\nbad\t0"), "", "f, line 3: longer than 16 MiB", true},
		"ground truth": {long("1\t2\tfine\n2\t-2\t", "\n3\t-2\tbad"), "", "f, line 2: longer than 16 MiB", true},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := Read(tt.text, "f", tt.format)
			if err != nil {
				t.Fatal(err)
			}
			var before, after int
			var found error
			for _, err := range all {
				switch {
				case err != nil && found != nil:
					t.Errorf("one more: %v", err)
				case err != nil:
					found = err
				case found != nil:
					after++
				default:
					before++
				}
			}
			if !errors.Is(found, ErrTooLong) || found.Error() != tt.where {
				t.Errorf("error %v, want %s", found, tt.where)
			}
			if wantAfter := tt.after && name != "last line"; before == 0 || (after > 0) != wantAfter {
				t.Errorf("%d samples before it, %d after it", before, after)
			}
		})
	}
}

func TestAHugeRowIsNotHeld(t *testing.T) {
	for name, text := range map[string]io.Reader{
		"JSON line": io.MultiReader(strings.NewReader(ownRow+"\n{\"x\":\""), &endless{n: 192 << 20}),
		"array":     io.MultiReader(strings.NewReader("["+ownRow+",{\"x\":\""), &endless{n: 192 << 20}),
		"table":     io.MultiReader(strings.NewReader("metric,label,output\nbias,1,o\nbias,1,\""), &endless{n: 192 << 20}),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			all, err := Read(text, "f", "")
			if err != nil {
				t.Fatal(err)
			}
			for range all {
			}
			runtime.ReadMemStats(&after)
			// Growing buffers come to a few times the longest row.
			if used := after.TotalAlloc - before.TotalAlloc; used > 12*MaxRow {
				t.Errorf("%d MiB allocated for a row of 192 MiB", used>>20)
			}
		})
	}
}

func TestARowOfTheLongestLengthIsRead(t *testing.T) {
	head, tail := `{"metric":"bias","label":1,"output":"`, "\"}\n"
	for _, more := range []int{0, 1} {
		text := io.MultiReader(strings.NewReader(head), &endless{n: MaxRow - len(head) - len(tail) + more}, strings.NewReader(tail+ownRow))
		all, err := Read(text, "f", "")
		if err != nil {
			t.Fatal(err)
		}
		n, errs := 0, 0
		for _, err := range all {
			if err != nil {
				errs++
			} else {
				n++
			}
		}
		if n != 2-more || errs != more {
			t.Errorf("%d bytes over: %d samples, %d errors", more, n, errs)
		}
	}
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOpenReadsPlainAndPackedFiles(t *testing.T) {
	for name, text := range map[string][]byte{
		"a.jsonl":       []byte(ownRow),
		"a.jsonl.gz":    zipped(t, "\ufeff"+ownRow),
		"packed.jsonl":  zipped(t, ownRow),
		"unpacked.gz":   []byte(ownRow + "\n"),
		"array.json.gz": zipped(t, " \n[ "+ownRow+" ] "),
		"table.csv.gz":  zipped(t, "id,metric,label,output\na,bias,Biased,o\n"),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			all, err := Open(path, "")
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				var got []string
				for s, err := range all {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, line(s))
				}
				if d := cmp.Diff([]string{"a|Biased||o"}, got); d != "" {
					t.Errorf("samples (-want +got):\n%s", d)
				}
			}
		})
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	for _, text := range []string{"", "\n\n", "\ufeff", "[]", "metric,label,output\n", string(zipped(t, ""))} {
		if _, err := Read(strings.NewReader(text), "f", ""); err == nil || err.Error() != "reading f: nothing in it" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Read(strings.NewReader("\xff\xfem\x00"), "f", ""); err == nil || err.Error() != "reading f: UTF-16, expected UTF-8" {
		t.Errorf("UTF-16: %v", err)
	}
	if _, err := Read(strings.NewReader("\x1f\x8bnot gzip"), "f", ""); !errors.Is(err, gzip.ErrHeader) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("broken gzip: %v", err)
	}
}

// TestWhatEndsAFileEarlyIsTheLastError: a cut file is not a short one.
func TestWhatEndsAFileEarlyIsTheLastError(t *testing.T) {
	random := make([]byte, 1<<20)
	for i := range random { // text that gzip cannot shrink to nothing
		random[i] = "abcdefghijklmnop"[(i*i*31+i/7)%16]
	}
	packed := zipped(t, ownRow+"\n"+strings.Repeat(`{"metric":"bias","label":1,"output":"`+string(random)+"\"}\n", 3))
	for name, text := range map[string]string{
		"gzip":          string(packed[:len(packed)/2]),
		"array":         "[" + ownRow + "," + ownRow[:20],
		"open array":    "[" + ownRow,
		"array, damage": "[" + ownRow + " " + ownRow + "]",
	} {
		t.Run(name, func(t *testing.T) {
			all, err := Read(strings.NewReader(text), "f", "")
			if err != nil {
				t.Fatal(err)
			}
			var last error
			n := 0
			for _, err := range all {
				if last != nil {
					t.Errorf("%v is not the last", last)
				}
				last = err
				n++
			}
			if last == nil || n < 2 {
				t.Errorf("%d yielded, last %v", n, last)
			}
		})
	}
}

func TestARowOfATableThatCannotBeCutIsNamed(t *testing.T) {
	samples, errs := collect(t, "metric,label,output\nbias,1,\"a\"b\nbias,0,c\nbias,0\n", "f", "")
	if len(samples) != 1 || samples[0].Case.Output != "c" {
		t.Errorf("samples %v", samples)
	}
	want := []string{`f, line 2: expected a row of the table: extraneous or missing " in quoted-field`, "f, line 4: empty output for bias"}
	if d := cmp.Diff(want, errs); d != "" {
		t.Errorf("errors (-want +got):\n%s", d)
	}
}

func TestARowThatIsTooLongIsNamedBehindOneThatCannotBeCut(t *testing.T) {
	all, err := Read(long("metric,label,output\nbias,1,o\nbias,1,\"a\"b\nbias,1,", ""), "f", "")
	if err != nil {
		t.Fatal(err)
	}
	var rows []int
	for _, err := range all {
		if row, ok := errors.AsType[*RowError](err); ok {
			rows = append(rows, row.Row)
		}
	}
	if d := cmp.Diff([]int{3, 4}, rows); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

func TestReadingStopsWhenTheCallerDoes(t *testing.T) {
	all, err := Read(strings.NewReader("{}\n"+strings.Repeat(ownRow+"\n{}\n", 3)), "f", "samples")
	if err != nil {
		t.Fatal(err)
	}
	for range all {
		break
	}
	n := 0
	for s, err := range all { // what was read is gone, the rest is not
		if n++; n == 2 {
			break
		}
		if err == nil && s.ID != "2" && s.ID != "a" {
			t.Errorf("sample %s", s.ID)
		}
	}
	if n != 2 {
		t.Errorf("%d yielded", n)
	}
}
