package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

var errFull = errors.New("no space left")

// A disk that is full at any byte: the run is told, and what is left is a journal
// that ends with a whole line and goes on.
func TestADiskThatIsFullAtAnyByte(t *testing.T) {
	h := Header{Evaluators: []Evaluator{{Name: "e", Metrics: []Metric{{Name: "m"}}}}}
	record := func(i int) *runner.Record {
		return &runner.Record{ID: strconv.Itoa(i), Evaluator: "e", Results: []evaluators.Result{evaluators.Scored("m", 1, "", "why")}}
	}
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		t.Setenv("TMPDIR", "/dev/shm") // for hundreds of syncs
	}
	dir := t.TempDir()
	const records = 6
	for room := 0; ; room++ {
		path := filepath.Join(dir, strconv.Itoa(room))
		j, err := Create(path, h)
		if err != nil {
			t.Fatal(err)
		}
		left := room
		j.writeAt = func(b []byte, at int64) (int, error) {
			n := min(left, len(b))
			left -= n
			if n, err := j.held.file.WriteAt(b[:n], at); err != nil {
				return n, err
			}
			if n < len(b) {
				return n, errFull
			}
			return n, nil
		}
		synced := 0
		var failed error
		for i := 0; i < records && failed == nil; i++ {
			if failed = errors.Join(j.Append(record(i)), j.Sync()); failed == nil {
				synced++
			}
		}
		if failed != nil {
			if !errors.Is(failed, errFull) || !errors.Is(j.Append(record(9)), errFull) || !errors.Is(j.Finish(End{}), errFull) {
				t.Fatalf("room for %d: the run is not told: %v", room, failed)
			}
		}
		_ = j.Close()
		text, err := os.ReadFile(path)
		if err != nil || text[len(text)-1] != '\n' {
			t.Fatalf("room for %d: the file ends with %q", room, text[max(0, len(text)-20):])
		}
		next, err := Resume(path, h)
		if err != nil {
			t.Fatalf("room for %d: %v", room, err)
		}
		if r := next.Recovered(); r.Kept != int64(synced) || r.Torn != 0 {
			t.Fatalf("room for %d: %d were synced, recovered %+v", room, synced, r)
		}
		if err := next.Close(); err != nil {
			t.Fatal(err)
		}
		if failed == nil {
			return
		}
	}
}

func TestReplacingOnAFullDiskLeavesTheOldFile(t *testing.T) {
	h := Header{Evaluators: []Evaluator{{Name: "e", Metrics: []Metric{{Name: "m"}}}}}
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	failed := &runner.Record{ID: "a", Evaluator: "e", Results: []evaluators.Result{evaluators.Failed("m", "x", nil)}}
	if err := errors.Join(j.Append(failed), j.Close()); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	if j, err = Resume(path, h); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(path)
	if err := os.Rename(dir, dir+"-away"); err != nil { // no place for the new one
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir + "-away") })
	if err := j.Append(failed); err == nil {
		t.Error("no error")
	}
	if err := j.Close(); err == nil {
		t.Error("no error at the end")
	}
	after, err := os.ReadFile(filepath.Join(dir+"-away", "j"))
	if err != nil || string(after) != string(before) {
		t.Errorf("%v: %s", err, after)
	}
}
