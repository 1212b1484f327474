package main

import (
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/manager"
)

// counts are the table's last line. Offered and Evaluated count answers;
// Scored, Skipped and Failed the results on them; Dropped the answers that a
// lane had no room or no time for.
type counts struct {
	Offered, Evaluated, Scored, Skipped, Failed, Dropped uint64
}

func (c counts) String() string {
	return fmt.Sprintf("offered=%d evaluated=%d scored=%d skipped=%d failed=%d dropped=%d",
		c.Offered, c.Evaluated, c.Scored, c.Skipped, c.Failed, c.Dropped)
}

// countsOf sums up what became of the answers; evaluated is how many have
// results. The searches come to the manager's door too. They are of a kind that
// is not evaluated, and are left out.
func countsOf(s manager.Status, evaluated int) counts {
	c := counts{
		Offered:   s.Door.Offered - s.Door.Skipped[evaluators.SkipUnsupportedKind],
		Evaluated: uint64(evaluated),
	}
	for _, lane := range s.Lanes {
		c.Dropped += sum(lane.Dropped)
		for _, evaluator := range lane.Evaluators {
			for _, m := range evaluator.Metrics {
				c.Scored += m.Scored
				c.Skipped += sum(m.Skipped)
				c.Failed += sum(m.Failed)
			}
		}
	}
	return c
}

func sum(byReason map[string]uint64) uint64 {
	var total uint64
	for _, n := range byReason {
		total += n
	}
	return total
}
