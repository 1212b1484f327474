package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// Whatever a schema, an expression or a list says, it is refused or works.
func FuzzPrepare(f *testing.F) {
	for _, seed := range [][4]string{
		{`{"type": "object", "required": ["a"]}`, `a|b`, "a|b", `{"a": 1}`},
		{`{"$ref": "#/$defs/a", "$defs": {"a": {"type": ["null", "string"]}}}`, `(a{1,9}){1,9}$`, "|", `null`},
		{`{"items": {"anyOf": [{"const": 1}, {"not": {}}]}, "uniqueItems": true}`, `(?i)ſ\b`, "ſ", `[1, 1]`},
		{`{"patternProperties": {"^a": false}, "$schema": "http://json-schema.org/draft-07/schema#"}`, `\pL+`, " a | b ", "```\n{\"a\": 1}\n```"},
		{`{"if": {}, "then": {"multipleOf": 0.1}, "dependentSchemas": {"a": {}}}`, `[`, "é", `1e300`},
		{`{"enum": [null], "default": 1, "minContains": 2, "contains": {}, "unevaluatedItems": false}`, `^`, "x", `[]`},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, schema, pattern, texts, output string) {
		e := builtin.New()
		for metric, params := range map[string]map[string]string{
			"json_validity": {"schema": "{" + strings.TrimPrefix(schema, "{"), "fence": "on"},
			"pattern_match": {"pattern": pattern, "absent": pattern, "ignore_case": "on"},
			"contains":      {"all": texts, "absent": texts, "ignore_case": "on"},
			"personal_data": {"kinds": texts},
			"language":      {"expect": texts},
		} {
			m, err := e.Prepare(evaluators.Metric{Name: metric, Params: params})
			if err != nil {
				continue
			}
			r := e.Evaluate(t.Context(), &evaluators.Case{Output: output, Input: output}, []evaluators.Metric{m})[0]
			if r.Outcome == evaluators.OutcomeFailed || r.Score < 0 || r.Score > 1 || r.Explanation == "" {
				t.Errorf("%s %v: %+v", metric, params, r)
			}
		}
	})
}
