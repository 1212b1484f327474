// Command builtin measures the offline evaluator on labelled public sets and
// prints the figures that its documentation quotes.
//
//	go run ./benchmarks/builtin -data DIR
//
// DIR holds the sets in their original formats, in the folders toxicity,
// sentiment, relevance and faithfulness; a set that is not there is left out
// and named. With -errors N it also prints N wrongly judged rows of each set.
// With the model it takes about ten minutes of a core, with -words, which leaves
// it out, one; -every 10 judges every tenth row of toxicity and sentiment.
//
// Beside the figures it prints those of the prototype that the design follows.
// The heads were trained on most of these sets: figures on texts that they were
// not trained on are those of go run ./benchmarks toxicity_auc, sentiment_auc and
// toxicity_false_alarms.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	_ "github.com/genaievals/genaievals/evaluators/builtin/semantic" // builtin's model
	"github.com/genaievals/genaievals/instrumentation"
)

func main() {
	dir := flag.String("data", "", "folder with the labelled sets")
	errors := flag.Int("errors", 0, "print so many wrongly judged rows a set")
	only := flag.String("only", "", "measure one metric")
	words := flag.Bool("words", false, "leave the model out: word lists alone")
	every := flag.Int("every", 1, "judge one row in so many of toxicity and sentiment")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	options := []builtin.Option{builtin.WithShare(1)}
	if *words {
		options = append(options, builtin.WithModel(nil))
	}
	b := bench{dir: *dir, errors: *errors, every: max(1, *every), evaluator: builtin.New(options...)}
	for _, m := range []struct {
		name    string
		measure func() error
	}{
		{builtin.MetricSentiment, b.sentiment},
		{builtin.MetricToxicity, b.toxicity},
		{builtin.MetricAnswerRelevancy, b.relevancy},
		{builtin.MetricFaithfulness, b.faithfulness},
	} {
		if *only != "" && *only != m.name {
			continue
		}
		fmt.Printf("\n%s (builtin %s)\n", m.name, b.evaluator.Version())
		if err := m.measure(); err != nil {
			fmt.Fprintln(os.Stderr, "builtin:", err)
			os.Exit(1)
		}
	}
}

// bench judges rows and counts how they came out.
type bench struct {
	dir       string
	errors    int
	every     int
	evaluator *builtin.Evaluator
}

func (b *bench) judge(metric, question, answer string, documents ...string) evaluators.Result {
	c := &evaluators.Case{Kind: instrumentation.KindInference, Input: question, Output: answer}
	for _, d := range documents {
		c.Documents = append(c.Documents, instrumentation.Document{Text: d})
	}
	return b.evaluator.Evaluate(context.Background(), c, []evaluators.Metric{{Name: metric}})[0]
}

// detection counts how well a label finds the rows it should.
type detection struct {
	is, isNot             int // rows that should and should not be found
	found, falseAlarms    int
	cleared, wrongCleared int // called the opposite; those that should be found
	skipped               int
	shown                 int
}

func (d *detection) add(should bool, r evaluators.Result, label string) (wrong bool) {
	if should {
		d.is++
	} else {
		d.isNot++
	}
	switch {
	case r.Outcome != evaluators.OutcomeScored:
		d.skipped++
	case r.Label == label && should:
		d.found++
	case r.Label == label:
		d.falseAlarms++
		return true
	default:
		d.cleared++
		if should {
			d.wrongCleared++
			return true
		}
	}
	return false
}

func (d *detection) print(set, label, opposite string) {
	all := d.is + d.isNot
	fmt.Printf("  %-34s rows %5d (%s %s)  %s: precision %s recall %s false alarms %s  %s: %s, right %s  skipped %s\n",
		set, all, share(d.is, all), label,
		label, share(d.found, d.found+d.falseAlarms), share(d.found, d.is), share(d.falseAlarms, d.isNot),
		opposite, share(d.cleared, all), share(d.cleared-d.wrongCleared, d.cleared), share(d.skipped, all))
}

// beside prints what the prototype reached.
func beside(figures string) { fmt.Printf("  %-34s prototype: %s\n", "", figures) }

// takes reports whether the n-th row is judged.
func (b *bench) takes(n int) bool { return n%b.every == 0 }

// show prints a wrongly judged row, as long as there is room for it.
func (d *detection) show(b *bench, r evaluators.Result, texts ...string) {
	if d.shown >= b.errors {
		return
	}
	d.shown++
	for i, t := range texts {
		texts[i] = fmt.Sprintf("%.300s", strings.Join(strings.Fields(t), " "))
	}
	fmt.Printf("    %s (%s): %s\n", r.Label, r.Explanation, strings.Join(texts, " || "))
}

func share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(part)/float64(whole))
}
