package evaluators

import (
	"strings"
	"unicode"

	"github.com/genaievals/genaievals/instrumentation"
)

// Plan says who evaluates what: the parsed form of the EVALUATORS variable. It
// holds names as they were written; [Registry.Resolve] finds out what they
// mean. [Parse] makes one, and Plan.String gives the text back.
type Plan struct {
	// Off: nothing is evaluated (none, off, false, or an empty text).
	Off bool
	// Evaluators in the order in which they were written.
	Evaluators []PlanEvaluator
}

// PlanEvaluator is one evaluator of a [Plan]. Without items it runs its
// default metrics on the three kinds that are evaluated.
type PlanEvaluator struct {
	Name  string
	Items []PlanItem
	// Offset is where the name begins, in bytes from the start of the text.
	Offset int
}

// PlanItem is what stands below an evaluator: a kind with its metrics, or a
// metric for all kinds, possibly with options. Without either it can be a
// kind, with the default metrics, or a metric: its name decides.
type PlanItem struct {
	Name    string
	Metrics []PlanMetric // of a kind
	Options []PlanOption // of a metric
	Offset  int
}

// PlanMetric is a metric below a kind.
type PlanMetric struct {
	Name    string
	Options []PlanOption
	Offset  int
}

// PlanOption is one option=value of a metric. Offset is that of the name.
type PlanOption struct {
	Name, Value string
	Offset      int
}

// String writes the plan in the grammar that [Parse] reads: Parse gives the
// same plan back, apart from offsets.
func (p Plan) String() string {
	if p.Off || len(p.Evaluators) == 0 {
		return "none"
	}
	var b strings.Builder
	for i, e := range p.Evaluators {
		separate(&b, i)
		b.WriteString(e.Name)
		if len(e.Items) == 0 {
			continue
		}
		b.WriteByte('(')
		for j, item := range e.Items {
			separate(&b, j)
			b.WriteString(item.Name)
			writeOptions(&b, item.Options)
			if len(item.Metrics) == 0 {
				continue
			}
			b.WriteByte('(')
			for k, m := range item.Metrics {
				separate(&b, k)
				b.WriteString(m.Name)
				writeOptions(&b, m.Options)
			}
			b.WriteByte(')')
		}
		b.WriteByte(')')
	}
	return b.String()
}

func writeOptions(b *strings.Builder, options []PlanOption) {
	if len(options) == 0 {
		return
	}
	b.WriteByte('(')
	for i, o := range options {
		separate(b, i)
		b.WriteString(o.String())
	}
	b.WriteByte(')')
}

// String returns option=value, the value in quotes where the grammar needs
// them.
func (o PlanOption) String() string {
	if o.Value != "" && strings.TrimSpace(o.Value) == o.Value && !strings.ContainsAny(o.Value, `(),="`) {
		return o.Name + "=" + o.Value
	}
	return o.Name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(o.Value) + `"`
}

func separate(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

// NormalizeName returns what is compared when names are: lower case, without
// blanks, hyphens and underscores. "Answer-Relevancy" and "answer_relevancy"
// are the same name.
func NormalizeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// EvaluatedKinds are the kinds that a plan can name, and those that it means
// where it names none.
func EvaluatedKinds() []instrumentation.Kind {
	return []instrumentation.Kind{
		instrumentation.KindInference, instrumentation.KindAgent, instrumentation.KindWorkflow,
	}
}

// kindsByName has the names of the evaluated kinds and the names that
// Splunk's GenAI utilities give them.
var kindsByName = map[string]instrumentation.Kind{
	"inference":       instrumentation.KindInference,
	"llminvocation":   instrumentation.KindInference,
	"agent":           instrumentation.KindAgent,
	"agentinvocation": instrumentation.KindAgent,
	"workflow":        instrumentation.KindWorkflow,
}

// KindByName returns the evaluated kind that a plan calls so; ok is false when
// there is none. Case, blanks, hyphens and underscores do not matter.
func KindByName(name string) (kind instrumentation.Kind, ok bool) {
	kind, ok = kindsByName[NormalizeName(name)]
	return kind, ok
}
