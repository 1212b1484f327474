package yamltext

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Reader reads nodes by the form that they should have, and reports those that
// have another. A path, such as labels[1].score, leads to each; the reader
// remembers where it was, so that what is found wrong later can be told with its
// place, and once.
type Reader struct {
	report Report
	at     map[string]*yaml.Node
	bad    map[string]bool // paths that have been reported
}

// NewReader returns a reader of what is below root.
func NewReader(root *yaml.Node, report Report) *Reader {
	return &Reader{report: report, at: map[string]*yaml.Node{"": root}, bad: map[string]bool{}}
}

// Fail reports what is wrong with the node at a path.
func (r *Reader) Fail(n *yaml.Node, path, format string, args ...any) {
	r.bad[path] = true
	msg := fmt.Sprintf(format, args...)
	if path != "" {
		msg = path + " " + msg
	}
	r.report(n.Line, n.Column, msg)
}

// Told reports whether a path, or what it is part of, has been reported. What
// else is wrong with it would follow from that.
func (r *Reader) Told(path string) bool {
	for ; path != ""; path = parent(path) {
		if r.bad[path] {
			return true
		}
	}
	return r.bad[""]
}

// Position returns the node at a path or, where that is missing, what it is
// missing from.
func (r *Reader) Position(path string) *yaml.Node {
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

// Place says where a path is, for a later [Reader.Position].
func (r *Reader) Place(path string, n *yaml.Node) { r.at[path] = n }

// Silence has [Reader.Told] say of a path that it has been reported.
func (r *Reader) Silence(path string) { r.bad[path] = true }

// Members returns the values of a mapping by key; nil when it is none.
func (r *Reader) Members(path string, n *yaml.Node, known ...string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.Fail(n, path, "%s", r.found("must have keys and values", n))
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
		name := fmt.Sprintf("%.64s", key.Value) // it can be anything
		switch {
		case key.Kind != yaml.ScalarNode:
			r.report(key.Line, key.Column, "a key must be a name")
		case !slices.Contains(known, key.Value):
			r.report(key.Line, key.Column, fmt.Sprintf("unknown key %q; %s", name, Suggest(name, known)))
		case lines[key.Value] > 0:
			r.report(key.Line, key.Column, fmt.Sprintf("%s%s is there twice, first in line %d", path, name, lines[key.Value]))
		default:
			m[key.Value], lines[key.Value] = value, key.Line
			r.at[path+key.Value] = value
		}
	}
	return m
}

// Entry is a key, any text, with its value.
type Entry struct {
	Key   string
	Value *yaml.Node
}

// Entries returns the entries of a mapping whose keys are names of the user's, in
// the order of the text. path.key leads to each; one that is there twice is
// reported.
func (r *Reader) Entries(n *yaml.Node, path string) []Entry {
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.MappingNode:
		r.Fail(n, path, "%s", r.found("must have names and values", n))
		return nil
	}
	var keys []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		keys = append(keys, n.Content[i].Value)
	}
	m := r.Members(path, n, keys...)
	var out []Entry
	for _, key := range keys {
		if value := m[key]; value != nil {
			out = append(out, Entry{key, value})
			delete(m, key)
		}
	}
	return out
}

// Required reports what a mapping lacks and Go cannot tell from zero.
func (r *Reader) Required(n *yaml.Node, path string, m map[string]*yaml.Node, keys ...string) {
	for _, key := range keys {
		if m[key] == nil {
			r.Fail(n, path+key, "is missing")
		}
	}
}

// List returns the items of a list; nil where there is no node, or another.
func (r *Reader) List(n *yaml.Node, path string) []*yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.SequenceNode:
		r.Fail(n, path, "%s", r.found("must be a list", n))
		return nil
	}
	return n.Content
}

// Texts returns the texts of a list. A path[i] leads to each.
func (r *Reader) Texts(n *yaml.Node, path string) []string {
	var out []string
	for i, item := range r.List(n, path) {
		at := fmt.Sprintf("%s[%d]", path, i)
		r.at[at] = item
		out = append(out, r.Text(item, at))
	}
	return out
}

// Text returns a text; empty where there is no node.
func (r *Reader) Text(n *yaml.Node, path string) string {
	if !r.Scalar(n, path, "must be text; put it in quotes", "!!str") {
		return ""
	}
	return n.Value
}

// Number returns a number; 0 where there is no node.
func (r *Reader) Number(n *yaml.Node, path string) (x float64) {
	if r.Scalar(n, path, "must be a number", "!!int", "!!float") && n.Decode(&x) != nil {
		r.Fail(n, path, "must be a number")
	}
	return x
}

// Integer returns a whole number; 0 where there is no node.
func (r *Reader) Integer(n *yaml.Node, path string) (x int) {
	if r.Scalar(n, path, "must be a whole number", "!!int") && (octal(n.Value) || n.Decode(&x) != nil) {
		r.Fail(n, path, "must be a whole number")
	}
	return x
}

// octal reports whether YAML would read a number with a leading zero as octal,
// which nobody means who writes it.
func octal(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return len(s) > 1 && s[0] == '0'
}

// Boolean returns a boolean, or the other value where there is no node.
func (r *Reader) Boolean(n *yaml.Node, path string, otherwise bool) bool {
	if !r.Scalar(n, path, "must be true or false", "!!bool") {
		return otherwise
	}
	var b bool
	if n.Decode(&b) != nil {
		r.Fail(n, path, "must be true or false")
	}
	return b
}

// Scalar reports whether a value is there and of one of the types.
func (r *Reader) Scalar(n *yaml.Node, path, want string, tags ...string) bool {
	switch {
	case n == nil:
		return false
	case n.Kind != yaml.ScalarNode || !slices.Contains(tags, n.ShortTag()):
		r.Fail(n, path, "%s", r.found(want, n))
		return false
	}
	return true
}

// found says what is wanted, or that what is there can be nothing of the kind.
func (r *Reader) found(want string, n *yaml.Node) string {
	switch {
	case n.Kind == yaml.AliasNode:
		return "is an alias; aliases are not read"
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		return "is empty"
	}
	return want
}
