package builtin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// A schema that does not say what it seems to would call every output Valid, or
// every one Invalid: it is refused before anything is judged.
func TestSchemasThatDoNotSayWhatTheySeemToAreRefused(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type": "strng"}`:                                    `there is no type "strng"`,
		`{"type": "String"}`:                                   `there is no type "String"`,
		`{"type": ["string", "nul"]}`:                          `there is no type "nul"`,
		`{"type": []}`:                                         `empty`,
		`{"type": ["string", "string"]}`:                       `twice`,
		`{"type": null}`:                                       `null`,
		`{"type": {"type": "string"}}`:                         `type`,
		`{"properties": {"id": {"type": "int"}}}`:              `properties: id: type: there is no type "int"`,
		`{"items": {"type": "text"}}`:                          `there is no type`,
		`{"items": [{"type": "text"}]}`:                        `there is no type`,
		`{"prefixItems": [{"type": "text"}]}`:                  `there is no type`,
		`{"$defs": {"a": {"type": "text"}}}`:                   `there is no type`,
		`{"anyOf": [{"not": {"type": "text"}}]}`:               `there is no type`,
		`{"additionalProperties": {"type": "text"}}`:           `there is no type`,
		`{"dependencies": {"a": {"type": "text"}}}`:            `there is no type`,
		`{"if": {"type": "text"}, "then": true}`:               `there is no type`,
		`{"minLength": -1}`:                                    `minLength: want a whole number from 0`,
		`{"maxLength": 2.5}`:                                   `whole number`,
		`{"minItems": -3}`:                                     `whole number`,
		`{"maxProperties": "3"}`:                               `maxProperties`,
		`{"minContains": -1}`:                                  `whole number`,
		`{"minLength": null}`:                                  `null`,
		`{"minLength": 5, "maxLength": 2}`:                     `minLength is more than maxLength`,
		`{"minimum": 5, "maximum": 2}`:                         `minimum is more than maximum`,
		`{"multipleOf": 0}`:                                    `above 0`,
		`{"multipleOf": -2}`:                                   `above 0`,
		`{"minimum": "5"}`:                                     `minimum`,
		`{"exclusiveMinimum": true}`:                           `exclusiveMinimum`,
		`{"pattern": "a("}`:                                    `missing closing )`,
		`{"pattern": 7}`:                                       `pattern`,
		`{"patternProperties": {"(": {}}}`:                     `(`,
		`{"properties": {"id": {"pattern": "[z-a]"}}}`:         `z-a`,
		`{"properties": {"id": "string"}}`:                     `a schema is an object`,
		`{"properties": []}`:                                   `properties`,
		`{"properties": null}`:                                 `null`,
		`{"items": null}`:                                      `null`,
		`{"items": "string"}`:                                  `items`,
		`{"additionalProperties": "false"}`:                    `additionalProperties`,
		`{"uniqueItems": "yes"}`:                               `uniqueItems`,
		`{"required": "id"}`:                                   `required`,
		`{"required": true}`:                                   `required`,
		`{"required": [1]}`:                                    `list of strings`,
		`{"required": ["id", "id"]}`:                           `twice`,
		`{"dependentRequired": {"a": "b"}}`:                    `list of strings`,
		`{"enum": []}`:                                         `empty`,
		`{"enum": "red"}`:                                      `enum`,
		`{"anyOf": []}`:                                        `empty`,
		`{"oneOf": {"type": "string"}}`:                        `oneOf`,
		`{"not": 7}`:                                           `not`,
		`{"$ref": "#/$defs/none", "$defs": {"some": {}}}`:      `there is no #/$defs/none`,
		`{"$ref": "#nowhere"}`:                                 `there is no #nowhere`,
		`{"requierd": ["id"]}`:                                 `may be meant to be required`,
		`{"propertys": {}}`:                                    ``, // three letters off: a note
		`{"property": {}}`:                                     ``,
		`{"propertie": {}}`:                                    `may be meant to be properties`,
		`{"MinLength": 3}`:                                     `may be meant to be minLength`,
		`{"minlength": 3}`:                                     `may be meant to be minLength`,
		`{"tpye": "string"}`:                                   `may be meant to be type`,
		`{"additionalPropertys": false}`:                       ``,
		`{"addtionalProperties": false}`:                       `may be meant to be additionalProperties`,
		`{"type": "object", "x-owner": "shop", "version": 3}`:  ``,
		`{"properties": {"type": {"type": "string"}}}`:         ``,
		`{"properties": {"minlength": {}, "required": true}}`:  ``,
		`{"const": {"type": "strng"}}`:                         ``,
		`{"enum": [{"type": "strng"}, null]}`:                  ``,
		`{"default": null, "examples": [{"minLength": -1}]}`:   ``,
		`{"dependencies": {"a": ["b"], "c": {"minItems": 1}}}`: ``,
		`{"dependentRequired": {"a": ["b"]}}`:                  ``,
		`{"items": false, "additionalProperties": true}`:       ``,
		`{"minLength": 0, "maxLength": 0, "multipleOf": 0.01}`: ``,
		`{"type": ["string", "null"], "format": "email"}`:      ``,
	} {
		_, err := builtin.New().Prepare(evaluators.Metric{Name: "json_validity", Params: map[string]string{"schema": schema}})
		wrong, refused := errors.AsType[*evaluators.ParamError](err)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", schema, err)
		case want != "" && (!refused || wrong.Param != "schema" || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %s", schema, err, want)
		}
	}
}
