package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
	"github.com/genaievals/genaievals/runner/journal"
)

const (
	million   = 1_000_000
	slice     = 100_000   // items of the run, after which the evaluator alone is timed
	sample    = 40_000    // items that it is timed with each time
	mostBytes = 150 << 20 // of the whole process
)

// cheap is what is asked of each item: what builtin asks by default, by word lists,
// but for faithfulness, for which there would have to be documents.
func cheap() (assigned, []evaluators.Metric) {
	e := builtin.New(builtin.WithModel(nil)) // by word lists
	var asked []evaluators.Metric
	for _, m := range e.Metrics() {
		if m.Name != builtin.MetricFaithfulness && slices.Contains(e.DefaultMetrics(), m.Name) {
			asked = append(asked, m)
		}
	}
	return assigned{list: []evaluators.Assignment{{
		Evaluator: e, Metrics: map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: asked},
	}}}, asked
}

// answerOf makes the answer of an item. They differ, as answers do.
func answerOf(i int) string {
	goods := []string{"kettle", "lamp", "bicycle", "jacket", "printer", "tent", "clock"}
	moods := []string{"Happy to help.", "Sorry for the trouble.", "That is how we handle it.", "Unfortunately there are exceptions."}
	return fmt.Sprintf("You can return the %s within %d days of delivery, as long as it is unused and in its box. "+
		"Write to us with the number of your order, %06d, and we send you a label for the parcel. "+
		"The money is back on your account within a week. %s", goods[i%len(goods)], 14+i%30, i%1_000_000, moods[i%len(moods)])
}

// lines is a file of that many items that is made as it is read.
type lines struct {
	next, end int
	buf       bytes.Buffer
}

func (l *lines) Read(p []byte) (int, error) {
	for l.buf.Len() < len(p) && l.next < l.end {
		fmt.Fprintf(&l.buf, `{"id":"item-%d","input":"How long can I return it?","output":%q}`+"\n", l.next, answerOf(l.next%4096))
		l.next++
	}
	if l.buf.Len() == 0 {
		return 0, io.EOF
	}
	return l.buf.Read(p)
}

func millionItems() (float64, error) {
	folder, err := os.MkdirTemp("", "million")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "items.jsonl")
	if err := writeItems(file); err != nil {
		return 0, err
	}
	evals, asked := cheap()
	t := turns{evaluator: evals.list[0].Evaluator, asked: asked, started: make(chan struct{})}
	t.solo(sample) // its word lists are read at the first call
	t.alone = clock{}
	items, err := dataset.Open(file, dataset.Options{})
	if err != nil {
		return 0, err
	}
	j, err := journal.Create(filepath.Join(folder, "journal.jsonl"), journal.HeaderOf(evals))
	if err != nil {
		return 0, err
	}
	defer j.Close()
	runtime.GC()
	peak := watchMemory()
	t.solo(sample)
	t.run.start()
	r, err := runner.Start(context.Background(), t.items(items), evals, runner.WithJournal(j))
	if err != nil {
		return 0, err
	}
	t.of = r
	close(t.started)
	status, err := r.Wait()
	if err != nil {
		return 0, err
	}
	t.run.stop(slice)
	t.solo(sample)
	most := peak()
	for _, m := range status.Evaluators[0].Metrics {
		if m.Scored != million {
			return 0, fmt.Errorf("%s: %d of %d scored, skipped %v, failed %v", m.Name, m.Scored, million, m.Skipped, m.Failed)
		}
	}
	run, alone := &t.run, &t.alone
	ratio := run.speed() / alone.speed()
	fmt.Printf("%.0f items/s; the evaluator alone %.0f: %.3f; %.1f MB at most\n", run.speed(), alone.speed(), ratio, float64(most)/(1<<20))
	if run.used > 0 {
		fmt.Printf("processor time an item: %.1f µs; the evaluator alone %.1f: %.3f\n", run.cost(), alone.cost(), alone.cost()/run.cost())
	}
	if err := nothingToDo(); err != nil {
		return 0, err
	}
	if most > mostBytes {
		return 0, nil
	}
	return ratio, nil
}

func writeItems(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, &lines{end: million}); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// clock adds up what it took to have items evaluated.
type clock struct {
	items      int
	took, used time.Duration // used of all cores
	began      time.Time
	usedBefore time.Duration
}

func (c *clock) start() { c.began, c.usedBefore = time.Now(), processorTime() }

func (c *clock) stop(items int) {
	c.items += items
	c.took += time.Since(c.began)
	c.used += processorTime() - c.usedBefore
}

// speed in items a second.
func (c *clock) speed() float64 { return float64(c.items) / c.took.Seconds() }

// cost is microseconds of a core an item.
func (c *clock) cost() float64 { return float64(c.used.Nanoseconds()) / 1000 / float64(c.items) }

// turns has the run and the evaluator alone take turns, in one process, so that
// what else the machine does meets both.
type turns struct {
	evaluator  evaluators.Evaluator
	asked      []evaluators.Metric
	run, alone clock
	started    chan struct{} // of is set
	of         *runner.Run
}

// items are those of a dataset. At the end of each slice the run is let come to rest,
// which is on its clock, and then it is the evaluator's turn.
func (t *turns) items(all runner.Dataset) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		n := 0
		for item, err := range all {
			if n > 0 && n%slice == 0 {
				<-t.started
				for t.of.Status().Done < int64(n) {
					time.Sleep(time.Millisecond)
				}
				t.run.stop(slice)
				t.solo(sample)
				t.run.start()
			}
			if !yield(item, err) {
				return
			}
			n++
		}
	}
}

// solo has the evaluator evaluate that many items when nothing else runs.
func (t *turns) solo(items int) {
	cases := make([]evaluators.Case, 4096)
	for i := range cases {
		cases[i] = evaluators.Case{Kind: instrumentation.KindInference, Input: "How long can I return it?", Output: answerOf(i)}
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	t.alone.start()
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				i := int(next.Add(1))
				if i > items {
					return
				}
				for m := range t.asked {
					t.evaluator.Evaluate(context.Background(), &cases[i%len(cases)], t.asked[m:m+1])
				}
			}
		})
	}
	workers.Wait()
	t.alone.stop(items)
}

// watchMemory returns what the runtime had of the system at most, less what it
// had given back, from now until the call.
func watchMemory() (peak func() uint64) {
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		most := uint64(0)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(samples)
			most = max(most, samples[0].Value.Uint64()-samples[1].Value.Uint64())
			select {
			case <-tick.C:
			case <-stop:
				done <- most
				return
			}
		}
	}()
	return func() uint64 { close(stop); return <-done }
}

// nothingToDo says how many items a second pass through a run whose evaluator
// does nothing.
func nothingToDo() error {
	e := evaluators.Func("nothing", evaluators.Metric{Name: "nothing"}, func(context.Context, *evaluators.Case) evaluators.Result {
		return evaluators.Scored("nothing", 1, "", "")
	})
	began := time.Now()
	r, err := runner.Start(context.Background(), numbered(million), assignAll(e))
	if err != nil {
		return err
	}
	if _, err := r.Wait(); err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Printf("an evaluator that does nothing: %.0f items/s, %d ns each\n", million/took.Seconds(), took.Nanoseconds()/million)
	return nil
}
