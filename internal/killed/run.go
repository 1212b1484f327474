package killed

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

// Run resumes the run of so many items whose journal that is, and ends it. Some
// items cannot be read, some have another's id, of some the task fails or a metric,
// always the same ones.
func Run(ctx context.Context, path string, items int) (err error) {
	evals := three()
	h := journal.HeaderOf(evals)
	h.Run, h.Total = "killed", int64(items)
	j, err := journal.Resume(path, h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	r, err := runner.Start(ctx, dataset(items), evals, runner.WithJournal(j), runner.WithContent(true),
		runner.WithTask(func(_ context.Context, item runner.Item) (string, error) {
			if drawn("task", item.ID)%89 == 0 {
				return "", errors.New("no answer")
			}
			return "the answer to " + item.Input, nil
		}))
	if err != nil {
		return err
	}
	status, err := r.Wait()
	if err != nil {
		return err
	}
	return j.Finish(journal.End{Ended: time.Now(), Items: status.Done, Failed: status.Failed, Incomplete: status.Incomplete})
}

func dataset(items int) runner.Dataset {
	return func(yield func(runner.Item, error) bool) {
		for i := range items {
			id := strconv.Itoa(i)
			var err error
			switch {
			case i%301 == 300:
				err = &runner.ItemError{Name: "items", Line: i + 1, ID: "bad " + id, Err: errors.New("expected a JSON object")}
			case i%401 == 400:
				id = strconv.Itoa(i - 1)
			}
			if !yield(runner.Item{ID: id, Line: i + 1, Input: "question " + strconv.Itoa(i)}, err) {
				return
			}
		}
	}
}

// drawn is a number that a text always has.
func drawn(salt, text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(salt + text))
	return h.Sum32() >> 4
}

// set is the evaluators of the run.
type set []evaluators.Assignment

func (s set) Assignments() []evaluators.Assignment { return s }
func (s set) Gate(string) *limit.Gate              { return nil }
func (s set) Timeout() time.Duration               { return time.Minute }

// three evaluators, of which each takes up to a millisecond.
func three() set {
	var s set
	for _, name := range []string{"first", "second", "third"} {
		metric := "m_" + name
		e := evaluators.Func(name, evaluators.Metric{Name: metric, Threshold: 0.5}, func(ctx context.Context, c *evaluators.Case) evaluators.Result {
			n := drawn(metric, c.ID)
			timer := time.NewTimer(time.Duration(n%1000) * time.Microsecond)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
			switch {
			case n%53 == 0:
				return evaluators.Failed(metric, evaluators.ErrorJudgeTimeout, errors.New("late"))
			case n%37 == 0:
				return evaluators.Skipped(metric, evaluators.SkipNoDocuments, "")
			}
			return evaluators.Scored(metric, float64(n%101)/100, "", fmt.Sprintf("The answer %q is taken as it stands, and nothing in it is found wanting.", c.Output))
		})
		s = append(s, evaluators.Assignment{Evaluator: e, Metrics: map[instrumentation.Kind][]evaluators.Metric{instrumentation.KindInference: e.Metrics()}})
	}
	return s
}
