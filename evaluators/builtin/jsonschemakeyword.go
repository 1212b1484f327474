package builtin

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// schemaType says what a keyword of a schema takes.
type schemaType int

const (
	anything      schemaType = iota
	aText                    // a string
	aTruth                   // true or false
	aNumber                  // any
	aPositive                // a number above 0
	aCount                   // a whole number from 0
	someTypes                // the name of a type, or several
	differentOnes            // a list of strings, no two alike
	requirements             // such lists by name
	oneOrMore                // a list with something in it
	aSchema                  // a schema
	schemas                  // a list of schemas, with one in it at least
	namedSchemas             // schemas by name
	itemSchemas              // a schema or a list of them
	dependency               // schemas, or lists of strings, by name
)

// schemaKeywords are those of JSON Schema 2020-12 and draft 7.
var schemaKeywords = map[string]schemaType{
	"$id": aText, "$schema": aText, "$ref": aText, "$comment": aText, "$anchor": aText, "$dynamicRef": aText, "$dynamicAnchor": aText,
	"$vocabulary": anything, "title": aText, "description": aText, "default": anything, "examples": anything,
	"deprecated": aTruth, "readOnly": aTruth, "writeOnly": aTruth,
	"type": someTypes, "enum": oneOrMore, "const": anything, "format": aText, "pattern": aText,
	"multipleOf": aPositive, "minimum": aNumber, "maximum": aNumber, "exclusiveMinimum": aNumber, "exclusiveMaximum": aNumber,
	"minLength": aCount, "maxLength": aCount, "minItems": aCount, "maxItems": aCount, "minContains": aCount, "maxContains": aCount,
	"minProperties": aCount, "maxProperties": aCount, "uniqueItems": aTruth, "required": differentOnes, "dependentRequired": requirements,
	"$defs": namedSchemas, "definitions": namedSchemas, "properties": namedSchemas, "patternProperties": namedSchemas, "dependentSchemas": namedSchemas,
	"dependencies": dependency, "items": itemSchemas, "prefixItems": schemas, "allOf": schemas, "anyOf": schemas, "oneOf": schemas,
	"additionalItems": aSchema, "unevaluatedItems": aSchema, "contains": aSchema, "additionalProperties": aSchema, "propertyNames": aSchema,
	"unevaluatedProperties": aSchema, "not": aSchema, "if": aSchema, "then": aSchema, "else": aSchema, "contentSchema": aSchema,
	"contentEncoding": aText, "contentMediaType": aText,
}

var typeNames = []string{"null", "boolean", "object", "array", "number", "integer", "string"}

// schemaBounds are pairs of which the first may not exceed the second: no value
// would be by the schema, and every output Invalid.
var schemaBounds = [...][2]string{
	{"minimum", "maximum"}, {"exclusiveMinimum", "exclusiveMaximum"}, {"minLength", "maxLength"},
	{"minItems", "maxItems"}, {"minContains", "maxContains"}, {"minProperties", "maxProperties"},
}

// checkKeywords refuses a schema that says something else than it seems to: the
// library that checks values by it skips what it does not know, such as a type
// that there is not. Keywords that it does not know are notes, unless they look
// like a known one misspelled.
func checkKeywords(schema any) error {
	switch s := schema.(type) {
	case bool:
		return nil
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(s)) {
			takes, known := schemaKeywords[name]
			if !known {
				if meant := keywordLike(name); meant != "" {
					return fmt.Errorf("there is no keyword %s; it may be meant to be %s", clean(name, 20), meant)
				}
				continue
			}
			if err := takes.check(s[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, b := range schemaBounds {
			least, lower := s[b[0]].(float64)
			most, upper := s[b[1]].(float64)
			if lower && upper && least > most {
				return fmt.Errorf("%s is more than %s: nothing can be by it", b[0], b[1])
			}
		}
		return nil
	}
	return errors.New("a schema is an object, true or false")
}

// check reports why a keyword does not take a value.
func (t schemaType) check(value any) error {
	switch v := value.(type) {
	case nil:
		if t != anything {
			return errors.New("null says nothing")
		}
		return nil
	case float64:
		switch {
		case t == aPositive && v <= 0:
			return errors.New("want a number above 0")
		case t == aCount && (v < 0 || v != math.Trunc(v)):
			return errors.New("want a whole number from 0")
		}
		return t.wants(aNumber, aPositive, aCount)
	case string:
		if t == someTypes {
			return knownType(v)
		}
		return t.wants(aText)
	case bool:
		return t.wants(aTruth, aSchema, itemSchemas)
	case []any:
		return t.checkList(v)
	case map[string]any:
		return t.checkObject(v)
	}
	return nil
}

func (t schemaType) checkList(list []any) error {
	if len(list) == 0 && (t == someTypes || t == schemas || t == oneOrMore) {
		return errors.New("the list is empty")
	}
	switch t {
	case someTypes, differentOnes:
		seen := make(map[string]bool)
		for _, e := range list {
			text, ok := e.(string)
			if !ok {
				return errors.New("want a list of strings")
			}
			if seen[text] {
				return fmt.Errorf("%s is there twice", clean(text, 50))
			}
			seen[text] = true
			if t == someTypes {
				if err := knownType(text); err != nil {
					return err
				}
			}
		}
		return nil
	case schemas, itemSchemas:
		for _, e := range list {
			if err := checkKeywords(e); err != nil {
				return err
			}
		}
		return nil
	}
	return t.wants(oneOrMore)
}

func (t schemaType) checkObject(object map[string]any) error {
	switch t {
	case aSchema, itemSchemas:
		return checkKeywords(object)
	case namedSchemas, requirements, dependency:
		for _, name := range slices.Sorted(maps.Keys(object)) {
			var err error
			list, isList := object[name].([]any)
			switch {
			case t == requirements, t == dependency && isList:
				if !isList {
					err = errors.New("want a list of strings")
				} else {
					err = differentOnes.checkList(list)
				}
			default:
				err = checkKeywords(object[name])
			}
			if err != nil {
				return fmt.Errorf("%s: %w", clean(name, 50), err)
			}
		}
		return nil
	}
	return t.wants()
}

// wants is an error unless the keyword takes anything, or one of these.
func (t schemaType) wants(these ...schemaType) error {
	if t == anything || slices.Contains(these, t) {
		return nil
	}
	return errors.New("does not take such a value")
}

func knownType(name string) error {
	if slices.Contains(typeNames, name) {
		return nil
	}
	return fmt.Errorf("there is no type %q", clean(name, 50))
}

// keywordLike returns the keyword that a name is a misspelling of: one letter too
// many, too few or another one, two swapped, or another case.
func keywordLike(name string) string {
	for _, k := range slices.Sorted(maps.Keys(schemaKeywords)) {
		if len(k) >= 4 && misspelled(k, name) {
			return k
		}
	}
	return ""
}

func misspelled(want, got string) bool {
	want, got = fold(want), fold(got)
	if len(got) < len(want)-1 || len(got) > len(want)+1 {
		return false
	}
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	a, b := want[i:], got[i:]
	switch {
	case len(a) < len(b):
		return a == b[1:]
	case len(a) > len(b):
		return a[1:] == b
	case a == "", a[1:] == b[1:]:
		return true
	}
	return len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
