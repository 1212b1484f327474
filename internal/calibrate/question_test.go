package calibrate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

func judgeWith(t *testing.T, rubrics ...judge.Rubric) evaluators.Evaluator {
	t.Helper()
	e, err := judge.New(judgetest.NewJudge(), judge.WithRubrics(rubrics...))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func metricOf(t *testing.T, e evaluators.Evaluator, name string) evaluators.Metric {
	t.Helper()
	for _, m := range e.Metrics() {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no metric %s", name)
	return evaluators.Metric{}
}

// What fails the threshold is the fault, whatever its label is called.
func TestFaultsOfARubricFollowItsScores(t *testing.T) {
	three := []judge.RubricLabel{{Name: "a", Score: 1, Label: "Good"}, {Name: "b", Score: 0.5, Label: "Fair"}, {Name: "c", Score: 0, Label: "Poor"}}
	for name, tt := range map[string]struct {
		rubric    judge.Rubric
		threshold float64 // of the plan; 0 is the rubric's
		faults    []string
		stay      bool
		labels    map[string]string // what is written, and what it means; empty: nothing
	}{
		"labels of its own": {
			judge.Rubric{Threshold: 0.5, Labels: three}, 0, []string{"Poor"}, true,
			map[string]string{"1": "Poor", "true": "Poor", "0": "", "poor": "Poor", "Fail": ""},
		},
		"a threshold of the plan": {
			judge.Rubric{Threshold: 0.5, Labels: three}, 0.7, []string{"Fair", "Poor"}, true,
			map[string]string{"1": "", "0": "Good", "false": "Good"},
		},
		"lower is better": {
			judge.Rubric{Direction: evaluators.LowerIsBetter, Threshold: 0.5, Labels: three}, 0, []string{"Good"}, true,
			map[string]string{"1": "Good"},
		},
		"labels of the threshold": {
			judge.Rubric{Threshold: 0.5, Passed: "Yes", Failed: "No", Labels: []judge.RubricLabel{{Name: "a", Score: 1}, {Name: "b", Score: 0}}},
			0, []string{"No"}, false, map[string]string{"1": "No", "0": "Yes", "TRUE": "No"},
		},
		"both": {
			judge.Rubric{Threshold: 0.5, Labels: []judge.RubricLabel{{Name: "a", Score: 1, Label: "Pass"}, {Name: "b", Score: 0.6}, {Name: "c", Score: 0, Label: "Awful"}}},
			0, []string{"Awful", "Fail"}, false, map[string]string{"0": "Pass", "1": ""},
		},
		"a scale": {
			judge.Rubric{Threshold: 4, Scale: &judge.RubricScale{Min: 1, Max: 5}, Passed: "Clear", Failed: "Unclear"},
			0, []string{"Unclear"}, false, map[string]string{"1": "Unclear", "0": "Clear", "4": ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.rubric.Name, tt.rubric.Question = "own", "How is it?"
			e := judgeWith(t, tt.rubric)
			m := metricOf(t, e, "own")
			if tt.threshold > 0 {
				m.Threshold = tt.threshold
			}
			q := newQuestion(e, m)
			if diff := cmp.Diff(tt.faults, q.faults); diff != "" || q.labelsStay != tt.stay {
				t.Errorf("labels stay: %v; faults, -want +got:\n%s", q.labelsStay, diff)
			}
			for written, want := range tt.labels {
				if got, ok := q.label(written); got != want || ok != (want != "") {
					t.Errorf("%q is %q, want %q", written, got, want)
				}
			}
		})
	}
}

func TestWhoseLabelsStay(t *testing.T) {
	judged, offline := judgeWith(t), builtin.New()
	stay := map[string]bool{}
	for _, m := range judged.Metrics() {
		stay[m.Name] = newQuestion(judged, m).labelsStay
	}
	want := map[string]bool{
		"bias": true, "toxicity": true, "sentiment": true, "answer_relevancy": false, "faithfulness": false, "hallucination": false,
	}
	if diff := cmp.Diff(want, stay); diff != "" {
		t.Errorf("of the judge, -want +got:\n%s", diff)
	}
	for _, m := range offline.Metrics() {
		if !newQuestion(offline, m).labelsStay {
			t.Errorf("%s of builtin follows the threshold", m.Name)
		}
	}
}
