package builtin_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

func prepare(t *testing.T, m evaluators.Metric) (evaluators.Metric, *builtin.Evaluator) {
	t.Helper()
	e := builtin.New()
	m, err := e.Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, e
}

// An option that will not do is one error with its place, and nothing runs.
func TestOptionsAreRefusedWithTheirPlace(t *testing.T) {
	directory := t.TempDir()
	big := filepath.Join(directory, "big.json")
	if err := os.WriteFile(big, []byte(strings.Repeat(" ", 2<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	schema := func(s string) string {
		return `json_validity(schema="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `")`
	}
	doubling := `{"$ref":"#/$defs/a0","$defs":{`
	for i := range 20 {
		n := string(rune('0'+i/10)) + string(rune('0'+i%10))
		next := string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10))
		doubling += `"a` + n + `":{"allOf":[{"$ref":"#/$defs/a` + next + `"},{"$ref":"#/$defs/a` + next + `"}]},`
	}
	doubling = strings.Replace(doubling, "a0\"", "a00\"", 1) + `"a20":{}}}`
	for metric, want := range map[string]string{
		"length":                               `metric length (options: min, max, unit): set min or max`,
		"length(unit=words)":                   `set min or max`,
		"length(min=abc)":                      `column 16: option "min" of metric length is "abc", want a whole number from 0 to`,
		"length(max=-1)":                       `option "max" of metric length is "-1", want`,
		"length(max=1.5)":                      `want a whole number`,
		"length(min=9,max=3)":                  `option "max" of metric length is "3", want at least min, which is 9`,
		"length(max=3,unit=lines)":             `option "unit" of metric length is "lines", want characters, words or sentences`,
		`length(max=3,unit="words|sentences")`: `want characters, words or sentences`,
		"exact_match(ignore_case=maybe)":       `want true or false`,
		"contains(ignore_case=true)":           `set all or any or absent`,
		`contains(all="a||b")`:                 `want up to 100 texts`,
		`contains(any=" ")`:                    `want up to 100 texts`,
		`contains(absent="` + strings.Repeat("x", 2000) + `")`: `at most 1024 bytes`,
		"pattern_match":                                `set pattern or absent`,
		`pattern_match(pattern="a(")`:                  `want a regular expression (RE2): error parsing regexp: missing closing )`,
		`pattern_match(pattern="(?=x)")`:               `want a regular expression (RE2)`,
		`pattern_match(absent="(a{1000}){1000}")`:      `want a regular expression (RE2)`,
		`pattern_match(absent="(abcdefghijkl){900}")`:  `instructions, more than 2000`,
		`pattern_match(pattern="")`:                    `want a text`,
		"json_validity(fence=perhaps)":                 `want true or false`,
		"json_validity(schema=/nowhere/at/all)":        `want a JSON schema, or the path of a file with one: open /nowhere`,
		"json_validity(schema=" + directory + ")":      `want a JSON schema`,
		"json_validity(schema=" + big + ")":            `has more than 1048576 bytes`,
		schema(`{"type":`):                             `want a JSON schema`,
		schema(`{"type": 7}`):                          `want a JSON schema`,
		schema(`{"pattern": "a("}`):                    `want a JSON schema`,
		schema(`{"$ref": "#"}`):                        `refers to itself`,
		schema(`{"properties": {"a": {"$ref": "#"}}}`): `refers to itself`,
		schema(`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#b"}, "b": {"$anchor": "b", "$ref": "#/$defs/a"}}}`): `refers to itself`,
		schema(`{"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"not": {"$ref": "#/%24defs/a~1b"}}}}`):                   `refers to itself`,
		schema(`{"$ref": "https://schemas.shop/order"}`):                                                            `a reference to another document is not taken`,
		schema(`{"$ref": "#/$defs/none"}`):                                                                          `there is no #/$defs/none`,
		schema(`{"$dynamicRef": "#x"}`):                                                                             `$dynamicRef is not taken`,
		schema(`{"$defs": {"a": {"$id": "a"}}}`):                                                                    `an $id inside a schema is not taken`,
		schema(`{"$Ref": "#"}`):                                                                                     `may be meant to be $ref`,
		schema(`{"dependentSchemas": {"$defs": {"$ref": "#"}}}`):                                                    `refers to itself`,
		schema(`{"properties": {"definitions": {"items": {"$ref": "#"}}}}`):                                         `refers to itself`,
		schema(`{"$ref": "#a", "$anchor": "b", "items": [{"$anchor": "a"}, {"$anchor": "a"}]}`):                     `two anchors "a"`,
		schema(`{"$ref": "#/not", "not": {"$ref": "#"}, "items": {"$anchor": "/not"}}`):                             `refers to itself`,
		schema(doubling):              `more than 100000 parts`,
		"language":                    `set expect`,
		"language(expect=klingon)":    `want input, or ISO 639-1 codes`,
		`language(expect="de|xx")`:    `want input, or ISO 639-1 codes`,
		`language(expect="input|de")`: `want input, or ISO 639-1 codes`,
		"personal_data(kinds=name)":   `want some of email, phone, card, iban, ip, secret`,
		`personal_data(kinds=",")`:    `want some of`,
		"readability(min_words=5)":    `want a whole number from 20`,
		"refusal(kinds=email)":        `metric refusal has no option "kinds"`,
	} {
		t.Run(metric, func(t *testing.T) {
			assignments, _, err := resolve(t, "builtin("+metric+")")
			if _, ok := errors.AsType[*evaluators.SyntaxError](err); !ok || len(assignments) > 0 || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant %s", err, want)
			}
			if err != nil && len(err.Error()) > 1000+len(metric) {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}

// Options that are true or false are written as variables are.
func TestOneRuleForWhatIsTrueOrFalse(t *testing.T) {
	differs := &evaluators.Case{Output: "YES", Expected: "yes"}
	for text, want := range map[string]string{
		"true": "Match", "1": "Match", "yes": "Match", "on": "Match", " On ": "Match", "TRUE": "Match",
		"false": "No Match", "0": "No Match", "no": "No Match", "off": "No Match", "Off": "No Match",
		"y": "", "2": "", "": "", "truth": "", "enabled": "",
	} {
		for _, option := range []struct{ metric, name string }{
			{"exact_match", "ignore_case"}, {"exact_match", "ignore_blanks"}, {"exact_match", "ignore_punctuation"},
			{"contains", "ignore_case"}, {"pattern_match", "ignore_case"}, {"json_validity", "fence"},
		} {
			m := evaluators.Metric{Name: option.metric, Params: map[string]string{option.name: text, "pattern": "x", "all": "x"}}
			_, err := builtin.New().Prepare(m)
			if wrong, refused := errors.AsType[*evaluators.ParamError](err); refused != (want == "") || refused && wrong.Param != option.name {
				t.Errorf("%s(%s=%q): %v", option.metric, option.name, text, err)
			}
		}
		if want != "" {
			verdict(t, ask(t, "exact_match", differs, "ignore_case", text), want, "")
		}
	}
}

func resolve(t *testing.T, text string) ([]evaluators.Assignment, []evaluators.Warning, error) {
	t.Helper()
	plan, err := evaluators.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r := evaluators.NewRegistry()
	if err := r.Add(builtin.New()); err != nil {
		t.Fatal(err)
	}
	return r.Resolve(plan)
}

func TestAMetricThatWasNotPrepared(t *testing.T) {
	e := builtin.New()
	c := &evaluators.Case{Output: "One two three.", Expected: "one"}
	for _, m := range e.Metrics() {
		r := e.Evaluate(t.Context(), c, []evaluators.Metric{m})[0]
		refused := m.Name == "length" || m.Name == "contains" || m.Name == "pattern_match" || m.Name == "language"
		if (r.ErrorType == builtin.ErrorInvalidOption) != refused {
			t.Errorf("%s without options: %s %s %v", m.Name, r.Outcome, r.ErrorType, r.Err)
		}
	}
	m := evaluators.Metric{Name: "length", Params: map[string]string{"max": "2"}}
	verdict(t, e.Evaluate(t.Context(), c, []evaluators.Metric{m})[0], "Too Long", "3 words, more than 2")
	m.Params["max"] = "few"
	r := e.Evaluate(t.Context(), c, []evaluators.Metric{m})[0]
	if wrong, ok := errors.AsType[*evaluators.ParamError](r.Err); !ok || wrong.Param != "max" || r.ErrorType != builtin.ErrorInvalidOption {
		t.Errorf("got %+v", r)
	}
}
