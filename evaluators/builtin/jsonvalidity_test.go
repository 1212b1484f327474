package builtin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

const orderSchema = `{
	"type": "object",
	"properties": {"id": {"$ref": "#/$defs/id"}, "items": {"type": "array", "items": {"$ref": "#/$defs/id"}, "maxItems": 3}},
	"required": ["id"],
	"additionalProperties": false,
	"$defs": {"id": {"type": "integer", "minimum": 1}}
}`

func TestJSONValidity(t *testing.T) {
	fence := []string{"fence", "true"}
	schema := []string{"schema", orderSchema, "fence", "true"}
	for name, tt := range map[string]struct {
		output    string
		options   []string
		want, why string
	}{
		"object":                {` {"a": [1, null, "x"]} `, nil, "Valid", "an object"},
		"array":                 {"[]", nil, "Valid", "an array"},
		"scalar":                {"-12.5e3", nil, "Valid", "a number"},
		"prose":                 {"Here you are: {}", nil, "Invalid", "not JSON at character 1"},
		"broken":                {"{\n  \"a\": 1,\n}", nil, "Invalid", "not JSON at line 3, character 1"},
		"cut off":               {`{"a": [1, 2`, nil, "Invalid", "it ends too early"},
		"twice":                 {"{} {}", nil, "Invalid", "character 4"},
		"single quotes":         {"{'a': 1}", nil, "Invalid", "character 2"},
		"not UTF-8":             {"\"\xff\"", nil, "Invalid", "not UTF-8"},
		"fence not allowed":     {"```json\n{}\n```", nil, "Invalid", "fence=true"},
		"fence":                 {"```json\n{}\n```\n", fence, "Valid", "an object"},
		"fence, broken inside":  {"```\n{]\n```", fence, "Invalid", "not JSON at character 2"},
		"fence with prose":      {"Here:\n```json\n{}\n```", fence, "Invalid", "not JSON at character 1"},
		"fence on one line":     {"```{}```", fence, "Invalid", "not JSON"},
		"by the schema":         {`{"id": 7, "items": [1, 2]}`, schema, "Valid", "by the schema"},
		"missing":               {`{"items": []}`, schema, "Invalid", `missing properties: ["id"]`},
		"one too many":          {`{"id": 1, "total": 2}`, schema, "Invalid", "total"},
		"of another type":       {`{"id": "seven"}`, schema, "Invalid", "/$defs/id"},
		"null":                  {"null", schema, "Invalid", "schema"},
		"schema, broken":        {`{"id": 1`, schema, "Invalid", "ends too early"},
		"number beyond float":   {`{"id": 1e999}`, schema, evaluators.SkipNeedsJudge, "too big"},
		"deep":                  {strings.Repeat("[", 9000) + strings.Repeat("]", 9000), schema, "Invalid", "schema"},
		"too deep":              {strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), nil, "Invalid", "exceeded max depth"},
		"5 MB":                  {"[" + strings.Repeat("1,", 5<<19) + "1]", nil, "Valid", "an array"},
		"too long for a schema": {"[" + strings.Repeat("1,", 200_000) + "1]", schema, evaluators.SkipContentTruncated, "too long"},
		"too long and broken":   {"[" + strings.Repeat("1,", 200_000) + "]", schema, "Invalid", "not JSON at character 400002"},
	} {
		t.Run(name, func(t *testing.T) {
			verdict(t, ask(t, "json_validity", &evaluators.Case{Output: tt.output}, tt.options...), tt.want, tt.why)
		})
	}
}

func TestSchemaIsReadOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "order.json")
	if err := os.WriteFile(file, []byte("\ufeff"+orderSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	m := evaluators.Metric{Name: "json_validity", Params: map[string]string{"schema": file}}
	m, e := prepare(t, m)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{`{"id": 1}`: "Valid", `{"id": 0}`: "Invalid"} {
		verdict(t, e.Evaluate(t.Context(), &evaluators.Case{Output: output}, []evaluators.Metric{m})[0], want, "")
	}
}
