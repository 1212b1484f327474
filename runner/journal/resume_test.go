package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// finish does what a run would: it asks what is missing of items a and b, of which b
// fails in one metric, and ends.
func finish(t testing.TB, p string) {
	t.Helper()
	j := resume(t, p)
	for i, id := range []string{"a", "b"} {
		sum := uint64(i)
		k := j.Done(id, sum)
		for _, e := range header().Evaluators {
			r := &runner.Record{ID: id, Index: int64(i), Sum: sum, At: began, Evaluator: e.Name}
			for _, m := range e.Metrics {
				switch {
				case k != nil && k.Has(e.Name, m.Name):
				case id == "b" && m.Name == "tone":
					r.Results = append(r.Results, evaluators.Failed(m.Name, evaluators.ErrorJudgeTimeout, errors.New("late")))
				default:
					r.Results = append(r.Results, evaluators.Scored(m.Name, float64(i)/4, "", "é\n"))
				}
			}
			if len(r.Results) > 0 {
				must(t, j.Append(r))
			}
		}
	}
	must(t, j.Finish(journal.End{Ended: began}))
	must(t, j.Close())
}

func sortedStanding(t testing.TB, p string) []string {
	all := standing(t, p)
	slices.Sort(all)
	return all
}

// Whatever byte a run was killed at, the next one ends with the same results.
func TestAJournalCutAtAnyByteIsResumed(t *testing.T) {
	p := quickPath(t)
	finish(t, p)
	whole := bytesOf(t, p)
	want := sortedStanding(t, p)
	if len(want) != 2*3+1 {
		t.Fatalf("%d stand there: %q", len(want), want)
	}
	for n := range len(whole) + 1 {
		must(t, os.WriteFile(p, []byte(whole[:n]), 0o600))
		finish(t, p)
		if diff := cmp.Diff(want, sortedStanding(t, p)); diff != "" {
			t.Fatalf("cut at %d: -want +got:\n%s", n, diff)
		}
	}
}

func TestATornEndIsCut(t *testing.T) {
	p := path(t)
	j := create(t, p, scored("a", 0, "judge", "bias"))
	must(t, j.Close())
	whole := bytesOf(t, p)
	for name, tail := range map[string]string{
		"zeros":          strings.Repeat("\x00", 5000),
		"half a line":    `{"type":"results","id":"b","index":1,"su`,
		"garbage":        "\xff\xfe\x01 garbage",
		"garbage lines":  "\xff\n{\n\x00\n",
		"a bad record":   `{"type":"results","id":"b","evaluator":"judge","results":[{"metric":"bias","outcome":"scored"}]}` + "\n",
		"no result":      `{"type":"results","id":"b"}` + "\n",
		"zeros in lines": "\x00\x00\n\x00\x00\n",
	} {
		t.Run(name, func(t *testing.T) {
			must(t, os.WriteFile(p, []byte(whole+tail), 0o600))
			if got := standing(t, p); got[len(got)-1] != fmt.Sprintf("torn %d", len(tail)) {
				t.Errorf("read: %q", got)
			}
			j := resume(t, p)
			if r := j.Recovered(); r.Torn != int64(len(tail)) || r.Kept != 1 {
				t.Errorf("recovered %+v", r)
			}
			must(t, j.Close())
			if got := bytesOf(t, p); got != whole {
				t.Errorf("the file is now\n%s", got)
			}
		})
	}
	must(t, os.WriteFile(p, bytes.Repeat([]byte{0}, 100), 0o600))
	j = resume(t, p)
	must(t, j.Close())
	if got := bytesOf(t, p); !strings.HasPrefix(got, `{"type":"run"`) {
		t.Errorf("of a header of zeros: %q", got)
	}
}

func TestACorruptLineIsNamed(t *testing.T) {
	p := path(t)
	j := create(t, p, scored("a", 0, "judge", "bias"), scored("b", 1, "judge", "bias"), scored("c", 2, "judge", "bias"))
	must(t, j.Close())
	lines := strings.SplitAfter(bytesOf(t, p), "\n")
	lines[2] = lines[2][:20] + "\n"
	damaged := strings.Join(lines, "")
	must(t, os.WriteFile(p, []byte(damaged), 0o600))
	_, err := journal.Resume(p, header())
	if !errors.Is(err, journal.ErrCorrupt) || !strings.Contains(err.Error(), p+":3: ") {
		t.Errorf("Resume: %v", err)
	}
	if got := bytesOf(t, p); got != damaged {
		t.Error("the file was changed")
	}
	r, err := journal.Read(p)
	must(t, err)
	defer r.Close()
	n := 0
	for rec, e := range r.Records() {
		if err = e; rec != nil {
			n++
		}
	}
	if n != 1 || !errors.Is(err, journal.ErrCorrupt) {
		t.Errorf("Read: %d records, %v", n, err)
	}
}

func TestWhatIsNotKnownIsKept(t *testing.T) {
	p := path(t)
	j := create(t, p, failing("a", 1, "judge", "bias"))
	must(t, j.Close())
	later := `{"note":1,"type":"remark","of":{"type":"end"}}` + "\n" +
		` { "results" : [ { "future" : [1,{"x":null}] , "score" : 1e-1, "passed":true, "outcome" : "scored" , "metric" : "bias" , "cost_usd":null } ], "evaluator":"judge","id":"\u0062" ,"sum":"00000000000000FF", "type" : "results" , "index":null } ` + "\r\n\n"
	must(t, os.WriteFile(p, []byte(bytesOf(t, p)+later), 0o600))
	j = resume(t, p)
	if !j.Done("b", 255).Has("judge", "bias") {
		t.Error("a line in another order was not read")
	}
	appendAll(t, j, scored("a", 1, "judge", "bias"))
	must(t, j.Finish(journal.End{}))
	must(t, j.Close())
	if got := bytesOf(t, p); !strings.Contains(got, `{"note":1,"type":"remark","of":{"type":"end"}}`+"\n") {
		t.Errorf("lost a line:\n%s", got)
	}
	if diff := cmp.Diff([]string{"b/255 judge.bias=scored", "a/1 judge.bias=scored", "end "}, standing(t, p)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	must(t, os.WriteFile(p, []byte(strings.Replace(bytesOf(t, p), `"version":1`, `"version":2`, 1)), 0o600))
	if _, err := journal.Resume(p, header()); !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a later version: %v", err)
	}
}

func TestAnotherRunIsRefused(t *testing.T) {
	p := path(t)
	j := create(t, p, scored("a", 1, "judge", "bias"))
	must(t, j.Close())
	before := bytesOf(t, p)
	for name, tt := range map[string]struct {
		change func(h *journal.Header)
		says   string // empty: may go on
	}{
		"version":      {func(h *journal.Header) { h.Evaluators[0].Version = "8" }, "version of judge was 7 and is 8"},
		"model":        {func(h *journal.Header) { h.Evaluators[0].Model = "m2" }, "judge model of judge was m1 and is m2"},
		"threshold":    {func(h *journal.Header) { h.Evaluators[0].Metrics[0].Threshold = 0.25 }, "threshold of judge.bias was 0.5 and is 0.25"},
		"direction":    {func(h *journal.Header) { h.Evaluators[0].Metrics[1].Direction = evaluators.LowerIsBetter }, "direction of judge.tone was higher_is_better and is lower_is_better"},
		"labels":       {func(h *journal.Header) { h.Evaluators[0].Metrics[0].Labels = nil }, "labels of judge.bias was Biased, Not Biased and is none"},
		"other judge":  {func(h *journal.Header) { h.Evaluators[0].Metrics[1].Judge = "fast" }, "judge of judge.tone was none and is fast"},
		"options":      {func(h *journal.Header) { h.Evaluators[0].Metrics[1].Fingerprint = "cd" }, "options of judge.tone are not what they were"},
		"no metric":    {func(h *journal.Header) { h.Evaluators[0].Metrics = h.Evaluators[0].Metrics[:1] }, "metric judge.tone is not in this run"},
		"no evaluator": {func(h *journal.Header) { h.Evaluators = h.Evaluators[:1] }, "evaluator builtin is not in this run"},
		"more": {func(h *journal.Header) {
			h.Evaluators[1].Metrics = append(h.Evaluators[1].Metrics, journal.Metric{Name: "new"})
		}, ""},
		"names": {func(h *journal.Header) { h.Run, h.Dataset, h.Total, h.Started = "x", "y", 9, time.Now() }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := header()
			tt.change(&h)
			j, err := journal.Resume(p, h)
			if tt.says == "" {
				must(t, err)
				must(t, j.Close())
			} else if !errors.Is(err, journal.ErrOtherRun) || !strings.HasSuffix(err.Error(), ": "+tt.says) {
				t.Errorf("error %v", err)
			}
			if got := bytesOf(t, p); got != before {
				t.Errorf("the file was changed:\n%s", got)
			}
		})
	}
	h := header()
	h.Evaluators[1].Metrics = append(h.Evaluators[1].Metrics, journal.Metric{Name: "new"})
	h.Started, h.Total = time.Now(), 77
	j, err := journal.Resume(p, h)
	must(t, err)
	appendAll(t, j, scored("a", 1, "builtin", "new"))
	must(t, j.Finish(journal.End{}))
	must(t, j.Close())
	r, err := journal.Read(p)
	must(t, err)
	defer r.Close()
	got := r.Header()
	if _, ok := got.Metric("builtin", "new"); !ok || got.Total != 77 || !got.Started.Equal(began) {
		t.Errorf("the header is %+v", got)
	}
}

func TestAReplacedFileKeepsLinkAndMode(t *testing.T) {
	p := path(t)
	j := create(t, p, failing("a", 1, "judge", "bias"))
	must(t, j.Close())
	must(t, os.Chmod(p, 0o640))
	link := filepath.Join(filepath.Dir(p), "link")
	must(t, os.Symlink(p, link))
	j = resume(t, link)
	appendAll(t, j, scored("a", 1, "judge", "bias"))
	must(t, j.Finish(journal.End{}))
	must(t, j.Close())
	info, err := os.Lstat(link)
	must(t, err)
	target, err := os.Stat(p)
	must(t, err)
	if info.Mode()&os.ModeSymlink == 0 || target.Mode().Perm() != 0o640 {
		t.Errorf("link %v, target %v", info.Mode(), target.Mode())
	}
	if got := standing(t, p); len(got) != 2 {
		t.Errorf("%q", got)
	}
	entries, err := os.ReadDir(filepath.Dir(p))
	must(t, err)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestANilOrClosedJournalIsHarmless(t *testing.T) {
	var j *journal.Journal
	if j.Done("a", 1) != nil || j.Append(full()) != nil || j.Sync() != nil || j.Finish(journal.End{}) != nil || j.Close() != nil || j.Recovered() != (journal.Recovery{}) {
		t.Error("nil does something")
	}
	j = create(t, path(t))
	must(t, j.Close())
	must(t, j.Close())
	if err := j.Append(full()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("Append: %v", err)
	}
	if err := j.Finish(journal.End{}); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("Finish: %v", err)
	}
}
