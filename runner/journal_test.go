package runner_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// memory is a journal that keeps records in memory.
type memory struct {
	mu       sync.Mutex
	records  []runner.Record
	synced   int
	syncs    []time.Time
	failAt   int // the record at which Append fails, counted from 1
	failSync bool
	kept     map[string]kept
}

type kept struct {
	sum    uint64
	has    map[string]bool
	output *string
}

func (k kept) Has(evaluator, metric string) bool { return k.has[evaluator+"/"+metric] }
func (k kept) Output() (string, bool) {
	if k.output == nil {
		return "", false
	}
	return *k.output, true
}

func (m *memory) Done(id string, sum uint64) runner.Kept {
	if k, ok := m.kept[id]; ok && k.sum == sum {
		return k
	}
	return nil
}

var errFull = errors.New("no space left on device")

func (m *memory) Append(r *runner.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failAt > 0 && len(m.records)+1 >= m.failAt {
		return errFull
	}
	m.records = append(m.records, *r)
	return nil
}

func (m *memory) Sync() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failSync {
		return errFull
	}
	m.synced = len(m.records)
	m.syncs = append(m.syncs, time.Now())
	return nil
}

// again is the journal as a later run finds it.
func (m *memory) again() *memory {
	next := &memory{kept: map[string]kept{}}
	for _, r := range m.records[:m.synced] {
		k := next.kept[r.ID]
		if k.has == nil {
			k = kept{sum: r.Sum, has: map[string]bool{}}
		}
		if r.HasOutput {
			k.output = &r.Output
		}
		for _, res := range r.Results {
			if res.Outcome != evaluators.OutcomeFailed {
				k.has[r.Evaluator+"/"+res.Metric] = true
			}
		}
		next.kept[r.ID] = k
	}
	return next
}

func TestAJournalHasOneRecordForEachEvaluatorAndItem(t *testing.T) {
	j := &memory{}
	var told []string
	status, err := wait(t, numbered(1000), of(scores("a", "good"), scores("b", "better")), runner.WithJournal(j), runner.WithContent(true),
		runner.WithOnRecord(func(r *runner.Record) { told = append(told, r.ID+r.Evaluator) }))
	if err != nil || status.Done != 1000 {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range j.records {
		seen[r.ID+r.Evaluator] = true
		if len(r.Results) != 1 || r.Input != "q" || !strings.HasPrefix(r.Output, "answer ") || r.At.IsZero() || r.HasOutput {
			t.Fatalf("%+v", r)
		}
		if res := r.Results[0]; res.Evaluator != r.Evaluator || res.EvaluatorVersion != "1" || res.EvaluatorType != evaluators.TypeDeterministic || !res.Passed || res.Threshold != 0.5 {
			t.Fatalf("%+v", res)
		}
	}
	if len(seen) != 2000 || len(j.records) != 2000 || j.synced != 2000 || len(told) != 2000 {
		t.Errorf("%d of %d records, %d synced, %d told", len(seen), len(j.records), j.synced, len(told))
	}
}

func TestAFinishedRunThatIsResumedAsksNothing(t *testing.T) {
	j := &memory{}
	if _, err := wait(t, numbered(100), of(scores("a", "good")), runner.WithJournal(j)); err != nil {
		t.Fatal(err)
	}
	next := j.again()
	asks := does("good", func(context.Context, *evaluators.Case) evaluators.Result {
		t.Error("asked again")
		return evaluators.Result{}
	})
	s := of(asks)
	s.assignments[0].Evaluator = renamed{asks, "a"}
	resumed := 0
	status, err := wait(t, numbered(100), s, runner.WithJournal(next), runner.WithOnResult(func(r runner.ItemResult) { resumed += r.Resumed }))
	if err != nil || status.Done != 100 || status.Resumed != 100 || len(next.records) != 0 || resumed != 100 || status.Rate != 0 {
		t.Errorf("%v: %+v, %d records, %d resumed", err, status.Progress, len(next.records), resumed)
	}
}

type renamed struct {
	evaluators.Evaluator
	name string
}

func (r renamed) Name() string { return r.name }

// Only what is missing is asked: metrics that failed, items of which the
// content has changed.
func TestWhatFailedOrChangedIsAskedAgain(t *testing.T) {
	asked := map[string]int{}
	var mu sync.Mutex
	fails := true
	s := of(scores("a", "good"), does("b", func(_ context.Context, c *evaluators.Case) evaluators.Result {
		mu.Lock()
		defer mu.Unlock()
		asked[c.ID]++
		if fails && c.ID == "item-1" {
			return evaluators.Failed("b", "own_failure", errors.New("not now"))
		}
		return evaluators.Scored("b", 1, "", "")
	}))
	j := &memory{}
	if status, err := wait(t, numbered(3), s, runner.WithJournal(j)); err != nil || status.Failed != 1 {
		t.Fatal(err, status)
	}
	fails = false
	changed := func(yield func(runner.Item, error) bool) {
		for item, err := range numbered(3) {
			if item.ID == "item-2" {
				item.Output = "another answer"
			}
			if !yield(item, err) {
				return
			}
		}
	}
	next := j.again()
	status, err := wait(t, changed, s, runner.WithJournal(next))
	if err != nil || status.Done != 3 || status.Resumed != 1 || status.Failed != 0 {
		t.Errorf("%v: %+v", err, status.Progress)
	}
	if asked["item-0"] != 1 || asked["item-1"] != 2 || asked["item-2"] != 2 || len(next.records) != 3 {
		t.Errorf("asked %v, %d records", asked, len(next.records))
	}
}

func TestAJournalThatFailsEndsTheRun(t *testing.T) {
	for name, j := range map[string]*memory{"append": {failAt: 50}, "sync": {failSync: true}} {
		t.Run(name, func(t *testing.T) {
			told := 0
			status, err := wait(t, numbered(100_000), of(scores("a", "good")), runner.WithJournal(j), runner.WithOnRecord(func(*runner.Record) { told++ }))
			if !errors.Is(err, runner.ErrJournal) || !errors.Is(err, errFull) || !strings.Contains(status.Incomplete, "no space left") {
				t.Errorf("ended by %v", err)
			}
			if name == "append" && (len(j.records) != 49 || told != 49 || status.Done > 49) {
				t.Errorf("%d records, %d told, %d done", len(j.records), told, status.Done)
			}
		})
	}
}

// Also when it fails at the very end, for the last record.
func TestAJournalThatFailsAtTheEndIsToldOf(t *testing.T) {
	if _, err := wait(t, numbered(1), of(scores("a", "good")), runner.WithJournal(&memory{failSync: true})); !errors.Is(err, runner.ErrJournal) {
		t.Errorf("ended by %v", err)
	}
}

func TestRecordsAreSyncedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow timed
		j := &memory{}
		began := time.Now()
		if _, err := wait(t, numbered(5), of(slow.judge("slow", time.Second)), runner.WithJournal(j), runner.WithConcurrency(1)); err != nil {
			t.Fatal(err)
		}
		for i, at := range j.syncs {
			if i < 4 && at.Sub(began) != time.Duration(i+1)*time.Second+200*time.Millisecond {
				t.Errorf("sync %d after %v", i, at.Sub(began))
			}
		}
		if len(j.syncs) != 5 {
			t.Errorf("%d syncs", len(j.syncs))
		}
	})
}

func TestAnOutputThatIsThereIsNotProducedAgain(t *testing.T) {
	calls := 0
	var mu sync.Mutex
	task := runner.WithTask(func(_ context.Context, item runner.Item) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		calls++
		return "answer to " + item.ID, nil
	})
	fails := true
	s := of(does("x", func(_ context.Context, c *evaluators.Case) evaluators.Result {
		if c.Output != "answer to "+c.ID {
			t.Errorf("%s has the output %q", c.ID, c.Output)
		}
		if fails {
			return evaluators.Failed("x", "own_failure", nil)
		}
		return evaluators.Scored("x", 1, "", "")
	}))
	j := &memory{}
	if _, err := wait(t, numbered(10), s, runner.WithJournal(j), task); err != nil || calls != 10 || len(j.records) != 20 {
		t.Fatal(err, calls, len(j.records))
	}
	for i, r := range j.records {
		if r.HasOutput != (r.Evaluator == "") || r.HasOutput && r.Output == "" || !r.HasOutput && r.Output != "" {
			t.Errorf("record %d: %+v", i, r)
		}
	}
	fails = false
	status, err := wait(t, numbered(10), s, runner.WithJournal(j.again()), task)
	if err != nil || calls != 10 || status.Evaluators[0].Metrics[0].Scored != 10 {
		t.Errorf("%v: %d calls", err, calls)
	}
}
