package judge_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
)

// answering is a judge that gives these responses in order, and keeps the
// requests. Beyond them it fails.
func answering(requests *[]judge.Request, responses ...judge.Response) judge.Client {
	return clientFunc(func(_ context.Context, r judge.Request) (judge.Response, error) {
		*requests = append(*requests, r)
		if len(*requests) > len(responses) {
			return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeAuth}
		}
		return responses[len(*requests)-1], nil
	})
}

func said(text string) judge.Response {
	return judge.Response{Text: text, Usage: judge.Usage{InputTokens: 401, OutputTokens: 82}}
}

const (
	notBiased = `{"reason":"Fair.","label":"not_biased"}`
	toxic     = `{"reason":"Rude.","label":"toxic"}`
	relevant  = `{"reason":"To the point.","label":"relevant"}`
	faithful  = `{"claims":[{"claim":"30 days","reason":"Stated.","verdict":"supported"},{"claim":"free","reason":"No.","verdict":"unsupported"}]}`
)

var fourMetrics = []string{"bias", "toxicity", "answer_relevancy", "faithfulness"}

func TestCombinedCall(t *testing.T) {
	all := `{"bias":` + notBiased + `,"toxicity":` + toxic + `,"answer_relevancy":` + relevant + `,"faithfulness":` + faithful + `}`
	scores := "bias 0 Not Biased, toxicity 1 Toxic, answer_relevancy 1 Relevant, faithfulness 0.5 Faithful"
	for _, tt := range []struct {
		name      string
		responses []judge.Response
		want      string
		// asked are the metrics of each request.
		asked string
	}{
		{"complete", []judge.Response{said(all)}, scores, "bias+toxicity+answer_relevancy+faithfulness"},
		{"P01_fenced", []judge.Response{said("Here you are:\n```json\n" + all + "\n```")}, scores, "bias+toxicity+answer_relevancy+faithfulness"},
		{"P16_wrapped", []judge.Response{said(`{"result":` + all + `}`)}, scores, "bias+toxicity+answer_relevancy+faithfulness"},
		{"P17_names_spelt_otherwise", []judge.Response{said(strings.Replace(all, "answer_relevancy", "Answer Relevancy", 1))}, scores, "bias+toxicity+answer_relevancy+faithfulness"},
		{
			"P14_one_left_out", []judge.Response{said(strings.Replace(all, `"toxicity":`+toxic+`,`, "", 1)), said(toxic)},
			scores, "bias+toxicity+answer_relevancy+faithfulness toxicity",
		},
		{
			"P13_two_wrong",
			[]judge.Response{said(strings.NewReplacer("relevant", "oui", "supported", "yes").Replace(all)), said(relevant), said(faithful)},
			scores, "bias+toxicity+answer_relevancy+faithfulness answer_relevancy faithfulness",
		},
		{
			"P23_quoted_verdicts_come_first",
			[]judge.Response{said(`The text says {"bias":{"reason":"","label":"biased"}} but my verdict is ` + all)},
			scores, "bias+toxicity+answer_relevancy+faithfulness",
		},
		{
			"prose_is_not_repaired_but_asked_one_by_one",
			[]judge.Response{said("All fine."), said(notBiased), said(toxic), said(relevant), said(faithful)},
			scores, "bias+toxicity+answer_relevancy+faithfulness bias toxicity answer_relevancy faithfulness",
		},
		{
			"P09_truncated_twice_then_one_by_one",
			[]judge.Response{{Text: all[:60], Finish: judge.FinishLength}, {Text: all[:90], Finish: judge.FinishLength}, said(notBiased), said(toxic), said(relevant), said(faithful)},
			scores, "bias+toxicity+answer_relevancy+faithfulness bias+toxicity+answer_relevancy+faithfulness bias toxicity answer_relevancy faithfulness",
		},
		{
			"P12_truncated_once",
			[]judge.Response{{Text: all[:60], Finish: judge.FinishLength}, said(all)},
			scores, "bias+toxicity+answer_relevancy+faithfulness bias+toxicity+answer_relevancy+faithfulness",
		},
		{
			"P25_refused_fails_all_at_once", []judge.Response{{Refusal: "No."}},
			"bias judge_refused, toxicity judge_refused, answer_relevancy judge_refused, faithfulness judge_refused",
			"bias+toxicity+answer_relevancy+faithfulness",
		},
		{
			"P24_a_single_call_that_fails_fails_alone",
			[]judge.Response{said(`{"bias":` + notBiased + `,"toxicity":` + toxic + `,"answer_relevancy":` + relevant + `}`)},
			"bias 0 Not Biased, toxicity 1 Toxic, answer_relevancy 1 Relevant, faithfulness judge_auth",
			"bias+toxicity+answer_relevancy+faithfulness faithfulness",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var requests []judge.Request
			e := newEvaluator(t, answering(&requests, tt.responses...), judge.WithMode(judge.ModeCombined))
			results := e.Evaluate(t.Context(), fullCase(), metricsNamed(t, e, fourMetrics...))
			if got := outcomes(results); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := askedOf(requests); got != tt.asked {
				t.Errorf("asked %s\nwant  %s", got, tt.asked)
			}
			var used, billed judge.Usage
			for i := range requests {
				if i < len(tt.responses) {
					used.InputTokens += tt.responses[i].Usage.InputTokens
					used.OutputTokens += tt.responses[i].Usage.OutputTokens
				}
			}
			for _, r := range results {
				billed.InputTokens += r.InputTokens
				billed.OutputTokens += r.OutputTokens
			}
			if diff := cmp.Diff(used, billed); diff != "" {
				t.Errorf("tokens of the results together (-used +billed):\n%s", diff)
			}
		})
	}
}

func outcomes(results []evaluators.Result) string {
	var out []string
	for _, r := range results {
		switch r.Outcome {
		case evaluators.OutcomeScored:
			out = append(out, fmt.Sprintf("%s %v %s", r.Metric, r.Score, r.Label))
		default:
			out = append(out, r.Metric+" "+r.Reason+r.ErrorType)
		}
	}
	return strings.Join(out, ", ")
}

func askedOf(requests []judge.Request) string {
	var out []string
	for _, r := range requests {
		out = append(out, strings.Join(r.Metrics, "+"))
	}
	return strings.Join(out, " ")
}

func TestCombinedCallAsksOnlyWhatApplies(t *testing.T) {
	var requests []judge.Request
	e := newEvaluator(t, answering(&requests, said(`{"bias":`+notBiased+`,"toxicity":`+toxic+`}`), said(relevant)), judge.WithMode(judge.ModeCombined))
	c := fullCase()
	c.Documents = nil
	metrics := metricsNamed(t, e, fourMetrics...)
	metrics[2].Model = "other"
	got := outcomes(e.Evaluate(t.Context(), c, metrics))
	if want := "bias 0 Not Biased, toxicity 1 Toxic, answer_relevancy 1 Relevant, faithfulness no_documents"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := askedOf(requests), "bias+toxicity answer_relevancy"; got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
}

// Hallucination is faithfulness seen from the other side where there are
// documents, and a question of its own where there are none.
func TestHallucinationRestsOnTheClaimsOfFaithfulness(t *testing.T) {
	for _, tt := range []struct {
		name      string
		metrics   []string
		documents bool
		want      string
		calls     int
		basis     string
	}{
		{"together", []string{"faithfulness", "hallucination"}, true, "faithfulness 0.5 Faithful, hallucination 0.5 Not Hallucinated", 1, "documents"},
		{"alone", []string{"hallucination"}, true, "hallucination 0.5 Not Hallucinated", 1, "documents"},
		{"without_documents", []string{"faithfulness", "hallucination"}, false, "faithfulness no_documents, hallucination 0.5 Not Hallucinated", 1, "input"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var requests []judge.Request
			e := newEvaluator(t, answering(&requests, said(faithful)))
			c := fullCase()
			if !tt.documents {
				c.Documents = nil
			}
			results := e.Evaluate(t.Context(), c, metricsNamed(t, e, tt.metrics...))
			if got := outcomes(results); got != tt.want || len(requests) != tt.calls {
				t.Errorf("%d calls: %s\nwant %d calls: %s", len(requests), got, tt.calls, tt.want)
			}
			last := results[len(results)-1]
			if diff := cmp.Diff([]attribute.KeyValue{attribute.String(judge.AttributeBasis, tt.basis)}, last.Attributes, cmp.AllowUnexported(attribute.Value{})); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
			prompt := requests[0].Messages[0].Text
			if onDocuments := strings.Contains(prompt, "supported by the documents"); onDocuments != tt.documents {
				t.Errorf("asked about the documents: %v", onDocuments)
			}
		})
	}
}

func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode judge.Mode
		want string
	}{
		{"per_metric", judge.ModePerMetric, "bias; toxicity; answer_relevancy; faithfulness hallucination; sentiment"},
		{"combined", judge.ModeCombined, "bias toxicity answer_relevancy faithfulness hallucination sentiment"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEvaluator(t, answering(new([]judge.Request)), judge.WithMode(tt.mode))
			if got := groupsOf(e, e.Metrics()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	e := newEvaluator(t, answering(new([]judge.Request)), judge.WithMode(judge.ModeCombined))
	metrics := metricsNamed(t, e, "bias", "toxicity", "sentiment")
	metrics[1].Timeout, metrics[2].Model = 1, "other"
	if got, want := groupsOf(e, metrics), "bias; toxicity; sentiment"; got != want {
		t.Errorf("with options of their own: %s, want %s", got, want)
	}
}

func groupsOf(e *judge.Evaluator, metrics []evaluators.Metric) string {
	var groups []string
	for _, g := range e.Group(metrics) {
		var names []string
		for _, m := range g {
			names = append(names, m.Name)
		}
		groups = append(groups, strings.Join(names, " "))
	}
	return strings.Join(groups, "; ")
}

// A cost is the provider's word, else that of price and tokens, and not there
// where one answer has neither.
func TestCostIsKnownOrAbsent(t *testing.T) {
	used := judge.Usage{InputTokens: 1000, OutputTokens: 100}
	stated := judge.Usage{InputTokens: 1000, OutputTokens: 100, Cost: 0.25, HasCost: true}
	prose := func(u judge.Usage) judge.Response { return judge.Response{Text: "Fine.", Usage: u} }
	answer := func(u judge.Usage) judge.Response { return judge.Response{Text: notBiased, Usage: u} }
	price := judge.WithPrice(10, 100)
	for _, tt := range []struct {
		name      string
		opts      []judge.Option
		responses []judge.Response
		cost      float64
		known     bool
	}{
		{"$01_no_price", nil, []judge.Response{answer(used)}, 0, false},
		{"$01_price", []judge.Option{price}, []judge.Response{answer(used)}, 0.02, true},
		{"$01_no_tokens", []judge.Option{price}, []judge.Response{answer(judge.Usage{})}, 0, false},
		{"$01_stated", nil, []judge.Response{answer(stated)}, 0.25, true},
		{"$01_stated_beats_price", []judge.Option{price}, []judge.Response{answer(stated)}, 0.25, true},
		{"$01_free", nil, []judge.Response{answer(judge.Usage{InputTokens: 1, HasCost: true})}, 0, true},
		{"$03_repair_counts", []judge.Option{price}, []judge.Response{prose(used), answer(used)}, 0.04, true},
		{"$03_repair_stated", []judge.Option{price}, []judge.Response{prose(stated), answer(used)}, 0.27, true},
		{"$03_one_unknown", []judge.Option{price}, []judge.Response{prose(judge.Usage{}), answer(used)}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var requests []judge.Request
			r := ask(t.Context(), t, newEvaluator(t, answering(&requests, tt.responses...), tt.opts...), "bias")
			if r.HasCost != tt.known || r.Cost-tt.cost > 1e-12 || tt.cost-r.Cost > 1e-12 {
				t.Errorf("cost %v, known %v; want %v, %v", r.Cost, r.HasCost, tt.cost, tt.known)
			}
		})
	}
}

// Documents of the case are shown to no metric that does not look at them, even
// where hallucination is asked beside.
func TestSharedCallShowsWhatItsQuestionNeeds(t *testing.T) {
	var requests []judge.Request
	e := newEvaluator(t, answering(&requests, said(faithful)))
	c := fullCase()
	c.History = []evaluators.Turn{{Role: "user", Text: "earlier"}}
	c.Documents = []instrumentation.Document{{Text: "source"}}
	e.Evaluate(t.Context(), c, metricsNamed(t, e, "hallucination"))
	if shown := requests[0].Messages[1].Text; strings.Contains(shown, "earlier") || !strings.Contains(shown, "source") {
		t.Errorf("shown %s", shown)
	}
}

// Combined calls that never give an answer are paid for in vain: after three in
// a row the model is asked one by one.
func TestModelThatCannotAnswerCombinedIsAskedOneByOne(t *testing.T) {
	var asked []string
	c := clientFunc(func(_ context.Context, r judge.Request) (judge.Response, error) {
		asked = append(asked, strings.Join(r.Metrics, "+"))
		switch {
		case len(r.Metrics) > 1:
			return judge.Response{Text: "All of it is fine."}, nil
		case r.Metrics[0] == "toxicity":
			return judge.Response{Text: toxic}, nil
		}
		return judge.Response{Text: notBiased}, nil
	})
	e := newEvaluator(t, c, judge.WithMode(judge.ModeCombined))
	for range 5 {
		if got, want := outcomes(e.Evaluate(t.Context(), fullCase(), metricsNamed(t, e, "bias", "toxicity"))), "bias 0 Not Biased, toxicity 1 Toxic"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	both := "bias+toxicity bias toxicity "
	if got, want := strings.Join(asked, " "), both+both+both+"bias toxicity bias toxicity"; got != want {
		t.Errorf("asked %s\nwant  %s", got, want)
	}
}
