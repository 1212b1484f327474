package judge

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	// maxExplanation is the most bytes of an explanation; the rest is cut.
	maxExplanation = 2048
	// maxClaimsExplained is the most claims that an explanation quotes.
	maxClaimsExplained = 5
)

// result turns an answer into a result. An answer without claims leaves
// nothing to score; that the judge had nothing to report is the closest of the
// documented reasons.
func (q *question) result(m evaluators.Metric, a answer) evaluators.Result {
	if m.Strict {
		m.Threshold = 1
		if m.Direction == evaluators.LowerIsBetter {
			m.Threshold = 0
		}
	}
	if q.claims {
		return q.claimsResult(m, a.claims)
	}
	if q.Scale != nil {
		return q.gradeResult(m, a)
	}
	o := q.Options[a.option]
	label := o.Label
	if label == "" {
		label = q.thresholdLabel(m, o.Score)
	}
	return evaluators.Scored(m.Name, o.Score, label, clip(a.reason, maxExplanation))
}

func (q *question) claimsResult(m evaluators.Metric, claims []claim) evaluators.Result {
	if len(claims) == 0 {
		return evaluators.Skipped(m.Name, evaluators.SkipNotReported, "the judge found no claims in the output")
	}
	sum := 0.0
	for _, c := range claims {
		sum += q.Options[c.option].Score
	}
	score := sum / float64(len(claims))
	return evaluators.Scored(m.Name, score, q.thresholdLabel(m, score), q.explain(claims))
}

// AttributeRubricScore is the attribute of a result that holds the whole number
// that the judge gave on a [RubricScale].
const AttributeRubricScore = "genaievals.rubric.score"

func (q *question) gradeResult(m evaluators.Metric, a answer) evaluators.Result {
	score := q.Scale.score(a.grade)
	r := evaluators.Scored(m.Name, score, q.thresholdLabel(m, score), clip(a.reason, maxExplanation))
	r.Attributes = []attribute.KeyValue{attribute.Int(AttributeRubricScore, a.grade)}
	return r
}

func (q *question) thresholdLabel(m evaluators.Metric, score float64) string {
	if m.Passes(score) {
		return q.Labels.Passed
	}
	return q.Labels.Failed
}

// explain says how many claims got which verdict, and quotes those that are
// not as they should be, which the first option says.
func (q *question) explain(claims []claim) string {
	counts := make([]int, len(q.Options))
	for _, c := range claims {
		counts[c.option]++
	}
	var parts []string
	for i, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, q.Options[i].Name))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d claims %s", counts[0], len(claims), q.Options[0].Name)
	if counts[0] < len(claims) {
		fmt.Fprintf(&b, " (%s)", strings.Join(parts, ", "))
	}
	quoted := 0
	for _, c := range claims {
		if c.option == 0 || quoted == maxClaimsExplained {
			continue
		}
		quoted++
		fmt.Fprintf(&b, "; %s: %q", q.Options[c.option].Name, clip(c.text, 200))
		if c.reason != "" {
			fmt.Fprintf(&b, ", %s", clip(strings.TrimSuffix(c.reason, "."), 200))
		}
	}
	return clip(b.String(), maxExplanation)
}

// clip cuts text at a rune's border so that it has at most size bytes, the
// mark of the cut included.
func clip(text string, size int) string {
	const mark = "…"
	if len(text) <= size {
		return text
	}
	end := size - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
