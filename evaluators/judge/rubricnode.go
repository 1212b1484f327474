package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/evaluators"
)

// rubricReader reads the nodes of one rubric. What has the wrong form is
// reported here; what is wrong otherwise is found by [Rubric.check], which
// names a path, and at leads from there to the place in the file.
type rubricReader struct {
	file *rubricFile
	at   map[string]*yaml.Node
	bad  map[string]bool // paths that have been reported
}

func (r *rubricReader) fail(n *yaml.Node, path, format string, args ...any) {
	r.bad[path] = true
	msg := fmt.Sprintf(format, args...)
	if path != "" {
		msg = path + " " + msg
	}
	r.file.fail(n.Line, n.Column, "", "%s", msg)
}

// told reports whether a path, or what it is part of, has been reported. What
// else is wrong with it would follow from that.
func (r *rubricReader) told(path string) bool {
	for ; path != ""; path = parent(path) {
		if r.bad[path] {
			return true
		}
	}
	return r.bad[""]
}

// position returns the node at a path or, where that is missing, what it is
// missing from.
func (r *rubricReader) position(path string) *yaml.Node {
	for ; path != ""; path = parent(path) {
		if n := r.at[path]; n != nil {
			return n
		}
	}
	return r.at[""]
}

// parent cuts the last step off a path.
func parent(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".["))]
}

var rubricKeys = []string{
	"name", "question", "steps", "fields", "optional", "direction", "threshold", "kinds", "default", "labels", "passed", "failed", "scale",
}

func (r *rubricReader) rubric(n *yaml.Node) Rubric {
	var out Rubric
	m := r.members("", n, rubricKeys...)
	if m == nil {
		return out
	}
	out.Name = r.text(m["name"], "name")
	out.Question = r.text(m["question"], "question")
	out.Steps = r.texts(m["steps"], "steps")
	out.Fields = r.texts(m["fields"], "fields")
	out.Optional = r.texts(m["optional"], "optional")
	out.Passed = r.text(m["passed"], "passed")
	out.Failed = r.text(m["failed"], "failed")
	out.Direction = r.direction(m["direction"])
	out.Threshold = r.number(m["threshold"], "threshold")
	out.NotDefault = !r.boolean(m["default"], "default", true)
	for i, name := range r.texts(m["kinds"], "kinds") {
		path := fmt.Sprintf("kinds[%d]", i)
		kind, ok := evaluators.KindByName(name)
		if !ok && !r.bad[path] {
			r.fail(r.at[path], path, "is not one of %s", kindNames())
		}
		out.Kinds = append(out.Kinds, kind)
	}
	for i, item := range r.list(m["labels"], "labels") {
		out.Labels = append(out.Labels, r.label(item, fmt.Sprintf("labels[%d]", i)))
	}
	if s := m["scale"]; s != nil {
		out.Scale = r.scale(s)
	}
	r.required(n, "", m, "direction", "threshold")
	return out
}

func (r *rubricReader) label(n *yaml.Node, path string) RubricLabel {
	m := r.members(path, n, "name", "score", "label", "when")
	if m == nil {
		return RubricLabel{}
	}
	r.required(n, path+".", m, "score")
	return RubricLabel{
		Name:  r.text(m["name"], path+".name"),
		Score: r.number(m["score"], path+".score"),
		Label: r.text(m["label"], path+".label"),
		When:  r.text(m["when"], path+".when"),
	}
}

// scale returns an empty scale where there are no ends to judge the rest by.
func (r *rubricReader) scale(n *yaml.Node) *RubricScale {
	m := r.members("scale", n, "min", "max", "anchors")
	if m == nil {
		return &RubricScale{}
	}
	r.required(n, "scale.", m, "min", "max")
	s := &RubricScale{Min: r.integer(m["min"], "scale.min"), Max: r.integer(m["max"], "scale.max")}
	if r.told("scale.min") || r.told("scale.max") {
		r.bad["scale"] = true
		return &RubricScale{}
	}
	anchors := m["anchors"]
	switch {
	case anchors == nil:
		return s
	case anchors.Kind != yaml.MappingNode:
		r.fail(anchors, "scale.anchors", "must map numbers on the scale to texts")
		return s
	}
	s.Anchors = map[int]string{}
	for i := 0; i+1 < len(anchors.Content); i += 2 {
		key, value := anchors.Content[i], anchors.Content[i+1]
		grade, err := strconv.Atoi(key.Value)
		if key.ShortTag() != "!!int" || err != nil {
			r.fail(key, "scale.anchors", "must have whole numbers as keys")
			continue
		}
		path := fmt.Sprintf("scale.anchors[%d]", grade)
		if _, twice := s.Anchors[grade]; twice {
			r.fail(key, path, "is there twice")
			continue
		}
		s.Anchors[grade] = r.text(value, path)
		r.at[path] = key
	}
	return s
}

// members returns the values of a mapping by key; nil when it is none.
func (r *rubricReader) members(path string, n *yaml.Node, known ...string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.fail(n, path, "%s", r.found("must have keys and values", n))
		return nil
	}
	if path != "" {
		r.at[path] = n
		path += "."
	}
	m := map[string]*yaml.Node{}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := clip(key.Value, maxLabelText)
		switch {
		case key.Kind != yaml.ScalarNode:
			r.file.fail(key.Line, key.Column, "", "a key must be a name")
		case !slices.Contains(known, key.Value):
			r.file.fail(key.Line, key.Column, "", "unknown key %q; %s", name, suggest(name, known))
		case lines[key.Value] > 0:
			r.file.fail(key.Line, key.Column, "", "%s%s is there twice, first in line %d", path, name, lines[key.Value])
		default:
			m[key.Value], lines[key.Value] = value, key.Line
			r.at[path+key.Value] = value
		}
	}
	return m
}

// required reports what a mapping lacks and Go cannot tell from zero.
func (r *rubricReader) required(n *yaml.Node, path string, m map[string]*yaml.Node, keys ...string) {
	for _, key := range keys {
		if m[key] == nil {
			r.fail(n, path+key, "is missing")
		}
	}
}

func (r *rubricReader) list(n *yaml.Node, path string) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.SequenceNode:
		r.fail(n, path, "%s", r.found("must be a list", n))
		return nil
	}
	return n.Content
}

func (r *rubricReader) texts(n *yaml.Node, path string) []string {
	var out []string
	for i, item := range r.list(n, path) {
		at := fmt.Sprintf("%s[%d]", path, i)
		r.at[at] = item
		out = append(out, r.text(item, at))
	}
	return out
}

func (r *rubricReader) text(n *yaml.Node, path string) string {
	if !r.scalar(n, path, "must be text; put it in quotes", "!!str") {
		return ""
	}
	return n.Value
}

func (r *rubricReader) number(n *yaml.Node, path string) (x float64) {
	if r.scalar(n, path, "must be a number", "!!int", "!!float") && n.Decode(&x) != nil {
		r.fail(n, path, "must be a number")
	}
	return x
}

func (r *rubricReader) integer(n *yaml.Node, path string) (x int) {
	if r.scalar(n, path, "must be a whole number", "!!int") && n.Decode(&x) != nil {
		r.fail(n, path, "must be a whole number")
	}
	return x
}

func (r *rubricReader) boolean(n *yaml.Node, path string, otherwise bool) bool {
	if r.scalar(n, path, "must be true or false", "!!bool") {
		return n.Value[0] == 't' || n.Value[0] == 'T'
	}
	return otherwise
}

func (r *rubricReader) direction(n *yaml.Node) evaluators.Direction {
	switch name := r.text(n, "direction"); {
	case n == nil || r.bad["direction"] || name == evaluators.HigherIsBetter.String():
	case name == evaluators.LowerIsBetter.String():
		return evaluators.LowerIsBetter
	default:
		r.fail(n, "direction", "is not higher_is_better or lower_is_better")
	}
	return evaluators.HigherIsBetter
}

// scalar reports whether a value is there and of one of the types.
func (r *rubricReader) scalar(n *yaml.Node, path, want string, tags ...string) bool {
	switch {
	case n == nil:
		return false
	case n.Kind != yaml.ScalarNode || !slices.Contains(tags, n.ShortTag()):
		r.fail(n, path, "%s", r.found(want, n))
		return false
	}
	return true
}

// found says what is wanted, or that what is there can be nothing of the kind.
func (r *rubricReader) found(want string, n *yaml.Node) string {
	switch {
	case n.Kind == yaml.AliasNode:
		return "is an alias; aliases are not read"
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		return "is empty"
	}
	return want
}

// suggest names the known key that is nearest to a mistyped one, or all.
func suggest(key string, known []string) string {
	best, distance := "", 3 // further is no typing error
	for _, k := range known {
		if longer := len(key) - len(k); longer >= distance || -longer >= distance {
			continue
		}
		if d := editDistance(strings.ToLower(key), k); d < distance {
			best, distance = k, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "there is: " + strings.Join(known, ", ")
}

// editDistance counts the bytes to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
