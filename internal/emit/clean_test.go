package emit

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/log"
)

func TestCleanText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "fair", "fair"},
		{"as long as may be", strings.Repeat("x", maxText), strings.Repeat("x", maxText)},
		{"too long", strings.Repeat("x", maxText+1), strings.Repeat("x", maxText-3) + "…"},
		{"cut within a character", strings.Repeat("é", maxText), strings.Repeat("é", (maxText-3)/2) + "…"},
		{"invalid", "a\xff\xfeb", "a\uFFFDb"},
		{"invalid and long", strings.Repeat("\xff", 3*maxText) + "end", "\uFFFDend"},
	}
	for _, tt := range tests {
		got := cleanText(tt.in)
		if got != tt.want {
			t.Errorf("%s: %.40q… of %d bytes", tt.name, got, len(got))
		}
		if len(got) > maxText || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, valid %v", tt.name, len(got), utf8.ValidString(got))
		}
	}
}

// event publishes one result and returns the event's attributes.
func event(t *testing.T, b *backend, e *Emitter, inv *instrumentation.Invocation, r evaluators.Result) attribute.Set {
	t.Helper()
	b.records.all = nil
	e.Publish(inv, []evaluators.Result{r})
	if len(b.records.all) != 1 {
		t.Fatalf("%d events, want 1", len(b.records.all))
	}
	list := recordAttributes(b.records.all[0])
	set := attribute.NewSet(list...)
	if set.Len() != len(list) {
		t.Errorf("a key twice: %v", list)
	}
	return set
}

func TestScoreThatIsNoNumberBecomesAFailure(t *testing.T) {
	for _, score := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		b := newBackend(t)
		r := evaluators.Scored("bias", score, "Biased", "")
		r.Threshold = score
		set := event(t, b, b.emitter(t), b.answered(t), r)
		if v, _ := set.Value("error.type"); v.AsString() != evaluators.ErrorEvaluatorBadResult || b.records.all[0].Severity() != log.SeverityWarn {
			t.Errorf("%v: event %v", score, set.Encoded(attribute.DefaultEncoder()))
		}
		for _, k := range []attribute.Key{"gen_ai.evaluation.score.value", "gen_ai.evaluation.score.label", "gen_ai.evaluation.passed", "gen_ai.evaluation.threshold"} {
			if set.HasValue(k) {
				t.Errorf("%v: event has %s", score, k)
			}
		}
		if points := b.points(t); len(points) != 0 {
			t.Errorf("%v: points %v", score, points)
		}
	}
}

func TestFailureWithoutATypeHasOne(t *testing.T) {
	b := newBackend(t)
	for _, r := range []evaluators.Result{{Metric: "m"}, evaluators.Failed("m", "", nil)} {
		set := event(t, b, b.emitter(t), b.answered(t), r)
		if v, _ := set.Value("error.type"); v.AsString() != "_OTHER" {
			t.Errorf("error.type = %q", v.AsString())
		}
	}
}

func TestExplanationsGoNowhereWhenOff(t *testing.T) {
	b := newBackend(t)
	e := b.emitter(t, func(c *Config) { c.Explanation = false })
	inv := b.answered(t)
	secret := "what the user said"
	all := results()
	for i := range all {
		all[i].Explanation = secret
	}
	all[1].Explanation, all[1].Err = "", errors.New(secret)
	_, spans := e.Start(t.Context(), inv, judge{}, asked())
	spans.End(all)
	e.Publish(inv, all)
	b.emitter(t, func(c *Config) { c.Explanation, c.Aggregate = false, true }).Publish(inv, all)
	var seen []attribute.KeyValue
	for _, r := range b.records.all {
		seen = append(seen, recordAttributes(r)...)
	}
	for _, s := range b.spans.GetSpans() {
		seen = append(seen, s.Attributes...)
		seen = append(seen, attribute.String("status", s.Status.Description))
	}
	if text := lines(seen); strings.Contains(text, secret) || strings.Contains(text, "explanation") || len(seen) < 50 {
		t.Errorf("the explanation is in\n%s", text)
	}
}

func TestLongExplanationIsCut(t *testing.T) {
	b := newBackend(t)
	set := event(t, b, b.emitter(t), b.answered(t), evaluators.Scored("m", 1, "", strings.Repeat("wörter ", 10_000)))
	v, _ := set.Value("gen_ai.evaluation.explanation")
	if s := v.AsString(); len(s) > 4096 || len(s) < 4090 || !utf8.ValidString(s) || !strings.HasSuffix(s, "…") {
		t.Errorf("explanation of %d bytes ends %q", len(s), s[len(s)-8:])
	}
}

func TestCopiedAttributesNeverReplaceOurs(t *testing.T) {
	b := newBackend(t)
	var members []baggage.Member
	for k, v := range map[string]string{
		"gen_ai.evaluation.name": "baggage", "gen_ai.anything": "baggage", "error.type": "baggage", "server.address": "baggage",
		"genaievals.duration": "baggage", "genaievals.method": "baggage", "server.port": "baggage", "user.id": "baggage", "mine": "baggage", "tenant": "baggage",
	} {
		m, err := baggage.NewMember(k, v)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, m)
	}
	bags, err := baggage.New(members...)
	if err != nil {
		t.Fatal(err)
	}
	ctx := baggage.ContextWithBaggage(t.Context(), bags)
	ctx = instrumentation.WithProperties(ctx,
		attribute.String("gen_ai.evaluation.name", "property"), attribute.String("error.type", "property"),
		attribute.String("user.id", "property"), attribute.String("mine", "property"),
		attribute.Float64("bad", math.NaN()), attribute.String("text", "a\xffb"))
	_, inv := b.handler.StartInference(ctx, instrumentation.Inference{Provider: "openai", Model: "gpt-5"})
	inv.End()
	r := evaluators.Scored("bias", 0, "Not Biased", "")
	r.Attributes = []attribute.KeyValue{
		attribute.String("gen_ai.evaluation.name", "evaluator"), attribute.String("mine", "evaluator"), attribute.String("", "evaluator"),
		attribute.Float64Slice("bad", []float64{1, math.Inf(1)}),
		attribute.Slice("worse", attribute.MapValue(attribute.Float64("deep", math.NaN()))),
		attribute.Slice("fine", attribute.MapValue(attribute.String("deep", "\xff"))),
		{Key: "empty"},
	}
	want := map[attribute.Key]string{
		"gen_ai.evaluation.name": "bias", "mine": "evaluator", "user.id": "property", "tenant": "baggage",
		"text": "a\uFFFDb", "fine": `[{"deep":"` + "\uFFFD" + `"}]`,
	}
	absent := []attribute.Key{"gen_ai.anything", "error.type", "server.address", "server.port", "genaievals.duration", "genaievals.method", "", "bad", "worse", "empty"}

	check := func(what string, set attribute.Set) {
		t.Helper()
		for k, w := range want {
			if v, _ := set.Value(k); v.String() != w {
				t.Errorf("%s: %s = %q, want %q", what, k, v.String(), w)
			}
		}
		for _, k := range absent {
			if v, ok := set.Value(k); ok {
				t.Errorf("%s: %s = %s, want none", what, k, v.String())
			}
		}
	}
	e := b.emitter(t)
	check("event", event(t, b, e, inv, r))
	b.spans.Reset()
	_, spans := e.Start(t.Context(), inv, judge{}, []evaluators.Metric{{Name: "bias"}})
	spans.End([]evaluators.Result{r})
	check("span", attribute.NewSet(b.spans.GetSpans()[0].Attributes...))

	off := event(t, b, b.emitter(t, func(c *Config) { c.Baggage = false }), inv, r)
	for _, k := range []attribute.Key{"user.id", "tenant", "text"} {
		if off.HasValue(k) {
			t.Errorf("%s is copied with the switch off", k)
		}
	}
	if v, _ := off.Value("mine"); v.AsString() != "evaluator" {
		t.Error("the evaluator's own attributes depend on the switch")
	}
}

// Without an SDK, and without an invocation, nothing happens and nothing
// breaks.
func TestWithoutAnSDK(t *testing.T) {
	e, err := New(Config{Monitoring: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, inv := range []*instrumentation.Invocation{nil, newBackend(t).answered(t)} {
		evaluate(t.Context(), e, inv)
		e.Publish(inv, results())
	}
	all, inv := results(), newBackend(t).answered(t)
	e, err = New(Config{SingleMetric: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { e.Publish(inv, all) }); n > 8 {
		t.Errorf("publishing to nobody costs %v allocations", n)
	}
}
