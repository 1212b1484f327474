package judge

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// The bounds of rubrics. They are far from what makes a good question, and
// keep prompts, series and files of a size that can be overseen.
const (
	maxRubrics    = 100
	maxRubricText = 4096 // bytes
	maxRubricList = 32   // steps, labels
	maxLabelText  = 64   // bytes
	maxScaleSpan  = 100  // Max-Min
	maxGrade      = 1000
)

// fault is one thing that is wrong with a rubric. The path leads to it, such
// as labels[1].score; it is the same in Go and in a file.
type fault struct{ path, msg string }

// faults collects what is wrong with one rubric.
type faults []fault

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, fault{path, fmt.Sprintf(format, args...)})
}

// check returns all that is wrong with a rubric by itself.
func (r *Rubric) check() faults {
	var f faults
	f.name(r.Name)
	f.text("question", r.Question, true)
	if len(r.Steps) > maxRubricList {
		f.add("steps", "more than %d steps", maxRubricList)
	}
	for i, s := range r.Steps {
		f.text(fmt.Sprintf("steps[%d]", i), s, true)
	}
	seen := map[fields]bool{}
	f.fields("fields", r.Fields, seen)
	f.fields("optional", r.Optional, seen)
	f.kinds(r)
	f.labelText("passed", r.Passed)
	f.labelText("failed", r.Failed)
	if r.passed() == r.failed() {
		f.add("failed", "passed and failed are the same label")
	}
	if r.Direction > evaluators.LowerIsBetter {
		f.add("direction", "is not higher_is_better or lower_is_better")
	}
	switch {
	case r.Scale != nil && len(r.Labels) > 0:
		f.add("scale", "labels and scale are both given; an answer is one or the other")
	case r.Scale != nil:
		f.scale(r)
	case len(r.Labels) == 0:
		f.add("labels", "is missing; a rubric has labels or a scale")
	default:
		f.labels(r)
	}
	if len(f) == 0 {
		f.decides(r)
	}
	return f
}

func (f *faults) name(name string) {
	switch _, isKind := evaluators.KindByName(name); {
	case name == "":
		f.add("name", "is missing")
	case !metricName.MatchString(name):
		f.add("name", "must be lower case letters, digits and underscores, a letter first, at most 64")
	case isKind:
		f.add("name", "is that of a kind of invocations")
	}
}

// text checks a text that goes into the prompt.
func (f *faults) text(path, text string, required bool) {
	switch {
	case required && evaluators.Blank(text):
		f.add(path, "is missing or empty")
	case len(text) > maxRubricText:
		f.add(path, "has more than %d bytes", maxRubricText)
	case !utf8.ValidString(text):
		f.add(path, "is not valid UTF-8")
	}
}

// labelText checks a label that is emitted.
func (f *faults) labelText(path, label string) {
	switch {
	case label == "":
	case evaluators.Blank(label):
		f.add(path, "is blank")
	case len(label) > maxLabelText:
		f.add(path, "has more than %d bytes", maxLabelText)
	case !utf8.ValidString(label) || strings.ContainsFunc(label, unicode.IsControl):
		f.add(path, "has characters that cannot be emitted")
	}
}

func (f *faults) fields(list string, names []string, seen map[fields]bool) {
	for i, name := range names {
		path := fmt.Sprintf("%s[%d]", list, i)
		field := fieldNames[name]
		switch {
		case field == 0:
			f.add(path, "is not one of %s", strings.Join(rubricFields, ", "))
		case field == fieldOutput && list == "optional":
			f.add(path, "the output is always needed")
		case seen[field]:
			f.add(path, "%s is listed twice", name)
		}
		seen[field] = true
	}
}

func (f *faults) kinds(r *Rubric) {
	for i, k := range r.Kinds {
		path := fmt.Sprintf("kinds[%d]", i)
		switch {
		case !slices.Contains(evaluators.EvaluatedKinds(), k):
			f.add(path, "is not one of %s", kindNames())
		case slices.Index(r.Kinds, k) < i:
			f.add(path, "%s is listed twice", k)
		}
	}
}

func kindNames() string {
	var names []string
	for _, k := range evaluators.EvaluatedKinds() {
		names = append(names, k.String())
	}
	return strings.Join(names, ", ")
}

func (f *faults) scale(r *Rubric) {
	s := r.Scale
	switch {
	case s.Min < -maxGrade || s.Min > maxGrade:
		f.add("scale.min", "is not in %d…%d", -maxGrade, maxGrade)
		return
	case s.Max < -maxGrade || s.Max > maxGrade:
		f.add("scale.max", "is not in %d…%d", -maxGrade, maxGrade)
		return
	case s.Min == s.Max:
		f.add("scale.max", "is the same as min, %d: all answers would be the same", s.Min)
		return
	case s.Min > s.Max:
		f.add("scale.max", "is %d, below min, %d", s.Max, s.Min)
		return
	case s.Max-s.Min > maxScaleSpan:
		f.add("scale.max", "is more than %d above min", maxScaleSpan)
		return
	}
	for _, grade := range slices.Sorted(maps.Keys(s.Anchors)) {
		path := fmt.Sprintf("scale.anchors[%d]", grade)
		if !s.has(grade) {
			f.add(path, "is not on the scale %d…%d", s.Min, s.Max)
		}
		f.text(path, s.Anchors[grade], true)
	}
	if t := r.Threshold; t != math.Trunc(t) || !(t >= float64(s.Min) && t <= float64(s.Max)) { // NaN too
		f.add("threshold", "must be a whole number on the scale %d…%d", s.Min, s.Max)
	}
}

func (f *faults) labels(r *Rubric) {
	if len(r.Labels) < 2 || len(r.Labels) > maxRubricList {
		f.add("labels", "has %d, not 2 to %d", len(r.Labels), maxRubricList)
	}
	seen := map[string]bool{}
	for i, l := range r.Labels {
		path := fmt.Sprintf("labels[%d].", i)
		switch {
		case l.Name == "":
			f.add(path+"name", "is missing")
		case !metricName.MatchString(l.Name):
			f.add(path+"name", "must be lower case letters, digits and underscores, a letter first, at most 64")
		case seen[fold(l.Name)]:
			f.add(path+"name", "%s is there twice", l.Name)
		}
		seen[fold(l.Name)] = true
		if !within01(l.Score) {
			f.add(path+"score", "is not in 0…1")
		}
		f.labelText(path+"label", l.Label)
		f.text(path+"when", l.When, false)
	}
	if !within01(r.Threshold) {
		f.add("threshold", "is not in 0…1")
	}
}

// decides checks that the threshold of a rubric without other faults tells
// scores apart.
func (f *faults) decides(r *Rubric) {
	scores := []float64{0, 1} // the ends of a scale
	if r.Scale == nil {
		scores = nil
		for _, l := range r.Labels {
			scores = append(scores, l.Score)
		}
	}
	m := r.metric()
	passing := 0
	for _, s := range scores {
		if m.Passes(s) {
			passing++
		}
	}
	switch passing {
	case 0:
		f.add("threshold", "no answer passes it")
	case len(scores):
		f.add("threshold", "every answer passes it")
	}
}
