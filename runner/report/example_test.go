package report_test

import (
	"fmt"
	"os"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// exampleRun is a run of four items.
func exampleRun(scores ...float64) report.Run {
	h := journal.Header{
		Run: "refunds", Started: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Evaluators: []journal.Evaluator{{Name: "judge", Type: "llm_judge", Metrics: []journal.Metric{{Name: "faithfulness", Threshold: 0.5}}}},
	}
	var records []*runner.Record
	for i, score := range scores {
		result := evaluators.Scored("faithfulness", score, "", fmt.Sprintf("%.0f %% of the claims are supported", 100*score))
		result.Passed = score >= 0.5
		records = append(records, &runner.Record{ID: fmt.Sprint("q", i+1), Index: int64(i), Evaluator: "judge", Results: []evaluators.Result{result}})
	}
	return report.Run{Header: h, Records: all(records)}
}

func Example() {
	run := exampleRun(1, 0.75, 0.25, 1) // as journal.Read has it
	s, err := report.New(run.Header)
	if err != nil {
		fmt.Println(err)
		return
	}
	for record, err := range run.Records {
		if err != nil {
			fmt.Println(err)
			return
		}
		s.Add(record)
	}
	s.End(journal.End{Ended: run.Header.Started.Add(8 * time.Second)})
	r := s.Report()

	gate, err := report.ParseFailUnder("faithfulness=0.8")
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := r.Apply(report.Gates{Gates: []report.Gate{gate}}); err != nil {
		fmt.Println(err)
		return
	}
	if err := report.Table(os.Stdout, r, report.Terminal{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Run        refunds
	// Items      4 seen, 4 evaluated
	// Time       2026-03-04 05:06:07 UTC, took 8.0 s
	// Verdict    ✕ gate failed: mean faithfulness 0.75, at least 0.80 wanted
	//
	// METRIC              SCORED  PASS RATE            95 %  MEAN          95 %  SKIPPED  FAILED
	// judge.faithfulness       4      75.0%  [30.1%, 95.4%]  0.75  [0.19, 1.00]        0       0
	//
	// Gates
	// ✕ mean faithfulness 0.75, at least 0.80 wanted
	//
	// judge.faithfulness (passes from 0.5)
	//   by       judge, llm_judge
	//   scores   0 ··▄····▄·█ 1, median 0.88
	//   latency  p50 0 s, p95 0 s, p99 0 s, max 0 s
	//   worst
	//   △ 0.25 q3: 25 % of the claims are supported
	//   ✓ 0.75 q2: 75 % of the claims are supported
}

func ExampleCompare() {
	old := exampleRun(1, 1, 0.75, 1, 1, 1, 0.75, 1)
	new := exampleRun(0.75, 0.75, 0.25, 0.75, 0.75, 1, 0.25, 0.75)
	c, err := report.Compare(old, new)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := c.Metrics[0]
	fmt.Println(m.Outcome)
	fmt.Printf("mean %.2f, was %.2f\n", m.Mean.New, m.Mean.Old)
	for _, flip := range m.Flips {
		fmt.Println(flip.ID, "does not pass any more:", flip.Explanation)
	}
	// Output:
	// regression
	// mean 0.66, was 0.94
	// q3 does not pass any more: 25 % of the claims are supported
	// q7 does not pass any more: 25 % of the claims are supported
}
