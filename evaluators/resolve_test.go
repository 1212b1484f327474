package evaluators

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/google/go-cmp/cmp"
)

func testRegistry(t *testing.T) *Registry {
	t.Helper()
	r := NewRegistry()
	for _, e := range []Evaluator{
		announced{
			name: "judge",
			metrics: []Metric{
				{Name: "bias", Direction: LowerIsBetter, Threshold: 0.5},
				{Name: "toxicity", Direction: LowerIsBetter, Threshold: 0.5},
				{Name: "answer_relevancy", Threshold: 0.5, ParamNames: []string{"partial_score"}},
			},
			defaults: []string{"bias", "answer_relevancy"},
			aliases:  map[string]string{"harm": "toxicity"},
		},
		announced{
			name:     "builtin",
			metrics:  []Metric{{Name: "sentiment", SampleRate: new(0.25), Timeout: time.Second}},
			defaults: []string{"sentiment"},
		},
	} {
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// asked writes assignments as text: evaluator/kind: metric@threshold ….
func asked(as []Assignment) []string {
	var lines []string
	for _, a := range as {
		for _, k := range EvaluatedKinds() {
			ms := a.Metrics[k]
			if len(ms) == 0 {
				continue
			}
			line := fmt.Sprintf("%s/%s:", a.Evaluator.Name(), k)
			for _, m := range ms {
				line += fmt.Sprintf(" %s@%v", m.Name, m.Threshold)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func forEachKind(format string) []string {
	var lines []string
	for _, k := range EvaluatedKinds() {
		lines = append(lines, fmt.Sprintf(format, k))
	}
	return lines
}

func TestResolve(t *testing.T) {
	tests := []struct {
		plan     string
		want     []string
		warnings []string
	}{
		{"none", nil, nil},
		{"judge", forEachKind("judge/%s: bias@0.5 answer_relevancy@0.5"), nil},
		{"judge(bias)", forEachKind("judge/%s: bias@0.5"), nil},
		{"judge(Inference(toxicity,bias(threshold=0.3)))", []string{"judge/inference: toxicity@0.5 bias@0.3"}, nil},
		{"judge(LLMInvocation(bias), Agent Invocation, workflow(Relevance))", []string{
			"judge/inference: bias@0.5", "judge/agent: bias@0.5 answer_relevancy@0.5", "judge/workflow: answer_relevancy@0.5",
		}, nil},
		{"judge(relevancy)", forEachKind("judge/%s: answer_relevancy@0.5"), nil},
		{"judge(HARM)", forEachKind("judge/%s: toxicity@0.5"), nil},
		{"builtin,deepeval(inference(bias))", append(forEachKind("builtin/%s: sentiment@0"), "judge/inference: bias@0.5"), nil},

		// Strictness is the far end of the metric's own direction.
		{"judge(inference(bias(strict=true),relevance(strict=on)))", []string{"judge/inference: bias@0 answer_relevancy@1"}, nil},
		{"judge(inference(bias(strict=1,threshold=0.3)))", []string{"judge/inference: bias@0"}, nil},
		{"judge(inference(bias(strict=false,threshold=0.3)))", []string{"judge/inference: bias@0.3"}, nil},

		// Several mentions add up; the more specific place counts.
		{"judge(inference(bias)),judge(inference(toxicity),agent(bias))", []string{"judge/inference: bias@0.5 toxicity@0.5", "judge/agent: bias@0.5"}, nil},
		{
			"judge(inference(bias(threshold=0.1)),bias(threshold=0.2))",
			[]string{"judge/inference: bias@0.1", "judge/agent: bias@0.2", "judge/workflow: bias@0.2"}, nil,
		},
		{"judge(bias(threshold=0.2)),judge", forEachKind("judge/%s: bias@0.2 answer_relevancy@0.5"), nil},
		{"judge,judge(bias(threshold=0.2))", forEachKind("judge/%s: bias@0.2 answer_relevancy@0.5"), nil},
		{
			"judge(inference(bias(threshold=0.1),bias(threshold=0.4)))",
			[]string{"judge/inference: bias@0.4"},
			[]string{"evaluators, column 37: metric bias of evaluator judge is asked for twice; the last one counts"},
		},

		// What is not known disables only itself.
		{"mystery,judge(inference(bias))", []string{"judge/inference: bias@0.5"}, []string{
			`evaluators, column 1: no evaluator "mystery" (there is: judge, builtin)`,
		}},
		{"judge(inference(bias,charm))", []string{"judge/inference: bias@0.5"}, []string{
			`evaluators, column 22: evaluator judge has no metric "charm" (there is: bias, toxicity, answer_relevancy)`,
		}},
		{"judge(charm(threshold=9),inference(bias))", []string{"judge/inference: bias@0.5"}, []string{
			`evaluators, column 7: evaluator judge has no metric "charm" (there is: bias, toxicity, answer_relevancy; kinds: inference, agent, workflow)`,
		}},
		{"judge(tool(bias),inference(bias))", []string{"judge/inference: bias@0.5"}, []string{
			`evaluators, column 7: "tool" is not a kind that is evaluated (there is: inference, agent, workflow)`,
		}},
		{"judge(charm)", nil, []string{
			`evaluators, column 7: evaluator judge has no metric "charm" (there is: bias, toxicity, answer_relevancy; kinds: inference, agent, workflow)`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.plan, func(t *testing.T) {
			plan, err := Parse(tt.plan)
			if err != nil {
				t.Fatal(err)
			}
			as, warnings, err := testRegistry(t).Resolve(plan)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, asked(as)); diff != "" {
				t.Errorf("assignments -want +got:\n%s", diff)
			}
			var lines []string
			for _, w := range warnings {
				lines = append(lines, w.String())
			}
			if diff := cmp.Diff(tt.warnings, lines); diff != "" {
				t.Errorf("warnings -want +got:\n%s", diff)
			}
		})
	}
}

func TestResolveLeavesMetricsOutOfKindsTheyAreNotFor(t *testing.T) {
	inference, agent := []instrumentation.Kind{instrumentation.KindInference}, []instrumentation.Kind{instrumentation.KindAgent, instrumentation.KindWorkflow}
	r := NewRegistry()
	for _, e := range []Evaluator{
		announced{
			name: "judge",
			metrics: []Metric{
				{Name: "bias", Threshold: 0.5},
				{Name: "citations", Threshold: 0.5, Kinds: inference},
				{Name: "goal", Threshold: 0.5, Kinds: agent},
			},
			defaults: []string{"bias", "citations", "goal"},
		},
		announced{name: "own", metrics: []Metric{{Name: "plan", Threshold: 0.5, Kinds: agent}}, defaults: []string{"plan"}},
	} {
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		plan     string
		want     []string
		warnings []string
	}{
		{"judge", []string{"judge/inference: bias@0.5 citations@0.5", "judge/agent: bias@0.5 goal@0.5", "judge/workflow: bias@0.5 goal@0.5"}, nil},
		{"judge(inference)", []string{"judge/inference: bias@0.5 citations@0.5"}, nil},
		{"judge(goal(threshold=0.7))", []string{"judge/agent: goal@0.7", "judge/workflow: goal@0.7"}, nil},
		{"judge(agent(goal),inference(citations))", []string{"judge/inference: citations@0.5", "judge/agent: goal@0.5"}, nil},
		{"judge(inference(bias,goal))", []string{"judge/inference: bias@0.5"}, []string{
			"evaluators, column 22: metric goal of evaluator judge is not for that kind (it is for: agent, workflow)",
		}},
		{"own(inference)", nil, nil},
		{"own(inference(plan))", nil, []string{
			"evaluators, column 15: metric plan of evaluator own is not for that kind (it is for: agent, workflow)",
		}},
		{"judge(goal,goal)", []string{"judge/agent: goal@0.5", "judge/workflow: goal@0.5"}, []string{
			"evaluators, column 12: metric goal of evaluator judge is asked for twice; the last one counts",
		}},
	} {
		t.Run(tt.plan, func(t *testing.T) {
			plan, err := Parse(tt.plan)
			if err != nil {
				t.Fatal(err)
			}
			as, warnings, err := r.Resolve(plan)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, asked(as)); diff != "" {
				t.Errorf("assignments -want +got:\n%s", diff)
			}
			var lines []string
			for _, w := range warnings {
				lines = append(lines, w.String())
			}
			if diff := cmp.Diff(tt.warnings, lines); diff != "" {
				t.Errorf("warnings -want +got:\n%s", diff)
			}
		})
	}
}

func TestResolveLaysOptionsOverTheMetric(t *testing.T) {
	plan, err := Parse(`judge(inference(relevance(Threshold=0.9, judge=fast, model="gpt 5", timeout=1.5, sample-rate=0, OnError=yes, Partial Score=" 0.4")),agent(bias)),builtin(agent)`)
	if err != nil {
		t.Fatal(err)
	}
	r := testRegistry(t)
	as, _, err := r.Resolve(plan)
	if err != nil {
		t.Fatal(err)
	}
	want := Metric{
		Name: "answer_relevancy", Threshold: 0.9, Judge: "fast", Model: "gpt 5", Timeout: 1500 * time.Millisecond,
		SampleRate: new(0.0), OnError: true, Params: map[string]string{"partial_score": " 0.4"}, ParamNames: []string{"partial_score"},
	}
	if diff := cmp.Diff(want, as[0].Metrics[instrumentation.KindInference][0]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := as[0].Metrics[instrumentation.KindAgent][0].SampleRate; got != nil {
		t.Errorf("sample rate without an option is %v, want none, the manager's", got)
	}
	if got := as[1].Metrics[instrumentation.KindAgent][0]; *got.SampleRate != 0.25 || got.Timeout != time.Second {
		t.Errorf("announced options are gone: %+v", got)
	}

	again, _, err := r.Resolve(Plan{Evaluators: []PlanEvaluator{{Name: "judge"}}})
	if err != nil {
		t.Fatal(err)
	}
	if m := again[0].Metrics[instrumentation.KindInference][1]; m.Threshold != 0.5 || m.Params != nil {
		t.Errorf("one plan's options leak into the next: %+v", m)
	}
}

func TestResolveRefusesOptions(t *testing.T) {
	options := map[string]string{
		"threshold=abc":            `option "threshold" of metric bias is "abc", want a number from 0 to 1`,
		"threshold=1.01":           `is "1.01", want a number from 0 to 1`,
		"threshold=-0.1":           `is "-0.1", want a number from 0 to 1`,
		"threshold=NaN":            `is "NaN", want a number from 0 to 1`,
		"threshold=inf":            `is "inf", want a number from 0 to 1`,
		`threshold=""`:             `is "", want a number from 0 to 1`,
		"sample_rate=2":            `is "2", want a number from 0 to 1`,
		"strict=maybe":             `is "maybe", want true or false`,
		"on_error=2":               `is "2", want true or false`,
		"timeout=0":                `is "0", want a duration above 0`,
		"timeout=-1s":              `is "-1s", want a duration above 0`,
		"timeout=NaN":              `is "NaN", want a duration above 0`,
		"timeout=1e300":            `is "1e300", want a duration above 0`,
		"timeout=soon":             `is "soon", want a duration above 0`,
		`model=" "`:                `is " ", want the name of a model`,
		`judge=""`:                 `is "", want the name of a judge`,
		"treshold=0.5":             `metric bias has no option "treshold" (there is: threshold, strict, judge, model, timeout, sample_rate, on_error)`,
		"partial_score=1":          `metric bias has no option "partial_score"`,
		"strict=true, STRICT=true": `option "STRICT" of metric bias is given twice`,
	}
	for option, want := range options {
		t.Run(option, func(t *testing.T) {
			text := "builtin,judge(inference(toxicity,bias(" + option + ")))"
			plan, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			as, _, err := testRegistry(t).Resolve(plan)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, want) {
				t.Fatalf("got %v, want %s", err, want)
			}
			name, _, _ := strings.Cut(option[strings.LastIndex(option, ", ")+1:], "=")
			if at := strings.LastIndex(text, strings.TrimSpace(name)); syntax.Offset != at {
				t.Errorf("offset %d, want %d", syntax.Offset, at)
			}
			if as != nil {
				t.Errorf("there are assignments beside the error: %v", asked(as))
			}
		})
	}
}

func TestResolveRefusesOptionsInTheWrongPlace(t *testing.T) {
	for text, want := range map[string]string{
		"judge(agent(strict=true))": `evaluators, column 13: agent is a kind; option "strict" stands in the parentheses of a metric, near "strict=true"`,
		"judge(bias(strict))":       `evaluators, column 12: bias is a metric; expected "=" after option "strict"`,
	} {
		plan, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := testRegistry(t).Resolve(plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestEveryCommonOptionIsSet(t *testing.T) {
	for _, name := range commonOptions {
		var m Metric
		if want, _ := m.setOption(NormalizeName(name), "1"); want == "" {
			t.Errorf("option %s is listed but not known", name)
		}
	}
	if !slices.IsSortedFunc(EvaluatedKinds(), func(a, b instrumentation.Kind) int { return int(a) - int(b) }) {
		t.Error("kinds are listed out of order")
	}
}
