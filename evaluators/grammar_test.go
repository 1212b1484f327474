package evaluators

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// ignoreOffsets compares plans by what they say, not by where.
var ignoreOffsets = cmp.FilterPath(func(p cmp.Path) bool {
	return p.Last().String() == ".Offset"
}, cmp.Ignore())

func TestParse(t *testing.T) {
	metric := func(name string, options ...PlanOption) PlanMetric {
		return PlanMetric{Name: name, Options: options}
	}
	tests := []struct {
		in   string
		want Plan
	}{
		{"", Plan{Off: true}},
		{" \t\n", Plan{Off: true}},
		{"none", Plan{Off: true}},
		{" Off ", Plan{Off: true}},
		{"FALSE", Plan{Off: true}},
		{"judge", Plan{Evaluators: []PlanEvaluator{{Name: "judge"}}}},
		{"judge, builtin", Plan{Evaluators: []PlanEvaluator{{Name: "judge"}, {Name: "builtin"}}}},
		{
			"Deepeval(LLMInvocation(bias(threshold=0.75),toxicity),agent),mine",
			Plan{Evaluators: []PlanEvaluator{
				{Name: "Deepeval", Items: []PlanItem{
					{Name: "LLMInvocation", Metrics: []PlanMetric{
						metric("bias", PlanOption{Name: "threshold", Value: "0.75"}), metric("toxicity"),
					}},
					{Name: "agent"},
				}},
				{Name: "mine"},
			}},
		},
		{
			"judge(bias(threshold=0.3, strict = yes), toxicity)",
			Plan{Evaluators: []PlanEvaluator{{Name: "judge", Items: []PlanItem{
				{Name: "bias", Options: []PlanOption{{Name: "threshold", Value: "0.3"}, {Name: "strict", Value: "yes"}}},
				{Name: "toxicity"},
			}}}},
		},
		{
			" judge\n( inference (\tanswer  relevancy ( model = \"a, \\\"b\\\" \\\\ (c)\" ) ) ) ",
			Plan{Evaluators: []PlanEvaluator{{Name: "judge", Items: []PlanItem{
				{Name: "inference", Metrics: []PlanMetric{
					metric("answer relevancy", PlanOption{Name: "model", Value: `a, "b" \ (c)`}),
				}},
			}}}},
		},
		{
			"judge(bias(model=openai/gpt-4o:free v2,timeout=5s))",
			Plan{Evaluators: []PlanEvaluator{{Name: "judge", Items: []PlanItem{
				{Name: "bias", Options: []PlanOption{{Name: "model", Value: "openai/gpt-4o:free v2"}, {Name: "timeout", Value: "5s"}}},
			}}}},
		},
		{
			`judge(bias(note=""))`,
			Plan{Evaluators: []PlanEvaluator{{Name: "judge", Items: []PlanItem{
				{Name: "bias", Options: []PlanOption{{Name: "note", Value: ""}}},
			}}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, ignoreOffsets); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			again, err := Parse(got.String())
			if err != nil {
				t.Fatalf("Parse(%q): %v", got.String(), err)
			}
			if diff := cmp.Diff(got, again, ignoreOffsets); diff != "" {
				t.Errorf("written as %q, read back -want +got:\n%s", got.String(), diff)
			}
		})
	}
}

func TestParseKeepsOffsets(t *testing.T) {
	const in = "a, bé( inference(x(threshold=1)))"
	plan, err := Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	item := plan.Evaluators[1].Items[0]
	got := map[string]int{
		"bé":        plan.Evaluators[1].Offset,
		"inference": item.Offset,
		"x":         item.Metrics[0].Offset,
		"threshold": item.Metrics[0].Options[0].Offset,
	}
	for name, offset := range got {
		if !strings.HasPrefix(in[offset:], name) {
			t.Errorf("%s: offset %d is %q", name, offset, in[offset:])
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		in     string
		offset int
		msg    string
	}{
		{"judge,", 6, "expected an evaluator, found the end"},
		{",judge", 0, `expected an evaluator, found ","`},
		{"judge(bias,)", 11, `expected a kind or a metric, found ")"`},
		{"judge(bias", 5, `"(" that is not closed`},
		{"judge()", 6, `expected a kind or a metric, found ")"`},
		{"judge(bias())", 11, `expected a metric or an option, found ")"`},
		{"judge(inference(bias,))", 21, `expected a metric or an option, found ")"`},
		{"judge)", 5, `expected "," or the end, found ")"`},
		{"judge(bias))", 11, `expected "," or the end, found ")"`},
		{"judge(inference(bias(threshold)))", 30, `expected "=" after option "threshold", found ")"`},
		{"judge(bias(threshold=))", 21, `expected a value for option "threshold", found ")"`},
		{"judge(bias(threshold=0.3 0.4=1))", 28, `expected "," or ")", found "="`},
		{"judge(bias(threshold=0.3,strict))", 31, `expected "=" after option "strict", found ")"`},
		{"judge(inference(bias,threshold=1))", 21, `option "threshold" beside a metric`},
		{"judge(threshold=1)", 6, `option "threshold" without a metric`},
		{"judge=1", 5, `expected "," or the end, found "="`},
		{`judge(bias(model="x))`, 17, "a quote that is not closed"},
		{`judge(bias(model="\x"))`, 18, "a backslash"},
		{`judge(bias(model="x"y))`, 20, `expected "," or ")", found "y"`},
		{"judge(inference(bias(threshold=1(x))))", 32, `expected "," or ")", found "("`},
		{"judge/2", 5, `expected "," or the end, found "/"`},
		{"judge(é,☃)", 9, `expected a kind or a metric, found "☃"`},
		{"- _", 0, `expected an evaluator, found "-"`},
		{"none, judge", 0, `"none" turns everything off and stands alone`},
		{"judge, Off", 7, `"Off" turns everything off and stands alone`},
		{"judge\x00", 5, `expected "," or the end, found "\x00"`},
		{"judge(\xff)", 6, "the text is not valid UTF-8"},
		{strings.Repeat("a", MaxPlanLength+1), MaxPlanLength, "more than 65536"},
		{strings.Repeat("(", MaxPlanLength), 0, `expected an evaluator, found "("`},
		{"a" + strings.Repeat("(b", MaxPlanLength/2-1), 7, `expected "=" after option "b", found "("`},
	}
	for _, tt := range tests {
		name := tt.in
		if len(name) > 40 {
			name = name[:40]
		}
		t.Run(name, func(t *testing.T) {
			_, err := Parse(tt.in)
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("got %v, want a *SyntaxError", err)
			}
			if syntax.Offset != tt.offset || !strings.Contains(syntax.Msg, tt.msg) {
				t.Errorf("got %d: %s\nwant %d: %s", syntax.Offset, syntax.Msg, tt.offset, tt.msg)
			}
			if line := err.Error(); strings.ContainsAny(line, "\n\x00") || !utf8.ValidString(line) || len(line) > 300 {
				t.Errorf("not one short line: %q", line)
			}
		})
	}
}

func TestSyntaxErrorSaysWhere(t *testing.T) {
	_, err := Parse("builtin,judge(inference(bias(threshold=0.5)),agent(toxicity,))")
	const want = `evaluators, column 61: expected a metric or an option, found ")", near "….5)),agent(toxicity,))"`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "none", "judge", "judge,builtin", "judge(inference(bias(threshold=0.3)),agent)",
		`x(y(a="\"\\",b=c d))`, "deepeval(LLMInvocation(bias,toxicity))", "a(b", "a(b,)", "é(\u2028)", "a(b(c(d)))",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plan, err := Parse(s)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(s) {
				t.Fatalf("Parse(%q): %#v", s, err)
			}
			if line := err.Error(); strings.ContainsRune(line, '\n') || !utf8.ValidString(line) {
				t.Fatalf("Parse(%q): %q is not one line", s, line)
			}
			return
		}
		again, err := Parse(plan.String())
		if err != nil {
			t.Fatalf("Parse(%q) is written as %q: %v", s, plan.String(), err)
		}
		if diff := cmp.Diff(plan, again, ignoreOffsets); diff != "" {
			t.Fatalf("Parse(%q) is written as %q, read back -want +got:\n%s", s, plan.String(), diff)
		}
	})
}
