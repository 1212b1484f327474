package builtin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

const (
	longestSchema = 1 << 20 // bytes
	// mostSteps bounds a schema when all references in it are followed. Checking
	// a value takes at most so many steps for each of its parts.
	mostSteps = 100_000

	wantSchema = "a JSON schema, or the path of a file with one"
)

// readSchema reads and resolves the schema once.
func readSchema(s *settings) *jsonschema.Resolved {
	text := s.text("schema", longestSchema)
	if text == "" || s.err != nil {
		return nil
	}
	schema, err := parseSchema(strings.TrimSpace(text))
	if err != nil {
		s.refuse("schema", wantSchema, err)
		return nil
	}
	return schema
}

func parseSchema(text string) (*jsonschema.Resolved, error) {
	data := []byte(text)
	if !strings.HasPrefix(text, "{") {
		var err error
		if data, err = readFile(text); err != nil {
			return nil, err
		}
	}
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return nil, err
	}
	if err := checkReferences(root); err != nil {
		return nil, err
	}
	if err := checkKeywords(root); err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		return nil, err
	}
	return schema.Resolve(nil)
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name) //nolint:gosec // the operator names it
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(f, longestSchema+1))
	if err == nil && len(data) > longestSchema {
		err = fmt.Errorf("%s has more than %d bytes", name, longestSchema)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), err
}

// checkReferences refuses a schema whose cost for a hostile value has no bound.
// A schema that refers to itself can take time without end (two branches of a
// oneOf that both go on with the same part double the work at each level of
// nesting), or recurse until the stack is full, which nothing can recover from.
func checkReferences(root any) error {
	g := references{nodes: map[string]any{}, anchors: map[string]string{}, size: map[string]int{}}
	if err := g.collect("", root); err != nil {
		return err
	}
	_, err := g.steps("")
	return err
}

// references is a schema as a graph: each value in it by its JSON pointer.
type references struct {
	nodes   map[string]any
	anchors map[string]string
	size    map[string]int // 0: being looked at
}

func (g references) collect(at string, value any) error {
	g.nodes[at] = value
	switch v := value.(type) {
	case []any:
		for i, e := range v {
			if err := g.collect(at+"/"+strconv.Itoa(i), e); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, e := range v {
			if err := g.keyword(at, k, e); err != nil {
				return err
			}
			if err := g.collect(at+"/"+pointerEscape.Replace(k), e); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyword looks for the names of places, and refuses what would make it unsure
// where a reference leads. A keyword in another case is one that is misspelled.
func (g references) keyword(at, key string, value any) error {
	text, ok := value.(string)
	if !ok {
		return nil
	}
	for _, k := range [...]string{"$ref", "$id", "$anchor", "$dynamicRef", "$recursiveRef"} {
		if key != k && strings.EqualFold(key, k) {
			return fmt.Errorf("%s is not taken; it may be meant to be %s", clean(key, 20), k)
		}
	}
	switch key {
	case "$anchor":
		return g.anchor(text, at)
	case "$id":
		if at == "" {
			break
		}
		name, local := strings.CutPrefix(text, "#")
		if !local {
			return errors.New("an $id inside a schema is not taken")
		}
		return g.anchor(name, at)
	case "$dynamicRef", "$recursiveRef":
		return fmt.Errorf("%s is not taken", key)
	}
	return nil
}

func (g references) anchor(name, at string) error {
	if _, taken := g.anchors[name]; taken {
		return fmt.Errorf("there are two anchors %q", clean(name, 100))
	}
	g.anchors[name] = at
	return nil
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// steps counts what is below a place, references followed.
func (g references) steps(at string) (int, error) {
	if n, ok := g.size[at]; ok {
		if n == 0 {
			return 0, errors.New("a schema that refers to itself is not taken")
		}
		return n, nil
	}
	g.size[at] = 0
	n := 1
	add := func(below string) error {
		m, err := g.steps(below)
		if n += m; err == nil && n > mostSteps {
			err = fmt.Errorf("with its references followed it has more than %d parts", mostSteps)
		}
		return err
	}
	switch v := g.nodes[at].(type) {
	case []any:
		for i := range v {
			if err := add(at + "/" + strconv.Itoa(i)); err != nil {
				return 0, err
			}
		}
	case map[string]any:
		for k := range v {
			if err := add(at + "/" + pointerEscape.Replace(k)); err != nil {
				return 0, err
			}
		}
		if ref, ok := v["$ref"].(string); ok {
			target, err := g.target(ref)
			if err != nil {
				return 0, err
			}
			if err := add(target); err != nil {
				return 0, err
			}
		}
	}
	g.size[at] = n
	return n, nil
}

// target finds what a $ref refers to.
func (g references) target(ref string) (string, error) {
	fragment, local := strings.CutPrefix(ref, "#")
	if !local {
		return "", fmt.Errorf("a reference to another document is not taken: %s", clean(ref, 100))
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return "", err
	}
	at, ok := pointer, true
	if pointer != "" && pointer[0] != '/' {
		at, ok = g.anchors[pointer]
	}
	if _, known := g.nodes[at]; !ok || !known {
		return "", fmt.Errorf("there is no %s", clean(ref, 100))
	}
	return at, nil
}
