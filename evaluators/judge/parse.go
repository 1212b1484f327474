package judge

import (
	"encoding/json"
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

// reader reads one JSON object as an answer, tells whether an object was meant
// as one, and whether what follows an answer names another.
type reader[A any] interface {
	decode(object []byte) (A, error)
	decides(object []byte) bool
	contradicts(rest string, a A) bool
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
// it. So does any other text after an answer that names another option: it may
// be the verdict in another form, and the answer before it a quotation. Braces
// are never closed on the judge's behalf, and nothing is read out of prose.
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
	for i, at := range slices.Backward(objects) {
		object := []byte(text[at.begin:at.end])
		a, e := r.decode(object)
		if e != nil && i == len(objects)-1 {
			if relaxed, changed := relax(object); changed {
				a, e = r.decode(relaxed)
			}
		}
		if e == nil && r.contradicts(text[at.end:], a) {
			return none, problem("what follows the JSON object may be another verdict")
		}
		if e == nil {
			return a, nil
		}
		decides := r.decides(object)
		if i == len(objects)-1 || decides {
			err = e
		}
		if decides {
			break
		}
	}
	return none, err
}

// decides reports whether an object, readable or not, has the member that
// decides, or looks as if it should.
func (q *question) decides(object []byte) bool { return names(object, q.decidingMember()) }

// names reports whether an object has one of the members, or looks as if it
// should: names can be written in escapes.
func names(object []byte, wanted ...string) bool {
	if json.Valid(object) {
		if o, err := members(object); err == nil {
			return slices.ContainsFunc(wanted, func(name string) bool { return o.get(fold(name)) != nil })
		}
	}
	folded := fold(string(object))
	return strings.Contains(folded, `\u`) ||
		slices.ContainsFunc(wanted, func(name string) bool { return strings.Contains(folded, `"`+fold(name)+`"`) })
}

// contradicts reports whether a text names an option that is not in the answer.
func (q *question) contradicts(rest string, a answer) bool {
	said := make([]bool, len(q.Options))
	if q.claims {
		for _, c := range a.claims {
			said[c.option] = true
		}
	} else if q.Scale == nil {
		said[a.option] = true
	}
	options := make([]mention, len(q.Options), len(q.Options)+1)
	for i, o := range q.Options {
		options[i] = mention{fold(o.Name), said[i]}
	}
	if q.Scale != nil {
		options = append(options, mention{name: `score`})
	}
	return mentions(rest, options)
}

// mention is a name, folded, that a text may hold, and whether it is fine there.
type mention struct {
	name string
	fine bool
}

// mentions reports whether a text holds one of the names that are not fine. The
// longest name that fits counts, since one can be a part of another.
func mentions(text string, names []mention) bool {
	if strings.TrimSpace(text) == "" {
		return false
	}
	slices.SortFunc(names, func(a, b mention) int { return len(b.name) - len(a.name) })
	for rest := fold(text); rest != ""; {
		longest := slices.IndexFunc(names, func(m mention) bool { return strings.HasPrefix(rest, m.name) })
		switch {
		case longest < 0:
			rest = rest[1:]
		case !names[longest].fine:
			return true
		default:
			rest = rest[len(names[longest].name):]
		}
	}
	return false
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
