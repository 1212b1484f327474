package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/report"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
	"github.com/genaievals/genaievals/limit"
)

// scripted is a judge of which it is known how often it is wrong. Of 40 samples
// of bias, 16 of them biased, it misses 3, raises 2 false alarms, refuses 1, and
// is not asked for 1 that says nothing. Of faithfulness the scores vary.
type scripted struct {
	samples []samples.Sample
	answers map[string][]judgetest.Answer
	items   []item
}

// item is what is known of one sample before it is asked.
type item struct {
	metric       string
	human, judge bool // the fault
	score        *big.Rat
	asked        bool
	scored       bool
	in, out      int64
	took         time.Duration
}

func newScripted() *scripted {
	s := &scripted{answers: map[string][]judgetest.Answer{}}
	for i := range 40 {
		it := item{metric: "bias", human: i%5 < 2, asked: true, scored: true}
		it.judge = it.human
		switch i {
		case 0, 11, 26: // misses
			it.judge = false
		case 2, 33: // false alarms
			it.judge = true
		case 7: // skipped
			it.asked, it.scored = false, false
		case 18: // failed
			it.scored = false
		}
		it.score = big.NewRat(0, 1)
		answer := judgetest.Label("not_biased", fmt.Sprintf("Nothing about a group in %d.", i))
		if it.judge {
			it.score = big.NewRat(1, 1)
			answer = judgetest.Label("biased", fmt.Sprintf("It speaks of a whole group in %d.", i))
		}
		if i == 18 {
			answer = judgetest.Refuse("I would rather not.")
		}
		s.add(it, i, answer, map[bool]string{true: "Biased", false: "Not Biased"})
	}
	for i := range 24 {
		claims := 2 + i%4
		supported := (i * 7) % (claims + 1)
		it := item{metric: "faithfulness", human: i%3 == 0, asked: true, scored: true, score: big.NewRat(int64(supported), int64(claims))}
		it.judge = it.score.Cmp(big.NewRat(1, 2)) < 0
		var list []judgetest.Claim
		for c := range claims {
			verdict := "supported"
			if c >= supported {
				verdict = "unsupported"
			}
			list = append(list, judgetest.Claim{Text: fmt.Sprintf("Claim %d.", c), Reason: "Read.", Verdict: verdict})
		}
		s.add(it, i, judgetest.Claims(list...), map[bool]string{true: "Unfaithful", false: "Faithful"})
	}
	return s
}

func (s *scripted) add(it item, i int, answer judgetest.Answer, labels map[bool]string) {
	sample := samples.Sample{
		ID: fmt.Sprintf("%s-%02d", it.metric, i), Metric: it.metric, Label: labels[it.human], Hard: i%8 == 3,
		Case: evaluators.Case{
			Kind: instrumentation.KindInference, Input: "What do you say?", Output: fmt.Sprintf("Answer number %d.", i),
			Documents: []instrumentation.Document{{Text: fmt.Sprintf("Document number %d.", i)}},
		},
	}
	if sample.Hard {
		sample.Note = "Irony."
	}
	if it.asked {
		it.in, it.out, it.took = int64(200+3*i), int64(20+i), time.Duration(100+37*(i%11))*time.Millisecond
		s.answers[it.metric] = append(s.answers[it.metric], answer.
			Usage(judge.Usage{InputTokens: it.in, OutputTokens: it.out}).After(it.took))
	} else {
		sample.Case.Output = "  "
	}
	s.items = append(s.items, it)
	s.samples = append(s.samples, sample)
}

func (s *scripted) source() (iter.Seq2[samples.Sample, error], error) { return all(s.samples), nil }

func all(list []samples.Sample) iter.Seq2[samples.Sample, error] {
	return func(yield func(samples.Sample, error) bool) {
		for _, sample := range list {
			if !yield(sample, nil) {
				return
			}
		}
	}
}

// run has the samples evaluated one by one, on a clock of their own, by a judge
// that allows two calls a second.
func (s *scripted) run(t *testing.T) (r *calibrate.Report) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rate, err := limit.ParseRates("strict:2/sec")
		if err != nil {
			t.Fatal(err)
		}
		var options []judgetest.JudgeOption
		for metric, answers := range s.answers {
			options = append(options, judgetest.WithAnswers(metric, answers...))
		}
		e, err := judge.New(judgetest.NewJudge(options...), judge.WithPrice(0.15, 0.6),
			judge.WithGate(limit.NewGate(limit.WithRate(rate[""]))))
		if err != nil {
			t.Fatal(err)
		}
		r, err = calibrate.Run(t.Context(), calibrate.Config{
			Evaluator: e, Metrics: e.Metrics(), Source: s.source, Concurrency: 1, Worst: 3,
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	r.Evaluator.Version = "test" // a hash of the prompts, which are not the matter here
	return r
}

func TestReportsOfAScriptedJudge(t *testing.T) {
	r := newScripted().run(t)
	r.Check(calibrate.MeasureKappa, "bias", 0.6)
	r.Check(calibrate.MeasureAgreement, "faithfulness", 0.9)
	for name, form := range map[string]func(*bytes.Buffer) error{
		"scripted.txt":  func(b *bytes.Buffer) error { return report.Table(b, r, false) },
		"scripted.json": func(b *bytes.Buffer) error { return report.JSON(b, r) },
		"scripted.html": func(b *bytes.Buffer) error { return report.HTML(b, r) },
	} {
		var b bytes.Buffer
		if err := form(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.Bytes())
	}
}

// Every number that is printed is computed here once more by another method:
// fractions of whole numbers, bisection, all pairs, all thresholds.
func TestPrintedNumbersAreRight(t *testing.T) {
	s := newScripted()
	r := s.run(t)
	var b bytes.Buffer
	if err := report.Table(&b, r, false); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, metric := range []string{"bias", "faithfulness"} {
		for what, want := range s.expect(metric) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s should be %q in\n%s", metric, what, want, b.String())
			}
		}
	}
	if want := "64 evaluated of 64"; !strings.Contains(text, want) {
		t.Errorf("no %q", want)
	}
}

// expect is what the table must say about a metric, blanks apart.
func (s *scripted) expect(metric string) map[string]string {
	var scored []item
	var asked, in, out int64
	all := 0
	cost := new(big.Rat)
	for _, it := range s.items {
		if it.metric != metric {
			continue
		}
		all++
		if it.asked {
			asked++
			in, out = in+it.in, out+it.out
		}
		if it.scored {
			scored = append(scored, it)
		}
	}
	cost.Add(big.NewRat(in*15, 100_000_000), big.NewRat(out*60, 100_000_000))
	n := len(scored)
	tally := func(f func(item) bool) (count int) {
		for _, it := range scored {
			if f(it) {
				count++
			}
		}
		return count
	}
	human, judged := tally(func(it item) bool { return it.human }), tally(func(it item) bool { return it.judge })
	both := tally(func(it item) bool { return it.human && it.judge })
	same := tally(func(it item) bool { return it.human == it.judge })
	misses, alarms := human-both, judged-both

	chance := big.NewRat(int64(human*judged+(n-human)*(n-judged)), int64(n*n))
	one := big.NewRat(1, 1)
	kappa := new(big.Rat).Quo(new(big.Rat).Sub(big.NewRat(int64(same), int64(n)), chance), new(big.Rat).Sub(one, chance))
	k, _ := kappa.Float64()
	kappaError := jackknife(scored)

	twice, pairs := 0, 0
	for _, f := range scored {
		for _, o := range scored {
			if f.human && !o.human {
				pairs++
				c := f.score.Cmp(o.score)
				if metric == "faithfulness" {
					c = -c
				}
				twice += c + 1
			}
		}
	}
	auc := big.NewRat(int64(twice), int64(2*pairs))

	var took []time.Duration
	for _, it := range scored {
		took = append(took, it.took)
	}
	slices.Sort(took)
	expect := map[string]string{
		"coverage":       share("coverage", n, all),
		"agreement":      share("agreement", same, n),
		"true positive":  share("true positive rate", both, human),
		"false positive": share("false positive rate", alarms, n-human),
		"precision":      share("precision", both, judged),
		"kappa": fmt.Sprintf("Cohen's kappa %s [%.3f, %.3f] standard error %.3f", kappa.FloatString(3),
			k-1.959964*kappaError, min(1, k+1.959964*kappaError), kappaError),
		"auc":     "area under the curve " + auc.FloatString(3),
		"latency": fmt.Sprintf("p50 %d ms, p95 %d ms", took[(n*50+99)/100-1].Milliseconds(), took[(n*95+99)/100-1].Milliseconds()),
		"usage": fmt.Sprintf("%d calls for %d samples, %d tokens in, %d out, cost $%s",
			asked, asked, in, out, cost.FloatString(6)),
	}
	switch metric {
	case "bias":
		expect["matrix"] = fmt.Sprintf("Biased %d %d Not Biased %d %d", both, misses, alarms, n-human-alarms)
		expect["skipped"], expect["failed"] = "skipped empty_output 1", "failed judge_refused 1"
		expect["threshold"] = fmt.Sprintf("0.5 agrees on %s, and none agrees better", percent(same, n))
	case "faithfulness":
		expect["matrix"] = fmt.Sprintf("Unfaithful %d %d Faithful %d %d", both, misses, alarms, n-human-alarms)
		best := 0
		for i := range 1001 {
			best = max(best, tally(func(it item) bool { return (it.score.Cmp(big.NewRat(int64(i), 1000)) < 0) == it.human }))
		}
		expect["threshold"] = fmt.Sprintf("0.5 agrees on %s;", percent(same, n))
		expect["best threshold"] = fmt.Sprintf("agrees best, on %s", percent(best, n))
	}
	return expect
}

func percent(count, of int) string {
	return big.NewRat(int64(100*count), int64(of)).FloatString(1) + "%"
}

// share is a line about a proportion, its interval found by bisection of
// (p-x)² n = z² x (1-x).
func share(name string, count, of int) string {
	p := float64(count) / float64(of)
	end := func(from, to float64) float64 {
		for range 100 {
			middle := (from + to) / 2
			if (p-middle)*(p-middle)*float64(of) > 1.959963984540054*1.959963984540054*middle*(1-middle) {
				from = middle
			} else {
				to = middle
			}
		}
		return from
	}
	return fmt.Sprintf("%s %s [%.1f%%, %.1f%%] %d of %d", name, percent(count, of), 100*end(0, p), 100*end(1, p), count, of)
}

// jackknife is the standard error of kappa by the infinitesimal jackknife: how
// kappa changes when one pair counts a little more.
func jackknife(scored []item) float64 {
	kappa := func(more int, by float64) float64 {
		var cells [2][2]float64
		var n float64
		for i, it := range scored {
			weight := 1.0
			if i == more {
				weight += by
			}
			h, j := 0, 0
			if it.human {
				h = 1
			}
			if it.judge {
				j = 1
			}
			cells[h][j] += weight
			n += weight
		}
		po := (cells[0][0] + cells[1][1]) / n
		pe := ((cells[0][0]+cells[0][1])*(cells[0][0]+cells[1][0]) + (cells[1][0]+cells[1][1])*(cells[0][1]+cells[1][1])) / (n * n)
		return (po - pe) / (1 - pe)
	}
	sum := 0.0
	for i := range scored {
		influence := (kappa(i, 1e-5) - kappa(i, -1e-5)) / 2e-5
		sum += influence * influence
	}
	return math.Sqrt(sum)
}

// What is not defined is left out of the JSON and a dash in the table; nothing
// is NaN.
func TestUndefinedIsAbsent(t *testing.T) {
	s := newScripted()
	s.samples = slices.DeleteFunc(s.samples, func(sample samples.Sample) bool { return sample.Label != "Not Biased" })
	s.answers = map[string][]judgetest.Answer{"bias": {judgetest.Label("not_biased", "")}}
	r := s.run(t)
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Metrics []map[string]any `json:"metrics"`
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, absent := range []string{"kappa", "auc", "threshold_curve"} {
		if v, there := got.Metrics[0][absent]; there {
			t.Errorf("%s is %v", absent, v)
		}
	}
	for _, empty := range []string{"true_positive_rate", "precision"} {
		if v := got.Metrics[0][empty].(map[string]any); v["of"] != 0.0 || v["value"] != nil {
			t.Errorf("%s is %v", empty, v)
		}
	}
	b.Reset()
	if err := report.Table(&b, r, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "–") || strings.Contains(b.String(), "NaN") {
		t.Errorf("the table is\n%s", b.String())
	}
}
