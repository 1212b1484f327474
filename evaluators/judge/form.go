package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// form is what one call asks, one question or several, and how its answer is
// read. It is made once and not changed.
type form struct {
	questions []*question
	name      string // of what is learned about its answers
	shown     fields
	system    string
	schema    json.RawMessage
}

func newForm(questions ...*question) (*form, error) {
	f := &form{questions: questions, name: nameOf(questions)}
	for _, q := range questions {
		f.shown |= q.shown
	}
	var err error
	if f.system, err = renderPrompt(questions); err != nil {
		return nil, err
	}
	f.schema, err = formSchema(questions)
	return f, err
}

func nameOf(questions []*question) string {
	names := make([]string, len(questions))
	for i, q := range questions {
		names[i] = q.Name
	}
	return strings.Join(names, "+")
}

// combined reports whether the answer has a member for each question.
func (f *form) combined() bool { return len(f.questions) > 1 }

// reading is what was made of the answer to one question: an answer, or a
// problem.
type reading struct {
	answer  answer
	problem error
}

// parse reads the answer, a reading for each question. The error is why nothing
// of it can be used.
func (f *form) parse(text string) ([]reading, error) {
	if f.combined() {
		return parse(combination(f.questions), text)
	}
	a, err := f.questions[0].parse(text)
	if err != nil {
		return nil, err
	}
	return []reading{{answer: a}}, nil
}

// combination reads the answer to several questions.
type combination []*question

func (c combination) decode(text []byte) ([]reading, error) {
	if !json.Valid(text) {
		return nil, problem("it is not valid JSON")
	}
	o, err := members(text)
	if err != nil {
		return nil, err
	}
	readings, answered := c.read(o)
	if answered == 0 && len(o) == 1 && wraps(o[0].name) {
		if inner, err := members(o[0].value); err == nil {
			readings, answered = c.read(inner)
		}
	}
	if answered == 0 {
		return nil, problem("the object has no verdict on any metric")
	}
	return readings, nil
}

// read reads each metric's member and counts the answers.
func (c combination) read(o object) (readings []reading, answered int) {
	readings = make([]reading, len(c))
	for i, q := range c {
		r := &readings[i]
		value := o.get(fold(q.Name))
		if value == nil {
			r.problem = problem(fmt.Sprintf("the object has no %q", q.Name))
			continue
		}
		if r.answer, r.problem = q.decode(value); r.problem == nil {
			answered++
		}
	}
	return readings, answered
}

func (c combination) decides(object []byte) bool {
	wanted := make([]string, len(c))
	for i, q := range c {
		wanted[i] = q.Name
	}
	return names(object, wanted...)
}

// contradicts reports whether a text names an option that no answer has.
func (c combination) contradicts(rest string, readings []reading) bool {
	said := make(map[string]bool)
	for i, q := range c {
		a := readings[i].answer
		switch {
		case readings[i].problem != nil || q.Scale != nil:
		case q.claims:
			for _, claim := range a.claims {
				said[fold(q.Options[claim.option].Name)] = true
			}
		default:
			said[fold(q.Options[a.option].Name)] = true
		}
	}
	var options []mention
	for _, q := range c {
		for _, o := range q.Options {
			options = append(options, mention{fold(o.Name), said[fold(o.Name)]})
		}
	}
	return mentions(rest, options)
}

// forms remembers the forms of combined calls: a plan has few.
type forms struct {
	mu    sync.Mutex
	known map[string]*form
}

// maxForms bounds what is remembered, for plans in which each metric is sampled
// on its own and any subset of them can come together.
const maxForms = 256

// of returns the form that asks these questions.
func (fs *forms) of(questions []*question) (*form, error) {
	if len(questions) == 1 {
		return questions[0].form, nil
	}
	key := nameOf(questions)
	fs.mu.Lock()
	f := fs.known[key]
	fs.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := newForm(questions...)
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if err == nil && len(fs.known) < maxForms {
		if fs.known == nil {
			fs.known = make(map[string]*form)
		}
		fs.known[key] = f
	}
	return f, err
}
