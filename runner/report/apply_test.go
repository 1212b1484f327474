package report_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
	"github.com/google/go-cmp/cmp"
)

// gates reads gates as flags have them: kind and value.
func gates(t *testing.T, pairs ...string) report.Gates {
	t.Helper()
	var g report.Gates
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "warn-only" {
			g.WarnOnly = append(g.WarnOnly, pairs[i+1])
			continue
		}
		parse := map[string]func(string) (report.Gate, error){
			"fail-under": report.ParseFailUnder, "min-pass-rate": report.ParseMinPassRate, "max-failed": report.ParseMaxFailed,
		}[pairs[i]]
		gate, err := parse(pairs[i+1])
		if err != nil {
			t.Fatal(err)
		}
		g.Gates = append(g.Gates, gate)
	}
	return g
}

func TestGatesAreRead(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (report.Gate, error)
		text  string
		want  report.Gate
	}{
		{report.ParseFailUnder, "faithfulness=0.8", report.Gate{Kind: report.FailUnder, Metric: "faithfulness", Limit: .8}},
		{report.ParseFailUnder, " judge.bias = 20% ", report.Gate{Kind: report.FailUnder, Metric: "judge.bias", Limit: .2}},
		{report.ParseFailUnder, ".8", report.Gate{Kind: report.FailUnder, Limit: .8}},
		{report.ParseFailUnder, "1", report.Gate{Kind: report.FailUnder, Limit: 1}},
		{report.ParseMinPassRate, "bias=90%", report.Gate{Kind: report.MinPassRate, Metric: "bias", Limit: .9}},
		{report.ParseMinPassRate, "0", report.Gate{Kind: report.MinPassRate}},
		{report.ParseMaxFailed, "2%", report.Gate{Kind: report.MaxFailed, Limit: .02}},
		{report.ParseMaxFailed, " 0.5 % ", report.Gate{Kind: report.MaxFailed, Limit: .005}},
		{report.ParseMaxFailed, "10", report.Gate{Kind: report.MaxFailed, Limit: 10, Count: true}},
		{report.ParseMaxFailed, "0", report.Gate{Kind: report.MaxFailed, Count: true}},
	} {
		got, err := c.parse(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
	}
}

func TestBadGatesSayWhatWasExpected(t *testing.T) {
	for parse, texts := range map[*func(string) (report.Gate, error)][]string{
		new(report.ParseFailUnder):   {"", "=0.8", "faithfulness", "faithfulness=", "faithfulness=80", "bias=-0.1", "bias=1.01", "bias=NaN", "bias=Inf", "bias=1e-1", "bias=0x1p-2", "bias=0,8", "bias=101%", "bias=1_0", "%", "bias=."},
		new(report.ParseMinPassRate): {"90", "a=b", "1.5"},
		new(report.ParseMaxFailed):   {"", "-1", "0.02", "2.5", "101%", "bias=2%", "two", "NaN%", "1e3", "99999999999999999999"},
	} {
		for _, text := range texts {
			if g, err := (*parse)(text); err == nil || !strings.Contains(err.Error(), "expected") || g != (report.Gate{}) {
				t.Errorf("%q: %+v, %v", text, g, err)
			}
		}
	}
}

// constant is a run of which every item has the same score.
func constant(t *testing.T, metric string, score float64, n int) *report.Report {
	t.Helper()
	h := header()
	var list []*runner.Record
	for i := range n {
		list = append(list, answer(int64(i), "judge", scored(h, "judge", metric, score, "", "")))
	}
	return finished(t, h, list)
}

func TestGatesDecide(t *testing.T) {
	h := header()
	five := func(t *testing.T) *report.Report { return finished(t, h, records(h)) }
	for _, c := range []struct {
		name  string
		of    func(*testing.T) *report.Report
		gates []string
		want  report.Verdict
		text  string // of the last gate
	}{
		{"ten times 0.8 is not under 0.8", func(t *testing.T) *report.Report { return constant(t, "faithfulness", .8, 10) },
			[]string{"fail-under", "faithfulness=0.8"}, report.Passed, "mean faithfulness 0.80, at least 0.80 wanted"},
		{"three times 0.1 is not over 0.1", func(t *testing.T) *report.Report { return constant(t, "bias", .1, 3) },
			[]string{"fail-under", "bias=0.1"}, report.Passed, "mean bias 0.10, allowed at most 0.10"},
		{"a difference is shown with the digits it needs", func(t *testing.T) *report.Report { return constant(t, "faithfulness", .79999, 10) },
			[]string{"fail-under", "faithfulness=0.8"}, report.GateFailed, "mean faithfulness 0.79999, at least 0.80000 wanted"},
		{"lower is better: the most allowed", five, []string{"fail-under", "bias=0.2"}, report.GateFailed, "mean bias 0.25, allowed at most 0.20"},
		{"lower is better, within", five, []string{"fail-under", "bias=0.25"}, report.Passed, "mean bias 0.25, allowed at most 0.25"},
		{"without a name lower is better is turned", func(t *testing.T) *report.Report { return constant(t, "bias", .2, 5) },
			[]string{"fail-under", "0.8", "warn-only", "faithfulness", "warn-only", "length"}, report.Passed, ""},
		{"without a name lower is better fails", func(t *testing.T) *report.Report { return constant(t, "bias", .3, 5) },
			[]string{"fail-under", "0.8", "warn-only", "faithfulness", "warn-only", "length"}, report.GateFailed, ""},
		{"a name in another spelling", five, []string{"fail-under", "Judge.Faithfulness=0.5"}, report.Passed, "mean faithfulness 0.50, at least 0.50 wanted"},
		{"pass rate at its limit", five, []string{"min-pass-rate", "bias=75%"}, report.Passed, "pass rate of bias 75.0%, at least 75.0% wanted"},
		{"pass rate under its limit", five, []string{"min-pass-rate", "bias=0.751"}, report.GateFailed, "pass rate of bias 75.0%, at least 75.1% wanted"},
		{"a gate that only warns", five, []string{"min-pass-rate", "bias=1", "warn-only", "judge.bias"}, report.Passed, "pass rate of bias 75.0%, at least 100.0% wanted"},
		{"failed items at the limit", five, []string{"max-failed", "2"}, report.Passed, "2 of 6 items failed, allowed at most 2"},
		{"failed items over the limit", five, []string{"max-failed", "1"}, report.Incomplete, "2 of 6 items failed, allowed at most 1"},
		{"failed share over the limit", five, []string{"max-failed", "33.33%"}, report.Incomplete, "2 of 6 items failed (33.333%), allowed at most 33.330%"},
		{"failed share within the limit", five, []string{"max-failed", "34%"}, report.Passed, "2 of 6 items failed (33.3%), allowed at most 34.0%"},
		{"incomplete goes before gate failed", five, []string{"fail-under", "bias=0", "max-failed", "0"}, report.Incomplete, ""},
		{"nothing of the metric was scored", func(t *testing.T) *report.Report { return constant(t, "bias", 0, 5) },
			[]string{"min-pass-rate", "faithfulness=0.1"}, report.Incomplete, "pass rate of faithfulness not known, nothing was scored, at least 10.0% wanted"},
		{"nothing was scored", func(t *testing.T) *report.Report { return finished(t, h, nil) }, nil, report.Incomplete, ""},
		{"no gate", five, nil, report.Passed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.of(t)
			got, err := r.Apply(gates(t, c.gates...))
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want || r.Verdict != c.want || (got == report.Passed) != (len(r.Reasons) == 0) {
				t.Errorf("%q, noted %q, because %q", got, r.Verdict, r.Reasons)
			}
			if c.text != "" {
				if last := r.Gates[len(r.Gates)-1]; last.Text != c.text {
					t.Errorf("said %q, want %q", last.Text, c.text)
				}
			}
		})
	}
}

func TestInterruptedRunIsIncompleteWhateverItsGates(t *testing.T) {
	h := header()
	s, err := report.New(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records(h) {
		s.Add(r)
	}
	s.End(journal.End{Incomplete: "interrupted"})
	r := s.Report()
	if v, err := r.Apply(report.Gates{}); v != report.Incomplete || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if diff := cmp.Diff([]string{"interrupted"}, r.Reasons); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a budget kept from being asked says nothing of the answers, however good
// the rest is.
func TestRunWhoseBudgetWasSpentIsIncomplete(t *testing.T) {
	h := header()
	r := finished(t, h, []*runner.Record{
		answer(0, "judge", scored(h, "judge", "bias", 0, "", "")),
		answer(1, "judge", evaluators.Skipped("bias", evaluators.SkipBudget, "")),
	})
	if v, err := r.Apply(report.Gates{}); v != report.Incomplete || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	if diff := cmp.Diff([]string{"a budget was spent before 1 result was asked for"}, r.Reasons); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestUnknownMetricsAreErrorsThatListWhatThereIs(t *testing.T) {
	h := header()
	for _, pairs := range [][]string{{"fail-under", "faith=0.8"}, {"min-pass-rate", "builtin.bias=0.8"}, {"warn-only", "tone"}} {
		g := gates(t, pairs...)
		err := g.Check(h)
		if err == nil || !strings.Contains(err.Error(), "judge.faithfulness, judge.bias, builtin.length") {
			t.Errorf("%v: %v", pairs, err)
		}
		r := finished(t, h, records(h))
		if v, again := r.Apply(g); v != "" || again == nil || again.Error() != err.Error() || r.Gates != nil {
			t.Errorf("%v: %v, %v", pairs, v, again)
		}
	}
	if err := gates(t, "fail-under", "0.5", "max-failed", "2%", "warn-only", "judge.bias").Check(h); err != nil {
		t.Error(err)
	}
	if err := (report.Gates{Gates: []report.Gate{{Kind: "mean"}}}).Check(h); err == nil {
		t.Error("a kind that there is not")
	}
}

// A metric of two evaluators: its name is for both, evaluator.metric for one, and
// what names a metric takes the place of what names none.
func TestNamesOfGatesReachAllTheyName(t *testing.T) {
	h := header()
	h.Evaluators[1].Metrics = append(h.Evaluators[1].Metrics, journal.Metric{Name: "faithfulness", Threshold: .5})
	list := records(h)
	list[1].Results = append(list[1].Results, scored(h, "builtin", "faithfulness", 1, "", ""))
	r := finished(t, h, list)
	texts := func(pairs ...string) (out []string) {
		if _, err := r.Apply(gates(t, pairs...)); err != nil {
			t.Fatal(err)
		}
		for _, g := range r.Gates {
			out = append(out, g.Text)
		}
		return out
	}
	both := []string{"mean judge.faithfulness 0.50, at least 0.50 wanted", "mean builtin.faithfulness 1.00, at least 0.50 wanted"}
	if diff := cmp.Diff(both, texts("fail-under", "faithfulness=0.5")); diff != "" {
		t.Errorf("both, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(both[1:], texts("fail-under", "builtin.faithfulness=0.5")); diff != "" {
		t.Errorf("one, -want +got:\n%s", diff)
	}
	want := []string{both[0], "mean bias 0.25, allowed at most 0.50", "mean length 0.80, at least 0.75 wanted", both[1]}
	if diff := cmp.Diff(want, texts("fail-under", "0.75", "fail-under", "faithfulness=0.5", "fail-under", "bias=0.5")); diff != "" {
		t.Errorf("all but the named, -want +got:\n%s", diff)
	}
}

// Failures of a judge are no scores.
func TestFailedResultsAreInNoMean(t *testing.T) {
	h := header()
	list := []*runner.Record{
		answer(0, "judge", scored(h, "judge", "faithfulness", 1, "", "")),
		answer(1, "judge", evaluators.Failed("faithfulness", evaluators.ErrorJudgeAuth, nil)),
	}
	r := finished(t, h, list)
	if v, err := r.Apply(gates(t, "fail-under", "faithfulness=1", "min-pass-rate", "faithfulness=1")); v != report.Passed || err != nil {
		t.Errorf("%v, %v", v, r.Reasons)
	}
}
