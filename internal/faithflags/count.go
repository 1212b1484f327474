package faithflags

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/instrumentation"
)

// Count is how the rows of a set came out.
type Count struct {
	Faithful, Unfaithful int // rows by their label
	// Number and Sentence are the rows flagged for a number or a date, and for
	// whole sentences alone; Copied those that were called faithful.
	Number, Sentence, Copied Verdicts
	Skipped                  int
}

// Verdicts are those of one kind.
type Verdicts struct{ Right, All int }

// Precision is the share that is right, 0 of none.
func (v Verdicts) Precision() float64 {
	if v.All == 0 {
		return 0
	}
	return float64(v.Right) / float64(v.All)
}

func (v *Verdicts) add(right bool) {
	v.All++
	if right {
		v.Right++
	}
}

// FalseAlarms is the share of the faithful rows that were flagged.
func (c Count) FalseAlarms() float64 {
	wrong := c.Number.All - c.Number.Right + c.Sentence.All - c.Sentence.Right
	return float64(wrong) / float64(max(c.Faithful, 1))
}

// Found is the share of the unfaithful rows that were flagged.
func (c Count) Found() float64 {
	return float64(c.Number.Right+c.Sentence.Right) / float64(max(c.Unfaithful, 1))
}

// String writes all of it in a line.
func (c Count) String() string {
	return fmt.Sprintf("rows %d (%.0f %% unfaithful): number %d, precision %.3f; sentence %d, precision %.3f; found %.3f of the unfaithful, flagged %.3f of the faithful; called faithful %d, right %.3f; skipped %.3f",
		c.Faithful+c.Unfaithful, 100*float64(c.Unfaithful)/float64(max(c.Faithful+c.Unfaithful, 1)),
		c.Number.All, c.Number.Precision(), c.Sentence.All, c.Sentence.Precision(), c.Found(), c.FalseAlarms(),
		c.Copied.All, c.Copied.Precision(), float64(c.Skipped)/float64(max(c.Faithful+c.Unfaithful, 1)))
}

// Of asks for the faithfulness of every row.
func Of(ctx context.Context, rows []Row) Count {
	var c Count
	e := builtin.New(builtin.WithModel(nil))
	for _, row := range rows {
		if row.Unfaithful {
			c.Unfaithful++
		} else {
			c.Faithful++
		}
		r := e.Evaluate(ctx, &evaluators.Case{
			Kind: instrumentation.KindInference, Input: row.Question, Output: row.Answer,
			Documents: []instrumentation.Document{{Text: row.Document}},
		}, []evaluators.Metric{{Name: builtin.MetricFaithfulness}})[0]
		switch evidence := evidenceOf(r); {
		case r.Outcome != evaluators.OutcomeScored:
			c.Skipped++
		case evidence == builtin.EvidenceNumber:
			c.Number.add(row.Unfaithful)
		case evidence == builtin.EvidenceSentence:
			c.Sentence.add(row.Unfaithful)
		default:
			c.Copied.add(!row.Unfaithful)
		}
	}
	return c
}

func evidenceOf(r evaluators.Result) string {
	for _, a := range r.Attributes {
		if a.Key == builtin.AttributeEvidence {
			return a.Value.AsString()
		}
	}
	return ""
}
