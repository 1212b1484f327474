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
	if err := checkReferences(data); err != nil {
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
func checkReferences(data []byte) error {
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return err
	}
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
		if a, ok := v["$anchor"].(string); ok {
			g.anchors[a] = at
		}
		if id, ok := v["$id"].(string); ok && at != "" {
			if !strings.HasPrefix(id, "#") {
				return errors.New("an $id inside a schema is not taken")
			}
			g.anchors[id[1:]] = at
		}
		for _, key := range []string{"$dynamicRef", "$recursiveRef"} {
			if _, ok := v[key].(string); ok {
				return fmt.Errorf("%s is not taken", key)
			}
		}
		for k, e := range v {
			if err := g.collect(at+"/"+pointerEscape.Replace(k), e); err != nil {
				return err
			}
		}
	}
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
			// Definitions count where they are used.
			if k == "$defs" || k == "definitions" {
				continue
			}
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
	if at, ok := g.anchors[pointer]; ok {
		return at, nil
	}
	if _, ok := g.nodes[pointer]; !ok {
		return "", fmt.Errorf("there is no %s", clean(ref, 100))
	}
	return pointer, nil
}
