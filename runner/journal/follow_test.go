package journal_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// watch follows a journal, and told returns what was seen since it was last asked.
type watch struct {
	next func() (journal.Event, error, bool)
	stop func()
}

func follow(ctx context.Context, p string) *watch {
	next, stop := iter.Pull2(journal.Follow(ctx, p))
	return &watch{next, stop}
}

// told are the events up to where all was told.
func (w *watch) told() string {
	var all []string
	for {
		e, err, ok := w.next()
		switch {
		case !ok:
			return strings.Join(append(all, "over"), " ")
		case err != nil:
			return strings.Join(append(all, "error: "+err.Error()), " ")
		case e.Header != nil:
			all = append(all, "header:"+e.Header.Run)
		case e.Record != nil:
			all = append(all, e.Record.ID)
		case e.End != nil:
			all = append(all, "end"+e.End.Incomplete)
		case e.CaughtUp:
			return strings.Join(all, " ")
		}
	}
}

func TestFollowSeesWhatARunDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := path(t)
		ctx, cancel := context.WithCancel(t.Context())
		w := follow(ctx, p)
		defer w.stop()
		expect := func(want string) {
			t.Helper()
			if got := w.told(); got != want {
				t.Errorf("told %q, want %q", got, want)
			}
		}
		// Between two looks of Follow.
		time.AfterFunc(1100*time.Millisecond, func() { must(t, os.WriteFile(p, []byte(`{"type":"ru`), 0o600)) })
		time.AfterFunc(2100*time.Millisecond, func() {
			must(t, os.Remove(p))
			must(t, create(t, p, scored("a", 1, "judge", "bias")).Close())
		})
		expect("header:nightly a")

		j := resume(t, p)
		appendAll(t, j, failing("b", 2, "judge", "bias"))
		must(t, j.Sync())
		expect("b")
		half := `{"type":"results","id":"c","evaluator":"judge","results":[]`
		f, err := os.OpenFile(p, os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		_, err = f.WriteString(half) // the run is killed while it writes
		must(t, errors.Join(err, f.Close(), j.Close()))

		j = resume(t, p) // cuts that, and replaces the file at the first record
		appendAll(t, j, scored("b", 2, "judge", "bias"))
		must(t, j.Finish(journal.End{Incomplete: "-early"}))
		must(t, j.Close())
		expect("header:nightly a b end-early")

		j = resume(t, p) // cuts the end, and appends at once more than was cut
		appendAll(t, j, scored("d", 4, "judge", "bias"), scored("e", 4, "judge", "bias"))
		must(t, j.Finish(journal.End{}))
		must(t, j.Close())
		expect("d e end")

		text := bytesOf(t, p)
		must(t, os.WriteFile(p, []byte(text+"garbage\n"+text[strings.LastIndex(text, `{"type":"results"`):]), 0o600))
		if got := w.told(); !strings.Contains(got, "error: ") || !strings.Contains(got, ":7: expected a JSON object") {
			t.Errorf("told %q", got)
		}
		cancel()
	})
}

func TestFollowEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		p := path(t)
		began := time.Now()
		for range journal.Follow(ctx, p) {
			t.Error("an event of nothing")
		}
		if d := time.Since(began); d < time.Minute || d > time.Minute+time.Second {
			t.Errorf("it took %v", d)
		}
		must(t, os.WriteFile(p, []byte("something else\n"), 0o600))
		var got error
		for _, err := range journal.Follow(t.Context(), p) {
			got = err
		}
		if !errors.Is(got, journal.ErrNotJournal) {
			t.Errorf("another file: %v", got)
		}
		must(t, os.Remove(p))
		must(t, create(t, p, scored("a", 1, "judge", "bias")).Close())
		n := 0
		for range journal.Follow(t.Context(), p) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%d events", n)
		}
	})
}

func ExampleResume() {
	dir, _ := os.MkdirTemp("", "journal")
	defer os.RemoveAll(dir)
	path := dir + "/run.jsonl"
	h := journal.Header{Run: "nightly", Evaluators: []journal.Evaluator{{Name: "judge", Version: "1", Metrics: []journal.Metric{{Name: "bias"}}}}}

	j, err := journal.Create(path, h) // a run that does not get far
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = j.Append(scored("q1", 17, "judge", "bias"))
	_ = j.Append(failing("q2", 18, "judge", "bias"))
	_ = j.Close()

	j, err = journal.Resume(path, h)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer j.Close()
	for _, item := range []struct {
		id  string
		sum uint64
	}{{"q1", 17}, {"q2", 18}, {"q3", 19}} {
		kept := j.Done(item.id, item.sum)
		fmt.Println(item.id, kept != nil && kept.Has("judge", "bias"))
	}
	// Output:
	// q1 true
	// q2 false
	// q3 false
}

func ExampleRead() {
	dir, _ := os.MkdirTemp("", "journal")
	defer os.RemoveAll(dir)
	path := dir + "/run.jsonl"
	j, err := journal.Create(path, journal.Header{Run: "nightly"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = j.Append(&runner.Record{ID: "q1", ErrorType: runner.ErrorBadItem, Error: "items.jsonl:1: expected a JSON object"})
	_ = j.Finish(journal.End{Items: 1, Failed: 1})
	_ = j.Close()

	r, err := journal.Read(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for record, err := range r.Records() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(record.ID, record.ErrorType, record.Error)
	}
	end, ok := r.End()
	fmt.Println(r.Header().Run, end.Failed, ok)
	// Output:
	// q1 bad_item items.jsonl:1: expected a JSON object
	// nightly 1 true
}
