package judge

import (
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/yamltext"
)

// rubricReader reads the nodes of one rubric. What has the wrong form is
// reported here; what is wrong otherwise is found by [Rubric.check], which names
// a path, and the reader leads from there to the place in the file.
type rubricReader struct{ *yamltext.Reader }

var rubricKeys = []string{
	"name", "question", "steps", "fields", "optional", "direction", "threshold", "kinds", "default", "labels", "passed", "failed", "scale",
}

func (r *rubricReader) rubric(n *yaml.Node) Rubric {
	var out Rubric
	m := r.Members("", n, rubricKeys...)
	if m == nil {
		return out
	}
	out.Name = r.Text(m["name"], "name")
	out.Question = r.Text(m["question"], "question")
	out.Steps = r.Texts(m["steps"], "steps")
	out.Fields = r.Texts(m["fields"], "fields")
	out.Optional = r.Texts(m["optional"], "optional")
	out.Passed = r.Text(m["passed"], "passed")
	out.Failed = r.Text(m["failed"], "failed")
	out.Direction = r.direction(m["direction"])
	out.Threshold = r.Number(m["threshold"], "threshold")
	out.NotDefault = !r.Boolean(m["default"], "default", true)
	for i, name := range r.Texts(m["kinds"], "kinds") {
		path := fmt.Sprintf("kinds[%d]", i)
		kind, ok := evaluators.KindByName(name)
		if !ok && !r.Told(path) {
			r.Fail(r.Position(path), path, "is not one of %s", kindNames())
		}
		out.Kinds = append(out.Kinds, kind)
	}
	for i, item := range r.List(m["labels"], "labels") {
		out.Labels = append(out.Labels, r.label(item, fmt.Sprintf("labels[%d]", i)))
	}
	if s := m["scale"]; s != nil {
		out.Scale = r.scale(s)
	}
	r.Required(n, "", m, "direction", "threshold")
	return out
}

func (r *rubricReader) label(n *yaml.Node, path string) RubricLabel {
	m := r.Members(path, n, "name", "score", "label", "when")
	if m == nil {
		return RubricLabel{}
	}
	r.Required(n, path+".", m, "score")
	return RubricLabel{
		Name:  r.Text(m["name"], path+".name"),
		Score: r.Number(m["score"], path+".score"),
		Label: r.Text(m["label"], path+".label"),
		When:  r.Text(m["when"], path+".when"),
	}
}

// scale returns an empty scale where there are no ends to judge the rest by.
func (r *rubricReader) scale(n *yaml.Node) *RubricScale {
	m := r.Members("scale", n, "min", "max", "anchors")
	if m == nil {
		return &RubricScale{}
	}
	r.Required(n, "scale.", m, "min", "max")
	s := &RubricScale{Min: r.Integer(m["min"], "scale.min"), Max: r.Integer(m["max"], "scale.max")}
	if r.Told("scale.min") || r.Told("scale.max") {
		r.Silence("scale")
		return &RubricScale{}
	}
	anchors := m["anchors"]
	switch {
	case anchors == nil:
		return s
	case anchors.Kind != yaml.MappingNode:
		r.Fail(anchors, "scale.anchors", "must map numbers on the scale to texts")
		return s
	}
	s.Anchors = map[int]string{}
	for i := 0; i+1 < len(anchors.Content); i += 2 {
		key, value := anchors.Content[i], anchors.Content[i+1]
		grade, err := strconv.Atoi(key.Value)
		if key.ShortTag() != "!!int" || err != nil {
			r.Fail(key, "scale.anchors", "must have whole numbers as keys")
			continue
		}
		path := fmt.Sprintf("scale.anchors[%d]", grade)
		if _, twice := s.Anchors[grade]; twice {
			r.Fail(key, path, "is there twice")
			continue
		}
		s.Anchors[grade] = r.Text(value, path)
		r.Place(path, key)
	}
	return s
}

func (r *rubricReader) direction(n *yaml.Node) evaluators.Direction {
	switch name := r.Text(n, "direction"); {
	case n == nil || r.Told("direction") || name == evaluators.HigherIsBetter.String():
	case name == evaluators.LowerIsBetter.String():
		return evaluators.LowerIsBetter
	default:
		r.Fail(n, "direction", "is not higher_is_better or lower_is_better")
	}
	return evaluators.HigherIsBetter
}
