package judge

import (
	"fmt"
	"slices"
	"strings"
)

// problem is why an answer cannot be used, in words that may be sent back to
// the judge: it never quotes the answer.
type problem string

func (p problem) Error() string { return string(p) }

// maxAnswer bounds what is parsed. Answers are bounded in tokens, so anything
// longer is not one.
const maxAnswer = 1 << 20

// reader reads one JSON object as an answer, and tells whether an object was
// meant as one.
type reader[A any] interface {
	decode(object []byte) (A, error)
	decides(object []byte) bool
}

// parse finds the answer to q in what the judge wrote, or says why there is
// none.
func (q *question) parse(text string) (answer, error) { return parse(q, text) }

// parse finds the answer in what the judge wrote, or says why there is none. It
// takes, in this order:
//
//  1. the whole text as one JSON object;
//  2. what is left after the train of thought: its last object that is an
//     answer. The last, because text quoted from the evaluated document comes
//     before the verdict on it. The last object of all may also be relaxed JSON
//     (comments, trailing commas, raw control characters).
//
// An object that has the deciding member and still is no answer ends the
// search: it was meant as the verdict, so nothing before it may stand in for
// it. Braces are never closed on the judge's behalf, and nothing is read out
// of prose.
func parse[A any](r reader[A], text string) (none A, _ error) {
	if len(text) > maxAnswer {
		return none, problem("the answer is too long")
	}
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\ufeff"))
	if a, err := r.decode([]byte(text)); err == nil {
		return a, nil
	}
	text, err := afterThought(text)
	if err != nil {
		return none, err
	}
	objects, err := topLevelObjects([]byte(text))
	if err != nil {
		return none, err
	}
	err = problem("there is no JSON object in it")
	for i, object := range slices.Backward(objects) {
		a, e := r.decode(object)
		if e != nil && i == len(objects)-1 {
			if relaxed, changed := relax(object); changed {
				a, e = r.decode(relaxed)
			}
		}
		if e == nil {
			return a, nil
		}
		if i == len(objects)-1 || r.decides(object) {
			err = e
		}
		if r.decides(object) {
			break
		}
	}
	return none, err
}

// decides reports whether an object, readable or not, has the member that
// decides, or looks as if it should.
func (q *question) decides(object []byte) bool {
	return strings.Contains(fold(string(object)), `"`+q.decidingMember()+`"`)
}

func (q *question) decidingMember() string {
	switch {
	case q.claims:
		return "claims"
	case q.Scale != nil:
		return "score"
	}
	return "label"
}

// thoughtTags are how local models mark a train of thought that their server
// did not separate from the message.
var thoughtTags = [...]struct{ begin, end string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
}

// afterThought returns what follows the train of thought. One that was begun
// and not ended leaves no message.
func afterThought(text string) (string, error) {
	for _, tag := range thoughtTags {
		if i := strings.LastIndex(text, tag.end); i >= 0 {
			text = text[i+len(tag.end):]
		}
	}
	for _, tag := range thoughtTags {
		if strings.Contains(text, tag.begin) {
			return "", problem("the reasoning was not ended before the answer")
		}
	}
	return strings.TrimSpace(text), nil
}

// fold makes names comparable: without case, blanks, hyphens and underscores.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		case r == ' ' || r == '_' || r == '-' || r == '\t' || r == '\n' || r == '\r':
			return -1
		}
		return r
	}, s)
}

// option returns the declared option that a string names.
func (q *question) option(member, s string) (int, error) {
	folded := fold(s)
	for i, o := range q.Options {
		if folded == fold(o.Name) {
			return i, nil
		}
	}
	names := make([]string, len(q.Options))
	for i, o := range q.Options {
		names[i] = o.Name
	}
	return 0, problem(fmt.Sprintf("%q must be one of %s", member, strings.Join(names, ", ")))
}
