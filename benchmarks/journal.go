package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/killed"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
)

func journalClaims() []claim {
	return []claim{
		{name: "kill_resume", bound: 0, says: "runs that end otherwise than one that nobody killed, each killed at random moments and resumed, until 50 processes were killed",
			measure: killResume},
		{name: "journal_read", bound: 200_000, atLeast: true, says: "results that are read back from a journal in a second of one core's time, an explanation of 80 bytes each",
			measure: journalRead},
	}
}

// killedItems is how many items a run has that is killed.
const killedItems = 3000

// runKilled is a process that is to be killed.
func runKilled(path string) int {
	if err := killed.Run(context.Background(), path, killedItems); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func killResume() (float64, error) {
	dir, err := os.MkdirTemp("", "genaievals-killed-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	child := func(path string) *exec.Cmd { return exec.Command(os.Args[0], "-killed", path) }
	whole := filepath.Join(dir, "whole.jsonl")
	began := time.Now()
	if out, err := child(whole).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("the run that is not killed: %w: %s", err, out)
	}
	took := time.Since(began)
	want, err := killed.Standing(whole)
	if err != nil {
		return 0, err
	}
	finished, err := killed.Kills(50, child, dir, want, took)
	fmt.Printf("a run of %d items takes %.1f s and leaves %d results and failed items; 50 processes were killed, %d runs finished\n",
		killedItems, took.Seconds(), len(want), finished)
	if errors.Is(err, killed.ErrDiffers) {
		fmt.Println(err)
		return 1, nil
	}
	return 0, err
}

func journalRead() (float64, error) {
	const items = 1_000_000
	dir, err := os.MkdirTemp("", "genaievals-journal-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.jsonl")
	header := journal.Header{Evaluators: []journal.Evaluator{{Name: "judge", Version: "1", Type: evaluators.TypeLLMJudge, Metrics: []journal.Metric{
		{Name: "answer_relevancy", Threshold: 0.5, Labels: []string{"Relevant", "Irrelevant"}},
	}}}}
	wrote, err := writeJournal(path, header, items)
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var ours, standard []float64
	for range 3 {
		for _, read := range []struct {
			rates *[]float64
			all   func(string) (int, error)
		}{{&ours, readJournal}, {&standard, readStandard}} {
			began := processorTime()
			n, err := read.all(path)
			if err != nil || n != items {
				return 0, fmt.Errorf("%d results were read: %w", n, err)
			}
			*read.rates = append(*read.rates, items/(processorTime()-began).Seconds())
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	used := processorTime()
	j, err := journal.Resume(path, header)
	if err != nil {
		return 0, err
	}
	used = processorTime() - used
	runtime.GC()
	runtime.ReadMemStats(&after)
	held := float64(after.HeapAlloc) - float64(before.HeapAlloc)
	if err := j.Close(); err != nil {
		return 0, err
	}
	rate, other := median(ours), median(standard)
	fmt.Printf("%d results of %d bytes were written at %.0f a second of one core's time; read at %.0f, %.1f times encoding/json's %.0f; resumed in %.2f s, with %.0f bytes of memory an item\n",
		items, info.Size()/items, items/wrote.Seconds(), rate, rate/other, other, used.Seconds(), held/items)
	return rate, nil
}

func writeJournal(path string, header journal.Header, items int) (time.Duration, error) {
	began := processorTime()
	j, err := journal.Create(path, header)
	if err != nil {
		return 0, err
	}
	for i := range items {
		r := evaluators.Scored("answer_relevancy", float64(i%101)/100, "Relevant", `The answer names the "Louvre" and the opening hours that the question asks for, too.`)
		r.Passed, r.JudgeModel, r.Attempts = true, "gpt-4.1-mini", 1
		r.InputTokens, r.OutputTokens, r.Cost, r.HasCost = 812, 41, 0.000391, true
		r.Duration, r.LimitWait = 1234567*time.Microsecond, time.Duration(i)
		err := j.Append(&runner.Record{
			ID: "item-" + strconv.Itoa(i), Index: int64(i), Line: i + 1, Sum: uint64(i) << 40, At: time.Now(), Evaluator: "judge",
			Results: []evaluators.Result{r}, Metadata: map[string]string{"language": "en"},
		})
		if err != nil {
			return 0, err
		}
	}
	err = errors.Join(j.Finish(journal.End{Ended: time.Now(), Items: int64(items)}), j.Close())
	return processorTime() - began, err
}

func readJournal(path string) (n int, err error) {
	r, err := journal.Read(path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for rec, err := range r.Records() {
		if err != nil {
			return n, err
		}
		n += len(rec.Results)
	}
	return n, nil
}

// readStandard reads the same into a struct with the standard library.
func readStandard(path string) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var l struct {
			Type, ID, Sum, Evaluator string
			Index                    int64
			Line                     int
			At                       time.Time
			Metadata                 map[string]string
			Results                  []struct {
				Metric, Outcome, Label, Explanation string
				Score                               float64
				Passed                              bool
				JudgeModel                          string  `json:"judge_model"`
				Attempts                            int     `json:"attempts"`
				InputTokens                         int64   `json:"input_tokens"`
				OutputTokens                        int64   `json:"output_tokens"`
				Cost                                float64 `json:"cost_usd"`
				Duration                            int64   `json:"duration_ns"`
				Wait                                int64   `json:"wait_ns"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return n, err
		}
		n += len(l.Results)
	}
	return n, lines.Err()
}
