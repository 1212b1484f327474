package main

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
	"github.com/genaievals/genaievals/internal/affinity"
	"github.com/genaievals/genaievals/internal/faithflags"
)

func groundingClaims() []claim {
	return []claim{
		{name: "relevancy_auc", bound: 0, atLeast: true, says: "AUC of an answer to its question over 0.97 against the answer of a random other question, or over 0.81 against that of the nearest, the smaller of the two margins",
			measure: relevancyAUC},
		{name: "faithfulness_flags", bound: 0, atLeast: true, says: "precision of what is flagged for a number, over 0.95 in BEGIN or over 0.90 in WiCE, the smaller of the two margins",
			measure: faithfulnessFlags},
	}
}

// relevancyAUC measures on the half of the questions that nothing was fitted on.
func relevancyAUC() (float64, error) {
	rows, err := affinity.Rows(labelled())
	if err != nil {
		return 0, absent(err)
	}
	cs, err := affinity.Compare(context.Background(), semantic.Open(1), rows, affinity.Row.Held)
	if err != nil {
		return 0, err
	}
	random, nearest := affinity.AUCs(cs)
	fmt.Printf("%d questions held out of %d: AUC against a random other answer %.4f, against the answer of the nearest other question %.4f\n",
		len(cs), len(rows), random, nearest)
	return min(random-0.97, nearest-0.81), nil
}

func faithfulnessFlags() (float64, error) {
	value := 1.0
	for _, set := range []struct {
		name  string
		read  func(string) ([]faithflags.Row, error)
		bound float64
	}{{"BEGIN", faithflags.BEGIN, 0.95}, {"WiCE", faithflags.WiCE, 0.90}} {
		rows, err := set.read(labelled())
		if err != nil {
			return 0, absent(err)
		}
		c := faithflags.Of(context.Background(), rows)
		fmt.Printf("%s: %v\n", set.name, c)
		value = min(value, c.Number.Precision()-set.bound)
	}
	return value, nil
}
