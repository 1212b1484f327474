package journal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

var began = time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)

func header() journal.Header {
	return journal.Header{
		Version: journal.Version, Run: "nightly", Dataset: "items.jsonl", Started: began, Total: 3,
		Evaluators: []journal.Evaluator{
			{Name: "judge", Version: "7", Type: evaluators.TypeLLMJudge, Model: "m1", Metrics: []journal.Metric{
				{Name: "bias", Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: []string{"Biased", "Not Biased"}},
				{Name: "tone", Threshold: 0.7, Fingerprint: "ab"},
			}},
			{Name: "builtin", Version: "3", Type: evaluators.TypeDeterministic, Metrics: []journal.Metric{{Name: "sentiment", Threshold: 0.5}}},
		},
	}
}

// full is a record with everything in it.
func full() *runner.Record {
	bias := evaluators.Scored("bias", 0.125, "Not Biased", "It says \"no\"\\,\n\tand \u2028 <b>é</b>\x01 🙂.")
	bias.Passed, bias.JudgeModel, bias.Attempts = true, "m1", 2
	bias.InputTokens, bias.OutputTokens, bias.Cost, bias.HasCost = 812, 40, 0.00031, true
	bias.InputCut, bias.Duration, bias.LimitWait = 17, 1234567*time.Microsecond, 3*time.Second
	bias.Attributes = []attribute.KeyValue{
		attribute.String("s", "é"), attribute.Int("i", -3), attribute.Float64("f", 2), attribute.Bool("b", true),
		attribute.StringSlice("ss", []string{"a", ""}), attribute.Float64Slice("fs", []float64{1, 2.5}),
	}
	failed := evaluators.Failed("tone", evaluators.ErrorJudgeTimeout, errors.New("judge_timeout: after 60s"))
	return &runner.Record{
		ID: "q-1", Index: 4, Line: 9, Sum: 0xfedcba9876543210, At: began, Evaluator: "judge",
		Results: []evaluators.Result{bias, failed}, Input: "in", Output: "out", HasOutput: true,
		Metadata: map[string]string{"lang": "de", "a\"b": ""},
	}
}

func scored(id string, sum uint64, evaluator string, metrics ...string) *runner.Record {
	r := &runner.Record{ID: id, Sum: sum, At: began, Evaluator: evaluator}
	for _, m := range metrics {
		r.Results = append(r.Results, evaluators.Scored(m, 0.5, "", "as "+id+" says"))
	}
	return r
}

func failing(id string, sum uint64, evaluator, metric string) *runner.Record {
	return &runner.Record{ID: id, Sum: sum, At: began, Evaluator: evaluator,
		Results: []evaluators.Result{evaluators.Failed(metric, evaluators.ErrorJudgeTimeout, errors.New("late"))}}
}

func path(t testing.TB) string { return filepath.Join(t.TempDir(), "run.jsonl") }

// quickPath is one on a disk in memory, if there is one, for tests of hundreds of
// syncs.
func quickPath(t testing.TB) string {
	t.Helper()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		t.Setenv("TMPDIR", "/dev/shm")
	}
	return path(t)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t testing.TB, path string, records ...*runner.Record) *journal.Journal {
	t.Helper()
	j, err := journal.Create(path, header())
	must(t, err)
	appendAll(t, j, records...)
	return j
}

func appendAll(t testing.TB, j *journal.Journal, records ...*runner.Record) {
	t.Helper()
	for _, r := range records {
		must(t, j.Append(r))
	}
}

func resume(t testing.TB, path string) *journal.Journal {
	t.Helper()
	j, err := journal.Resume(path, header())
	must(t, err)
	return j
}

// standing is what stands in a journal: id/evaluator.metric=outcome, in order.
func standing(t testing.TB, path string) []string {
	t.Helper()
	r, err := journal.Read(path)
	must(t, err)
	defer r.Close()
	var all []string
	for rec, err := range r.Records() {
		must(t, err)
		if rec.Evaluator == "" {
			all = append(all, fmt.Sprintf("%s %s%s", rec.ID, rec.ErrorType, rec.Output))
		}
		for _, result := range rec.Results {
			all = append(all, fmt.Sprintf("%s/%d %s.%s=%v", rec.ID, rec.Sum, rec.Evaluator, result.Metric, result.Outcome))
		}
	}
	if e, ok := r.End(); ok {
		all = append(all, "end "+e.Incomplete)
	}
	if torn := r.Torn(); torn > 0 {
		all = append(all, fmt.Sprintf("torn %d", torn))
	}
	return all
}

func bytesOf(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	p := path(t)
	item := &runner.Record{ID: "#2", Index: 1, Sum: 1, At: began, Output: "made", HasOutput: true}
	bad := &runner.Record{ID: "", Index: 2, Line: 3, At: began, ErrorType: runner.ErrorBadItem, Error: "expected a JSON object"}
	empty := &runner.Record{ID: "#4", Index: 3, Sum: 2, At: began, Output: "", HasOutput: true}
	skipped := &runner.Record{ID: "#5", Evaluator: "builtin", Results: []evaluators.Result{evaluators.Skipped("sentiment", evaluators.SkipEmptyOutput, "nothing")}}
	want := []*runner.Record{full(), item, bad, empty, skipped}
	j := create(t, p, want...)
	end := journal.End{Ended: began.Add(time.Hour), Incomplete: "interrupted", Items: 5, Failed: 2}
	must(t, j.Finish(end))
	must(t, j.Close())

	r, err := journal.Read(p)
	must(t, err)
	defer r.Close()
	if diff := cmp.Diff(header(), r.Header()); diff != "" {
		t.Errorf("header: -want +got:\n%s", diff)
	}
	var got []*runner.Record
	for rec, err := range r.Records() {
		must(t, err)
		got = append(got, rec)
	}
	for _, rec := range want { // what the header says of them
		for i := range rec.Results {
			result := &rec.Results[i]
			h := header()
			m, _ := h.Metric(rec.Evaluator, result.Metric)
			result.Evaluator, result.Threshold, result.Direction = rec.Evaluator, m.Threshold, m.Direction
			for _, e := range h.Evaluators {
				if e.Name == rec.Evaluator {
					result.EvaluatorVersion, result.EvaluatorType = e.Version, e.Type
				}
			}
		}
	}
	sameError := cmp.Comparer(func(a, b error) bool { return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error()) })
	if diff := cmp.Diff(want, got, sameError, cmpopts.EquateComparable(attribute.Value{})); diff != "" {
		t.Errorf("records: -want +got:\n%s", diff)
	}
	if e, ok := r.End(); !ok || !cmp.Equal(e, end) {
		t.Errorf("end is %+v, %v", e, ok)
	}
}

func TestANewJournalRefusesAFileThatIsThere(t *testing.T) {
	p := path(t)
	must(t, os.WriteFile(p, []byte("precious"), 0o600))
	if _, err := journal.Create(p, header()); !errors.Is(err, journal.ErrExists) {
		t.Errorf("Create: %v", err)
	}
	if _, err := journal.Resume(p, header()); !errors.Is(err, journal.ErrNotJournal) {
		t.Errorf("Resume: %v", err)
	}
	must(t, os.WriteFile(p, []byte("precious\nlines\n"), 0o600))
	if _, err := journal.Resume(p, header()); !errors.Is(err, journal.ErrNotJournal) {
		t.Errorf("Resume: %v", err)
	}
	if got := bytesOf(t, p); got != "precious\nlines\n" {
		t.Errorf("the file is now %q", got)
	}
	if _, err := journal.Create(t.TempDir(), header()); err == nil {
		t.Error("a folder was taken for a journal")
	}
	if _, err := journal.Create(filepath.Join(t.TempDir(), "no", "such"), header()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
}

func TestWhatFailedIsAskedAgainAndStandsOnce(t *testing.T) {
	p := path(t)
	mixed := scored("b", 2, "judge", "bias")
	mixed.Results = append(mixed.Results, failing("b", 2, "judge", "tone").Results...)
	spent := &runner.Record{ID: "c", Sum: 3, At: began, Evaluator: "judge", Results: []evaluators.Result{
		evaluators.Skipped("bias", evaluators.SkipBudget, ""), evaluators.Skipped("tone", evaluators.SkipEmptyInput, "")}}
	j := create(t, p, scored("a", 1, "judge", "bias", "tone"), mixed, spent,
		&runner.Record{ID: "d", ErrorType: runner.ErrorTask, Error: "no"},
		&runner.Record{ID: "e", Sum: 5, Output: "made", HasOutput: true},
		scored("a", 1, "builtin", "sentiment"))
	must(t, j.Finish(journal.End{}))
	must(t, j.Close())

	j = resume(t, p)
	want := journal.Recovery{Items: 4, Kept: 5, Redone: 3, Finished: true}
	if diff := cmp.Diff(want, j.Recovered()); diff != "" {
		t.Errorf("recovered -want +got:\n%s", diff)
	}
	for _, tt := range []struct {
		id, evaluator, metric string
		sum                   uint64
		has                   bool
	}{
		{"a", "judge", "bias", 1, true}, {"a", "builtin", "sentiment", 1, true}, {"b", "judge", "bias", 2, true},
		{"b", "judge", "tone", 2, false}, {"c", "judge", "bias", 3, false}, {"c", "judge", "tone", 3, true},
		{"c", "builtin", "sentiment", 3, false}, {"a", "judge", "other", 1, false},
	} {
		if k := j.Done(tt.id, tt.sum); k == nil || k.Has(tt.evaluator, tt.metric) != tt.has {
			t.Errorf("%s %s.%s: %v, want %v", tt.id, tt.evaluator, tt.metric, k != nil, tt.has)
		}
	}
	if j.Done("d", 4) != nil {
		t.Error("an item that failed as a whole has something")
	}
	if output, ok := j.Done("e", 5).Output(); !ok || output != "made" {
		t.Errorf("output %q, %v", output, ok)
	}
	if _, ok := j.Done("a", 1).Output(); ok {
		t.Error("an output that no task made")
	}
	appendAll(t, j, scored("b", 2, "judge", "tone"), scored("c", 3, "judge", "bias"), &runner.Record{ID: "d", ErrorType: runner.ErrorTask})
	if output, ok := j.Done("e", 5).Output(); !ok || output != "made" {
		t.Errorf("after the file was replaced: output %q, %v", output, ok)
	}
	must(t, j.Finish(journal.End{Incomplete: "interrupted"}))
	must(t, j.Close())
	got := standing(t, p)
	if diff := cmp.Diff([]string{
		"a/1 judge.bias=scored", "a/1 judge.tone=scored", "b/2 judge.bias=scored", "c/3 judge.tone=skipped", "e made",
		"a/1 builtin.sentiment=scored", "b/2 judge.tone=scored", "c/3 judge.bias=scored", "d task_failed", "end interrupted",
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAFinishedJournalResumedStaysAsItIs(t *testing.T) {
	p := path(t)
	j := create(t, p, scored("a", 1, "judge", "bias", "tone"), scored("a", 1, "builtin", "sentiment"))
	must(t, j.Finish(journal.End{Ended: began, Items: 1}))
	must(t, j.Close())
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	must(t, os.Chtimes(p, old, old))
	before := bytesOf(t, p)
	j = resume(t, p)
	if k := j.Done("a", 1); !k.Has("builtin", "sentiment") {
		t.Error("not done")
	}
	must(t, j.Sync())
	must(t, j.Finish(journal.End{Ended: began.Add(time.Hour), Items: 1}))
	must(t, j.Close())
	info, err := os.Stat(p)
	must(t, err)
	if after := bytesOf(t, p); after != before || !info.ModTime().Equal(old) {
		t.Errorf("changed at %v to\n%s", info.ModTime(), after)
	}
}

func TestChangedContentTakesThePlaceOfTheOld(t *testing.T) {
	p := path(t)
	j := create(t, p, scored("a", 1, "judge", "bias"), scored("b", 1, "judge", "bias"), scored("gone", 1, "judge", "bias"))
	must(t, j.Finish(journal.End{}))
	must(t, j.Close())
	j = resume(t, p)
	if j.Done("a", 1) == nil || j.Done("b", 2) != nil {
		t.Fatal("sums are not looked at")
	}
	if j.Done("a", 9) != nil { // a second item of the same id
		t.Fatal("another item's results")
	}
	appendAll(t, j, scored("b", 2, "judge", "bias"), &runner.Record{ID: "a", Sum: 9, ErrorType: runner.ErrorDuplicateID})
	must(t, j.Finish(journal.End{}))
	must(t, j.Close())
	want := []string{"a/1 judge.bias=scored", "gone/1 judge.bias=scored", "b/2 judge.bias=scored", "a duplicate_id", "end "}
	if diff := cmp.Diff(want, standing(t, p)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r, err := journal.Read(p)
	must(t, err)
	defer r.Close()
	for range r.Records() {
	}
	if e, _ := r.End(); e.Orphans != 1 {
		t.Errorf("%d orphans", e.Orphans)
	}
}

// A change that is found once the file has been written to is let go at the end,
// and by the next run if this one is killed.
func TestLateChangesAreLetGo(t *testing.T) {
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %v", killed), func(t *testing.T) {
			p := path(t)
			j := create(t, p, scored("a", 1, "judge", "bias"), scored("b", 1, "judge", "bias"))
			must(t, j.Close())
			j = resume(t, p)
			appendAll(t, j, scored("new", 3, "judge", "bias"))
			j.Done("a", 7)
			appendAll(t, j, scored("a", 7, "judge", "bias"))
			if killed {
				must(t, j.Close())
				j = resume(t, p)
				appendAll(t, j, scored("b", 1, "judge", "tone"))
			} else {
				j.Done("b", 1)
			}
			must(t, j.Finish(journal.End{}))
			must(t, j.Close())
			want := "b/1 judge.bias=scored, new/3 judge.bias=scored, a/7 judge.bias=scored, "
			if killed {
				want += "b/1 judge.tone=scored, "
			}
			if got := strings.Join(standing(t, p), ", "); got != want+"end " {
				t.Errorf("got  %s\nwant %s", got, want+"end ")
			}
		})
	}
}
