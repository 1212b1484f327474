package genaievals_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
)

// politeness is a metric of the application's own, in a file's text.
const politeness = `
  - name: politeness
    question: Is the output polite?
    direction: higher_is_better
    threshold: 0.5
    labels:
      - {name: polite, score: 1}
      - {name: rude, score: 0}
`

func rubricsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "metrics.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func friendliness() judge.Rubric {
	return judge.Rubric{
		Name: "friendliness", Question: "Is the output friendly?", Threshold: 0.5,
		Labels: []judge.RubricLabel{{Name: "friendly", Score: 1}, {Name: "cold", Score: 0}},
	}
}

// Rubrics are metrics of every judge, whatever is wrong with others beside
// them, which are off with a warning each.
func TestRubricsOfAFile(t *testing.T) {
	for name, tt := range map[string]struct {
		file    string // empty: there is none
		plan    string
		options []genaievals.Option
		want    string
		warns   []string // a part of each warning
	}{
		"by default": {
			file: "rubrics:" + politeness, plan: "judge",
			want: "judge answer_relevancy scored, judge bias scored, judge faithfulness skipped, judge politeness scored, judge toxicity scored",
		},
		"named, of two judges": {
			file: "rubrics:" + politeness, plan: "judge(politeness),fast(inference(Politeness(threshold=0.9)))",
			want: "fast politeness scored, judge politeness scored",
		},
		"moved to another judge": {
			file: "rubrics:" + politeness, plan: "judge(politeness(judge=fast),bias)", want: "fast politeness scored, judge bias scored",
		},
		"a sound one beside others": {
			file: "rubrics:" + politeness + "  - name: bias\n    question: x\n  - {question: y, colour: red}\n", plan: "judge(politeness)",
			want: "judge politeness scored", warns: []string{"metrics.yaml:"},
		},
		"one that is not there": {
			file: "rubrics:" + politeness, plan: "judge(politeness,grace)", want: "judge politeness scored", warns: []string{"politeness"},
		},
		"one that nothing asks": {
			file: "rubrics:" + politeness, plan: "judge(bias)", want: "judge bias scored", warns: []string{"politeness"},
		},
		"not even a judge": {
			file: "rubrics:" + politeness, plan: "builtin(sentiment)", want: "builtin sentiment skipped", warns: []string{"politeness"},
		},
		"a file that is no YAML": {file: "rubrics: [", plan: "judge(bias)", want: "judge bias scored", warns: []string{"metrics.yaml:1:"}},
		"no file":                {plan: "judge(bias)", want: "judge bias scored", warns: []string{"RUBRICS"}},
		"beside one of an option": {
			file: "rubrics:" + politeness, plan: "judge(politeness,friendliness)",
			options: []genaievals.Option{genaievals.WithRubrics(friendliness())},
			want:    "judge friendliness scored, judge politeness scored",
		},
		"below one of an option": {
			file: "rubrics:" + strings.Replace(politeness, "politeness", "friendliness", 1), plan: "judge",
			options: []genaievals.Option{genaievals.WithRubrics(friendliness()), genaievals.WithEvaluators("judge(friendliness)")},
			want:    "judge friendliness scored", warns: []string{"which counts"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := judgeServer(t)
			path := filepath.Join(t.TempDir(), "there is no such file.yaml")
			if tt.file != "" {
				path = rubricsFile(t, tt.file)
			}
			setenv(t, map[string]string{
				"JUDGE_BASE_URL": server.URL, "JUDGE_MODEL": "m", "JUDGES": "fast", "JUDGE_FAST_MODEL": "small",
				"EVALUATORS": tt.plan, "RUBRICS": path,
			})
			var log logged
			_, lines := evaluateOne(t, append(tt.options, log.option())...)
			if got := strings.Join(lines, ", "); got != tt.want {
				t.Errorf("results are %q, want %q", got, tt.want)
			}
			said := strings.Join(log.lines("WARN"), "")
			for _, part := range tt.warns {
				if !strings.Contains(said, part) {
					t.Errorf("said %q, which lacks %q", said, part)
				}
			}
			if unexpected := strings.Contains(said, "RUBRICS"); unexpected != (len(tt.warns) > 0 && name != "one that is not there") {
				t.Errorf("said of the rubrics: %q", said)
			}
		})
	}
}

// Each problem is a line that says where it is, and what is sound stays.
func TestEveryProblemOfARubricsFileIsOneLine(t *testing.T) {
	path := rubricsFile(t, "rubrics:"+politeness+`
  - name: tone
    question: Which tone?
    direction: sideways
    threshold: 0.5
    labels: [{name: a, score: 7}, {name: b, score: 0}]
`)
	setenv(t, map[string]string{"EVALUATORS": "judge(politeness)", "RUBRICS": path})
	var log logged
	evals := startWith(t, log.option(), genaievals.WithJudgeClient(refusing{}))
	said := log.lines("WARN")
	var places []string
	for _, line := range said {
		if !strings.Contains(line, "variable=OTEL_INSTRUMENTATION_GENAI_EVALS_RUBRICS") || !strings.Contains(line, "tone") {
			t.Errorf("said %q", line)
		}
		_, rest, _ := strings.Cut(line, "metrics.yaml:")
		place, _, _ := strings.Cut(rest, ": ")
		places = append(places, place)
	}
	if diff := cmp.Diff([]string{"12:16", "14:31"}, places); diff != "" {
		t.Errorf("problems at -want +got:\n%s\n%q", diff, said)
	}
	if metrics := evals.Status().Lanes[0].Evaluators[0].Metrics; len(metrics) != 1 || metrics[0].Name != "politeness" {
		t.Errorf("what runs is %+v", metrics)
	}
}

// refusing is a judge's client that fails.
type refusing struct{}

func (refusing) Complete(context.Context, judge.Request) (judge.Response, error) {
	return judge.Response{}, &judge.Error{Type: "judge_unavailable"}
}

func TestABadRubricsFileOfAnOptionStartsNothing(t *testing.T) {
	path := rubricsFile(t, "rubrics:"+politeness+"  - {name: tone}\n")
	evals, err := genaievals.Start(context.Background(), genaievals.WithRubricsFile(path), genaievals.WithHandler(instrumentation.NewHandler()))
	if err == nil || !strings.Contains(err.Error(), "WithRubricsFile") || !strings.Contains(err.Error(), "metrics.yaml:9:") {
		_ = evals.Shutdown(context.Background())
		t.Errorf("the error is %v", err)
	}
}
