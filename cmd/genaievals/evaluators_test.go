package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

const brandRubric = `rubrics:
  - name: on_brand
    question: Does the output sound like us?
    default: false
    threshold: 0.6
    direction: higher_is_better
    labels:
      - {name: full, score: 1, label: On Brand}
      - {name: partial, score: 0.5, label: Mixed}
      - {name: none, score: 0, label: Off Brand}
  - name: clarity
    question: How clear is the output?
    threshold: 3
    direction: higher_is_better
    scale: {min: 1, max: 5}
`

// twoJudges is an environment with a judge and one called fast.
func twoJudges(t *testing.T, plan string, answers ...judgetest.ServerOption) (first, fast *judgetest.Server) {
	t.Helper()
	first, fast = judgetest.NewServer(answers...), judgetest.NewServer(answers...)
	t.Cleanup(first.Close)
	t.Cleanup(fast.Close)
	setenv(t, map[string]string{
		"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": first.URL, "JUDGES": "fast", "EVALUATORS": plan,
	})
	t.Setenv(envconfig.JudgePrefix("fast")+"MODEL", "small")
	t.Setenv(envconfig.JudgePrefix("fast")+"BASE_URL", fast.URL)
	t.Setenv(envconfig.JudgePrefix("fast")+"API_KEY", "k")
	return first, fast
}

// The judge that the application asks is the one that is calibrated, or none.
func TestMetricOfAnotherJudgeIsNotAskedOfTheFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		plan  string
		args  []string
		code  int
		says  []string
		calls int // of the first judge
	}{
		"the only metric": {"judge(bias(judge=fast))", nil, exitUsage, []string{"bias is asked of fast; use --evaluator fast"}, 0},
		"the metric wanted": {
			"judge(bias(judge=fast),sentiment)", []string{"--metrics", "bias"}, exitUsage, []string{"bias is asked of fast; use --evaluator fast"}, 0,
		},
		"a gate on it": {
			"judge(bias(judge=fast),sentiment)", []string{"--min-kappa", "bias=0.1"}, exitUsage, []string{"bias is asked of fast; use --evaluator fast"}, 0,
		},
		"one of two": {
			"judge(bias(judge=fast),sentiment)", nil, exitFine,
			[]string{"2 evaluated of 2", "left out: bias is asked of fast", "judge is calibrated, and not fast"}, 2,
		},
		"the other judge":     {"judge(bias(judge=fast))", []string{"--evaluator", "fast", "--metrics", "bias"}, exitFine, []string{"fast (llm_judge"}, 0},
		"said so, for itself": {"judge(bias(judge=fast))", []string{"--evaluator", "judge", "--metrics", "bias"}, exitFine, []string{"judge (llm_judge"}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			first, _ := twoJudges(t, tt.plan)
			execute(t, fewSamples(), append([]string{"calibrate"}, tt.args...)...).want(t, tt.code, tt.says...)
			if first.Count() != tt.calls {
				t.Errorf("the first judge was asked %d times, want %d", first.Count(), tt.calls)
			}
		})
	}
}

func TestWhichEvaluatorIsCalibratedIsSaid(t *testing.T) {
	setenv(t, map[string]string{"EVALUATORS": "builtin,judge", "JUDGE_MODEL": "m", "JUDGE_API_KEY": "k"})
	execute(t, fewSamples(), "calibrate").want(t, exitFine, "builtin is calibrated, and not judge, which EVALUATORS names too")
	help := execute(t, fewSamples(), "calibrate", "--help")
	help.want(t, exitFine, "the first that EVALUATORS names")
}

func TestElsewhere(t *testing.T) {
	for text, tt := range map[string]struct {
		judges map[string]string
		here   bool
	}{
		"judge":                                               {nil, true},
		"judge(bias(judge=fast))":                             {map[string]string{"bias": "fast"}, false},
		"judge(relevance(judge=fast),bias)":                   {map[string]string{"answerrelevancy": "fast"}, true},
		"judge(bias(judge=Judge))":                            {map[string]string{}, true},
		"judge(inference(bias),agent(bias(judge=fast)))":      {map[string]string{}, true},
		"judge(inference,agent(bias(judge=fast)))":            {nil, true},
		"judge(bias(judge=fast)),builtin(toxicity)":           {map[string]string{"bias": "fast"}, false},
		"judge(bias(judge=fast)),fast(toxicity(judge=judge))": {map[string]string{"bias": "fast"}, true},
	} {
		plan, err := evaluators.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		judges, here := elsewhere(plan, "judge")
		if diff := cmp.Diff(tt.judges, judges); diff != "" || here != tt.here {
			t.Errorf("%s: here %v, -want +got:\n%s", text, here, diff)
		}
	}
}

// JUDGE_MODE is the application's: what it asks together is asked together, also
// with --metrics, which only says whose verdicts are kept.
func TestCombinedModeOfTheEnvironmentIsAsked(t *testing.T) {
	server := judgetest.NewServer()
	t.Cleanup(server.Close)
	env := map[string]string{"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": server.URL, "EVALUATORS": "judge(bias,toxicity)"}
	for mode, says := range map[string]string{"combined": "asked in one call, as the application has it, of a case to which they apply: bias,", "per_metric": "10 calls for 10"} {
		env["JUDGE_MODE"] = mode
		setenv(t, env)
		before := len(server.Requests())
		r := execute(t, fewSamples(), "calibrate", "--metrics", "bias")
		r.want(t, exitFine, "10 evaluated of 10", says)
		for _, request := range server.Requests()[before:] {
			if both := strings.Contains(strings.ToLower(request.System), "toxic"); both != (mode == "combined") {
				t.Fatalf("%s: toxicity is asked too: %v", mode, both)
			}
		}
	}
}

// A metric that is off because its file is broken must not pass a gate unseen.
func TestBrokenRubricsAreNoReasonToPass(t *testing.T) {
	row := `{"id":"a","metric":"on_brand","label":"1","output":"x"}` + "\n"
	own := file(t, "own.jsonl", ownRow+row)
	for name, tt := range map[string]struct {
		rubrics string
		args    []string
		says    string
	}{
		"a problem in the file":           {brandRubric + "    colour: red\n", nil, "RUBRICS: "},
		"a metric that is not asked":      {"", []string{"--min-coverage", "0"}, "samples of metrics that are not asked: on_brand"},
		"a gate on one, none on the rest": {"", []string{"--min-coverage", "sentiment=0"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{}
			if tt.rubrics != "" {
				env["RUBRICS"] = file(t, "rubrics.yaml", tt.rubrics)
			}
			setenv(t, env)
			code := exitUsage
			if tt.says == "" {
				code = exitFine
			}
			execute(t, fewSamples(), append([]string{"calibrate", own}, tt.args...)...).want(t, code, tt.says)
		})
	}
}

// A rubric has rates and a threshold without a label called Fail, 1 and 0 are
// labels of its, and its threshold is told on its own scale.
func TestRubricIsCalibratedLikeAnyMetric(t *testing.T) {
	server := judgetest.NewServer(
		judgetest.WithAnswers("on_brand", judgetest.Label("full", ""), judgetest.Label("none", ""), judgetest.Label("partial", ""), judgetest.Label("full", "")),
		judgetest.WithAnswers("clarity", judgetest.Score(5, ""), judgetest.Score(2, ""), judgetest.Score(3, ""), judgetest.Score(1, "")))
	t.Cleanup(server.Close)
	var b strings.Builder
	for i, label := range []string{"On Brand", "Off Brand", "Mixed", "0"} {
		fmt.Fprintf(&b, `{"id":"b%d","metric":"on_brand","label":%q,"output":"Answer %d."}`+"\n", i, label, i)
	}
	for i, label := range []string{"0", "true", "false", "1"} {
		fmt.Fprintf(&b, `{"id":"c%d","metric":"clarity","label":%s,"output":"Answer %d."}`+"\n", i, label, i)
	}
	setenv(t, map[string]string{
		"JUDGE_MODEL": "m", "JUDGE_API_KEY": "k", "JUDGE_BASE_URL": server.URL,
		"RUBRICS": file(t, "rubrics.yaml", brandRubric),
	})
	r := execute(t, fewSamples(), "calibrate", file(t, "own.jsonl", b.String()), "--concurrency", "1", "--min-kappa", "0.9")
	r.want(t, exitFine,
		"threshold 0.5 (3 on 1 to 5)", "area under the curve   1.000", "0.5 (3 on the scale) agrees on 100.0%",
		"labels stay; passed would agree on 100.0% at 0.6, and nowhere on more (Mixed or Off", "true positive rate    100.0%  [34.2%, 100.0%]  2 of 2")
	if strings.Contains(r.stderr, "asks no judge for these rubrics") {
		t.Errorf("a warning of what is asked: %v", r)
	}
}
