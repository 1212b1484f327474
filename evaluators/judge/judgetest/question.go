package judgetest

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Question is what a judge was asked, recognised from the request's schema or,
// when that was not sent, from the prompt.
type Question struct {
	// Metric is the first of Metrics; empty when the request is not one of ours.
	Metric string
	// Metrics are all that the answer serves.
	Metrics []string
	// Claims: a verdict on each claim is asked for. Scale: an integer is. Else
	// one label is.
	Claims, Scale bool
	// Options are the labels or verdicts offered.
	Options []string
	// Min and Max bound a scale, where the prompt says how: a schema does not.
	Min, Max int
	// Parts are the questions of a combined one, in the order in which they are
	// to be answered. They replace all fields above but the metrics.
	Parts []Question
}

// form says what a question or an answer is made of.
type form uint8

const (
	formNone form = iota
	formLabel
	formClaims
	formScore
)

// form is that of a single question.
func (q Question) form() form {
	switch {
	case q.Claims:
		return formClaims
	case q.Scale:
		return formScore
	}
	return formLabel
}

// hasScale reports whether a range may have to be read from the prompt.
func (q Question) hasScale() bool {
	return q.Scale || slices.ContainsFunc(q.Parts, Question.hasScale)
}

func (q Question) known() bool { return q.Scale || len(q.Options) > 0 || len(q.Parts) > 0 }

// asks names what a question is about.
func (q *Question) asks(metrics ...string) {
	q.Metric, q.Metrics = "", nil
	for _, m := range metrics {
		if m != "" {
			q.Metrics = append(q.Metrics, m)
		}
	}
	if len(q.Metrics) > 0 {
		q.Metric = q.Metrics[0]
	}
}

// posed is a question and what is wrong with its schema in strict mode.
type posed struct {
	name     string // of the schema, as it was sent
	question Question
	problem  *schemaProblem
}

// questions remembers the questions of schemas, since the same few are asked
// over and over. It is safe for concurrent use.
type questions struct {
	mu    sync.Mutex
	known map[string]posed
}

// of is questionOf, and the check of the schema.
func (q *questions) of(name string, schema json.RawMessage, system string) posed {
	const most = 64
	switch {
	case len(schema) == 0:
		return posed{question: questionOf(name, nil, system)}
	case name == "":
		return posed{question: questionOf("", schema, system), problem: checkSchema(schema)}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	p, ok := q.known[string(schema)]
	if ok && p.name == name {
		return p
	}
	p = posed{strings.Clone(name), questionOf(strings.Clone(name), schema, system), checkSchema(schema)}
	if p.question.known() && !p.question.hasScale() && len(q.known) < most {
		if q.known == nil {
			q.known = map[string]posed{}
		}
		q.known[string(schema)] = p
	}
	return p
}

// questionOf reads a question. A combined one has its metrics from the schema,
// another from the schema's own name, which beats the prompt's. Where one answer
// serves several metrics that name is made of theirs, of which the prompt has
// one or all.
func questionOf(name string, schema json.RawMessage, system string) Question {
	var q Question
	if !q.fromSchema(schema) {
		q = questionOfPrompt(system)
		if name != "" && strings.Join(q.Metrics, "_") != name {
			q.asks(name)
		}
		return q
	}
	q.fill(system)
	if q.Parts != nil {
		q.serve(extra(name, q.Metrics))
		return q
	}
	asked := sectionNames(system)
	q.asks(name)
	if more := extra(name, asked); len(asked) > 0 && (name == "" || strings.Join(asked, "_") == name || more != "") {
		q.asks(append(asked, more)...)
	}
	return q
}

// extra is the name that is left of a joined one without those that are known;
// empty when nothing is, or when they are not all in it.
func extra(joined string, known []string) string {
	rest := "_" + joined + "_"
	for _, k := range known {
		before, after, ok := strings.Cut(rest, "_"+k+"_")
		if !ok {
			return ""
		}
		rest = before + "_" + after
	}
	if len(known) == 0 {
		return ""
	}
	return strings.Trim(rest, "_")
}

// serve adds metrics that a combined answer serves beside those that it names:
// what says something about claims may do so for two.
func (q *Question) serve(metrics ...string) {
	for _, m := range metrics {
		i := slices.IndexFunc(q.Parts, func(p Question) bool { return p.Claims })
		if i < 0 || m == "" || slices.Contains(q.Metrics, m) {
			continue
		}
		q.Parts = slices.Clone(q.Parts)
		q.Parts[i].asks(append(slices.Clip(q.Parts[i].Metrics), m)...)
		q.asks(append(slices.Clip(q.Metrics), m)...)
	}
}

// schemaNode is what is read of a schema.
type schemaNode struct {
	Type       string            `json:"type"`
	Enum       []string          `json:"enum"`
	Properties orderedProperties `json:"properties"`
	Items      *schemaNode       `json:"items"`
}

// orderedProperties keeps the order in which a schema names its properties.
type orderedProperties struct {
	names []string
	nodes []schemaNode
}

func (p *orderedProperties) UnmarshalJSON(b []byte) error {
	var nodes map[string]schemaNode
	if err := json.Unmarshal(b, &nodes); err != nil {
		return err
	}
	p.names = memberNames(b)
	for _, n := range p.names {
		p.nodes = append(p.nodes, nodes[n])
	}
	return nil
}

func (p orderedProperties) get(name string) (schemaNode, bool) {
	if i := slices.Index(p.names, name); i >= 0 {
		return p.nodes[i], true
	}
	return schemaNode{}, false
}

func (q *Question) fromSchema(schema json.RawMessage) bool {
	var s schemaNode
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return false
	}
	if q.fromObject(s) {
		return true
	}
	var parts []Question
	for i, name := range s.Properties.names {
		var part Question
		if !part.fromObject(s.Properties.nodes[i]) {
			return false
		}
		part.asks(name)
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return false
	}
	q.asks(s.Properties.names...)
	q.Parts = parts
	return true
}

// fromObject reads the schema of an answer to one question.
func (q *Question) fromObject(s schemaNode) bool {
	if claims, ok := s.Properties.get("claims"); ok && claims.Items != nil {
		verdict, _ := claims.Items.Properties.get("verdict")
		q.Claims, q.Options = true, verdict.Enum
		return len(q.Options) > 0
	}
	if label, ok := s.Properties.get("label"); ok {
		q.Options = label.Enum
		return len(q.Options) > 0
	}
	score, ok := s.Properties.get("score")
	q.Scale = ok && score.Type == "integer"
	return q.Scale
}

// fill takes the ranges of scales from the prompt.
func (q *Question) fill(system string) {
	if !q.hasScale() {
		return
	}
	asked := questionOfPrompt(system)
	if q.Scale {
		q.Min, q.Max = asked.Min, asked.Max
	}
	for i := range q.Parts {
		for _, p := range asked.Parts {
			if p.Metric == q.Parts[i].Metric {
				q.Parts[i].Min, q.Parts[i].Max = p.Min, p.Max
			}
		}
	}
}
