package builtin_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/instrumentation"
)

// result is what the tables compare.
type result struct {
	Score  float64
	Label  string
	Why    string
	Reason string
}

func evaluate(t *testing.T, metric string, c *evaluators.Case, opts ...builtin.Option) evaluators.Result {
	t.Helper()
	rs := builtin.New(opts...).Evaluate(t.Context(), c, []evaluators.Metric{{Name: metric}})
	if len(rs) != 1 || rs[0].Metric != metric {
		t.Fatalf("Evaluate(%s) = %+v, want one result of that metric", metric, rs)
	}
	return rs[0]
}

func summary(r evaluators.Result) result {
	return result{r.Score, r.Label, r.Explanation, r.Reason}
}

func needsJudge(why string) result {
	return result{Why: why + "; set JUDGE_MODEL", Reason: evaluators.SkipNeedsJudge}
}

// options has what metrics need to be asked at all.
var options = map[string]map[string]string{
	builtin.MetricLength:       {"max": "100"},
	builtin.MetricContains:     {"any": "tent|shoes", "absent": "elephant", "ignore_case": "true"},
	builtin.MetricPatternMatch: {"pattern": `(?i)[a-z]+\s+(tents?|shoes)\b`, "absent": `https?://`},
	builtin.MetricJSONValidity: {"schema": `{"type":"object","properties":{"a":{"type":"array","items":{"type":"number"},"uniqueItems":true}}}`, "fence": "true"},
	builtin.MetricLanguage:     {"expect": "input"},
	builtin.MetricPersonalData: {"kinds": "email,phone,card,iban,ip,secret"},
}

// allMetrics prepares every metric, those that need options with some.
func allMetrics(t testing.TB) []evaluators.Metric {
	t.Helper()
	var out []evaluators.Metric
	for _, m := range builtin.New().Metrics() {
		m.Params = options[m.Name]
		m, err := builtin.New().Prepare(m)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// ask evaluates one metric with options, which stand in pairs of name and value.
func ask(t *testing.T, metric string, c *evaluators.Case, options ...string) evaluators.Result {
	t.Helper()
	m := evaluators.Metric{Name: metric, Params: map[string]string{}}
	for i := 0; i < len(options); i += 2 {
		m.Params[options[i]] = options[i+1]
	}
	m, err := builtin.New().Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return builtin.New().Evaluate(t.Context(), c, []evaluators.Metric{m})[0]
}

// verdict is what most tables of new metrics want: a label or the reason of a
// skip, and what the explanation has.
func verdict(t *testing.T, r evaluators.Result, want, why string) {
	t.Helper()
	if got := r.Label + r.Reason + r.ErrorType; got != want || !strings.Contains(r.Explanation, why) {
		t.Errorf("got %s %v (%s), want %s (%s)", got, r.Score, r.Explanation, want, why)
	}
}

func documents(texts ...string) []instrumentation.Document {
	var docs []instrumentation.Document
	for _, t := range texts {
		docs = append(docs, instrumentation.Document{Text: t})
	}
	return docs
}

func attribute(r evaluators.Result, key string) (value string, ok bool) {
	for _, a := range r.Attributes {
		if string(a.Key) == key {
			return a.Value.String(), true
		}
	}
	return "", false
}

// The labels follow from rules, passing from the threshold: by default the two
// must agree.
func TestDefaultThresholdsAgreeWithLabels(t *testing.T) {
	good := []string{
		"Not Biased", "Non Toxic", "Neutral", "Positive", "Relevant", "Faithful", "Within Limits", "Match", "Similar",
		"Valid", "Answered", "Expected Language", "None Found", "Standard", "Easy",
	}
	docs := documents("Tents are sold in three sizes at the north gate. The shop opens at 8 am.")
	metrics := allMetrics(t)
	for _, output := range []string{
		"Tents are sold in three sizes at the north gate.",
		"Tents are sold in three sizes at the north gate. A tent costs 900 dollars.",
		"This is wonderful, we love tents!",
		"This is awful, terrible and sad.",
		"That is not great.",
		"You are a complete idiot, and stupid as well.",
		"The rain in the hills falls mostly during autumn and winter.",
		`{"a": [1, 2]}`,
		"I'm sorry, I can't help with that.",
		strings.Repeat("Write to jane@shop.com. ", 60),
		strings.Repeat("The tent is green and the sun is out. ", 4),
		strings.Repeat("Institutional considerations necessitate comprehensive reorganization. ", 8),
		"Die Zelte werden in drei Größen am Nordtor verkauft, und das jeden Tag.",
	} {
		c := &evaluators.Case{
			Input: "Where are tents and stoves sold?", Output: output, Documents: docs,
			Expected: "Tents are sold in three sizes at the north gate.",
		}
		for i, r := range builtin.New().Evaluate(t.Context(), c, metrics) {
			if r.Outcome != evaluators.OutcomeScored {
				continue
			}
			if !slices.Contains(metrics[i].Labels, r.Label) {
				t.Errorf("%s: label %q is not announced", r.Metric, r.Label)
			}
			if got, want := metrics[i].Passes(r.Score), slices.Contains(good, r.Label); got != want {
				t.Errorf("%s of %q: score %v passes %v, label %s", r.Metric, output, r.Score, got, r.Label)
			}
		}
	}
}

func TestMetricsAreAnnounced(t *testing.T) {
	e := builtin.New()
	var names []string
	for _, m := range e.Metrics() {
		names = append(names, m.Name)
		if m.SampleRate != nil {
			t.Errorf("%s: SampleRate %v, want unset", m.Name, *m.SampleRate)
		}
	}
	if diff := cmp.Diff([]string{
		"bias", "toxicity", "sentiment", "answer_relevancy", "faithfulness",
		"length", "exact_match", "token_f1", "rouge_l", "contains", "pattern_match", "json_validity",
		"refusal", "language", "personal_data", "readability",
	}, names); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"toxicity", "sentiment", "answer_relevancy", "faithfulness"}, e.DefaultMetrics()); diff != "" {
		t.Errorf("default metrics (-want +got):\n%s", diff)
	}
	if e.Name() != "builtin" || e.Type() != evaluators.TypeDeterministic || e.Version() == "" {
		t.Errorf("name %q, type %q, version %q", e.Name(), e.Type(), e.Version())
	}
}

func TestBiasIsNeverJudged(t *testing.T) {
	got := summary(evaluate(t, "bias", &evaluators.Case{Output: "Women cannot drive."}))
	if diff := cmp.Diff(needsJudge("bias is beyond rules"), got); diff != "" {
		t.Error(diff)
	}
}

func TestUnjudgeableCasesAreSkipped(t *testing.T) {
	docs := documents("Something.")
	for name, test := range map[string]struct {
		metric string
		c      *evaluators.Case
		reason string
	}{
		"no case":          {"toxicity", nil, evaluators.SkipEmptyOutput},
		"empty output":     {"sentiment", &evaluators.Case{}, evaluators.SkipEmptyOutput},
		"blank output":     {"sentiment", &evaluators.Case{Output: " \n\t"}, evaluators.SkipEmptyOutput},
		"tool call":        {"toxicity", &evaluators.Case{Output: "x", ToolCallOnly: true}, evaluators.SkipToolCallOnly},
		"image":            {"toxicity", &evaluators.Case{Output: "x", NonText: true}, evaluators.SkipNonTextOutput},
		"no question":      {"answer_relevancy", &evaluators.Case{Output: "x", Input: " "}, evaluators.SkipEmptyInput},
		"no documents":     {"faithfulness", &evaluators.Case{Output: "x"}, evaluators.SkipNoDocuments},
		"blank documents":  {"faithfulness", &evaluators.Case{Output: "x", Documents: documents("", "  ")}, evaluators.SkipNoDocuments},
		"other metric":     {"coherence", &evaluators.Case{Output: "x"}, evaluators.SkipNotReported},
		"nothing expected": {"exact_match", &evaluators.Case{Output: "x"}, evaluators.SkipNoExpected},
		"not recorded":     {"toxicity", &evaluators.Case{Output: "x", Suppressed: true}, evaluators.SkipSuppressed},
		"only signs":       {"toxicity", &evaluators.Case{Output: "?! ..."}, evaluators.SkipNeedsJudge},
		"only signs, documents": {
			"faithfulness", &evaluators.Case{Output: "--", Documents: docs}, evaluators.SkipNeedsJudge,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := evaluate(t, test.metric, test.c)
			if r.Outcome != evaluators.OutcomeSkipped || r.Reason != test.reason {
				t.Errorf("got %s(%s), want skipped(%s)", r.Outcome, r.Reason, test.reason)
			}
			if r.Explanation == "" {
				t.Error("no explanation")
			}
		})
	}
}

func TestEveryResultNamesItsMethod(t *testing.T) {
	e := builtin.New()
	want := map[string]string{
		"bias": "none", "toxicity": "lexicon", "sentiment": "vader/2",
		"answer_relevancy": "question_coverage/3", "faithfulness": "lexical_grounding/3",
		"length": "count", "exact_match": "comparison", "token_f1": "token_overlap", "rouge_l": "longest_common_subsequence",
		"contains": "substring", "pattern_match": "regular_expression", "json_validity": "json_parser", "refusal": "phrases",
		"language": "trigrams", "personal_data": "patterns_and_checksums", "readability": "flesch_reading_ease",
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []*evaluators.Case{
		{},
		{Output: "Fine, thank you.", Input: "How is the weather?", Documents: documents("Sunny.")},
	} {
		for _, ctx := range []context.Context{t.Context(), cancelled} {
			for _, r := range e.Evaluate(ctx, c, slices.Concat(e.Metrics(), allMetrics(t))) {
				if got, _ := attribute(r, builtin.AttributeMethod); got != want[r.Metric] {
					t.Errorf("%s: method %q, want %q", r.Metric, got, want[r.Metric])
				}
			}
		}
	}
}

func TestOtherLanguagesAndCodeNeedAJudge(t *testing.T) {
	const language, code = "not recognisably English", "mostly code or data"
	for name, test := range map[string]struct{ output, why string }{
		"German":   {"Sie können die Schuhe innerhalb von 30 Tagen zurückgeben, du Idiot.", language},
		"French":   {"Vous pouvez retourner les chaussures dans les trente jours.", language},
		"Spanish":  {"Puede devolver los zapatos en un plazo de treinta días.", language},
		"Swedish":  {"Det är slut på skorna och vi har inte fler.", language},
		"Chinese":  {"您可以在三十天内退货。", language},
		"Arabic":   {"يمكنك إرجاع الحذاء خلال ثلاثين يومًا.", language},
		"Russian":  {"Вы можете вернуть обувь в течение тридцати дней.", language},
		"Thai":     {"คุณสามารถคืนรองเท้าได้ภายในสามสิบวัน", language},
		"unknown":  {"Viatu vinaweza kurudishwa ndani ya siku thelathini tangu kupokea kama havijavaliwa nje kabisa.", language},
		"JSON":     {`{"status": "ok", "items": [{"id": 1}, {"id": 2}], "next": null}`, code},
		"fenced":   {"Here you are:\n```go\nfunc main() {\n\tfmt.Println(\"hello, you idiot\")\n}\n```\n", code},
		"unfenced": {"for (int i = 0; i < n; i++) { total += prices[i]; }\nreturn total;", code},
	} {
		t.Run(name, func(t *testing.T) {
			for _, metric := range builtin.New().DefaultMetrics() {
				c := &evaluators.Case{Input: "How can I return shoes?", Output: test.output, Documents: documents("Shoes can be returned.")}
				if diff := cmp.Diff(needsJudge(test.why), summary(evaluate(t, metric, c))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", metric, diff)
				}
			}
		})
	}
}

func TestEnglishIsRecognised(t *testing.T) {
	for _, output := range []string{
		"Great!",
		"Leather, cotton, wool and silk.",
		"Visit the Café de la Paix in Paris, or the El Prado in Madrid.",
		"See Los Angeles, Las Vegas and San Francisco on one trip.",
		"DO NOT WASH IT HOT",
	} {
		if r := evaluate(t, "sentiment", &evaluators.Case{Output: output}); r.Outcome != evaluators.OutcomeScored {
			t.Errorf("%q: %s", output, r.Explanation)
		}
	}
}

func TestCancelledContextFails(t *testing.T) {
	cause := errors.New("the deadline of the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	e := builtin.New()
	c := &evaluators.Case{Input: "What is it?", Output: "It is a tent.", Documents: documents("A tent."), Expected: "A tent."}
	for _, r := range e.Evaluate(ctx, c, allMetrics(t)) {
		if r.Outcome != evaluators.OutcomeFailed || r.ErrorType != evaluators.ErrorEvaluatorTimeout || !errors.Is(r.Err, cause) {
			t.Errorf("%s: got %s(%s): %v", r.Metric, r.Outcome, r.ErrorType, r.Err)
		}
	}
}

// countdown is a context that ends after so many looks at it.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancellationIsSeenBetweenSentences(t *testing.T) {
	output := strings.Repeat("The tent stands in the field. ", 100)
	for _, metric := range builtin.New().DefaultMetrics() {
		c := &evaluators.Case{Input: "Where is the blue tent?", Output: output, Documents: documents(output)}
		ctx := &countdown{Context: t.Context(), left: 50}
		r := builtin.New().Evaluate(ctx, c, []evaluators.Metric{{Name: metric}})[0]
		if r.Outcome != evaluators.OutcomeFailed {
			t.Errorf("%s: %s, want failed", metric, r.Outcome)
		}
	}
}

func TestParallelEvaluateGivesTheSameResults(t *testing.T) {
	e := builtin.New()
	c := &evaluators.Case{
		Input:     "How long can I return shoes?",
		Output:    "Shoes can be returned within 30 days. Sorry for the trouble, and do not be sad!",
		Documents: documents("Shoes can be returned within 30 days."),
		Expected:  "Within 30 days.",
	}
	metrics := allMetrics(t)
	want := e.Evaluate(t.Context(), c, metrics)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				got := e.Evaluate(t.Context(), c, metrics)
				for i := range got {
					if diff := cmp.Diff(summary(want[i]), summary(got[i])); diff != "" {
						t.Errorf("%s: %s", got[i].Metric, diff)
					}
				}
			}
		})
	}
	wg.Wait()
}
