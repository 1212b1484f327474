package runfile

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
)

// metricOptions are the keys that a metric can have beside name and options.
var metricOptions = []string{"threshold", "strict", "judge", "model", "timeout"}

// evaluators reads who evaluates what: a text in the grammar of EVALUATORS, or a
// list.
func (r *reader) evaluators(n *yaml.Node) {
	if n == nil {
		return
	}
	if n.Kind == yaml.ScalarNode {
		r.plan(n)
		return
	}
	var plan evaluators.Plan
	for i, item := range r.List(n, "evaluators") {
		path := fmt.Sprintf("evaluators[%d]", i)
		if e, ok := r.evaluator(item, path); ok {
			plan.Evaluators = append(plan.Evaluators, e)
		}
	}
	if len(n.Content) == 0 && n.Kind == yaml.SequenceNode {
		r.Fail(n, "evaluators", "is an empty list; leave it out for what the environment says")
	}
	if len(plan.Evaluators) > 0 {
		r.file.Plan = plan.String()
	}
}

// plan reads the grammar. The place of an error is that in the file where the
// text stands in one piece.
func (r *reader) plan(n *yaml.Node) {
	text := r.Text(n, "evaluators")
	plan, err := evaluators.Parse(text)
	var syntax *evaluators.SyntaxError
	switch {
	case r.Told("evaluators"):
	case errors.As(err, &syntax):
		at := *n
		if column, ok := r.columnOf(n, syntax.Offset); ok {
			at.Column = column
		}
		r.Fail(&at, "evaluators", "cannot be read: %s, near %q", syntax.Msg, syntax.Near)
	case err != nil:
		r.Fail(n, "evaluators", "cannot be read: %v", err)
	case plan.Off:
		r.Fail(n, "evaluators", "is %q, and a run needs an evaluator", text)
	}
	r.file.Plan = text
}

// columnOf finds a byte of a value in the file.
func (r *reader) columnOf(n *yaml.Node, offset int) (column int, ok bool) {
	lines := bytes.Split(r.text, []byte("\n"))
	if n.Line < 1 || n.Line > len(lines) || offset > len(n.Value) {
		return 0, false
	}
	line := lines[n.Line-1]
	at := bytes.Index(line, []byte(n.Value))
	if at < 0 || utf8.RuneCount(line[:at])+2 < n.Column {
		return 0, false
	}
	return utf8.RuneCount(line[:at+offset]) + 1, true
}

func (r *reader) evaluator(n *yaml.Node, path string) (e evaluators.PlanEvaluator, ok bool) {
	if n.Kind == yaml.ScalarNode {
		e.Name = r.name(n, path)
		return e, !r.Told(path)
	}
	m := r.Members(path, n, "name", "metrics", "rate_limit")
	if m == nil {
		return e, false
	}
	r.Required(n, path+".", m, "name")
	e.Name = r.name(m["name"], path+".name")
	for i, item := range r.List(m["metrics"], path+".metrics") {
		e.Items = append(e.Items, r.metric(item, fmt.Sprintf("%s.metrics[%d]", path, i)))
	}
	if text := limits(r, m["rate_limit"], path+".rate_limit", oneRate); text != "" {
		r.file.Rates = append(r.file.Rates, Rate{e.Name, text})
	}
	return e, !r.Told(path + ".name")
}

// oneRate reads a rate that names nobody.
func oneRate(text string) (struct{}, error) {
	rates, err := envconfig.ParseRateLimits(text)
	if _, ok := rates[""]; err == nil && (!ok || len(rates) > 1) {
		err = errors.New("want one rate, such as 60/min")
	}
	return struct{}{}, err
}

// name reads a name that the grammar of EVALUATORS takes.
func (r *reader) name(n *yaml.Node, path string) string {
	name := r.Text(n, path)
	if n == nil || r.Told(path) {
		return ""
	}
	plan, err := evaluators.Parse(name)
	if err != nil || len(plan.Evaluators) != 1 || len(plan.Evaluators[0].Items) > 0 {
		r.Fail(n, path, "is no name; metrics and options have keys of their own here")
		return ""
	}
	return plan.Evaluators[0].Name
}

func (r *reader) metric(n *yaml.Node, path string) (item evaluators.PlanItem) {
	if n.Kind == yaml.ScalarNode {
		item.Name = r.name(n, path)
		return item
	}
	m := r.Members(path, n, append([]string{"name", "options"}, metricOptions...)...)
	if m == nil {
		return item
	}
	r.Required(n, path+".", m, "name")
	item.Name = r.name(m["name"], path+".name")
	add := func(name string, value *yaml.Node, at string) {
		if text, ok := r.any(value, at, "must be a single value"); ok {
			item.Options = append(item.Options, evaluators.PlanOption{Name: name, Value: text})
		}
	}
	for _, key := range metricOptions {
		if m[key] != nil {
			add(key, m[key], path+"."+key)
		}
	}
	for _, e := range r.Entries(m["options"], path+".options") {
		add(e.Key, e.Value, path+".options."+e.Key)
	}
	return item
}
