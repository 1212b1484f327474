package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

func TestExactMatch(t *testing.T) {
	ignore := func(what ...string) (options []string) {
		for _, w := range what {
			options = append(options, "ignore_"+w, "true")
		}
		return options
	}
	for name, tt := range map[string]struct {
		output, expected string
		options          []string
		want, why        string
	}{
		"same":                     {"Paris", "Paris", nil, "Match", "the expected output"},
		"blanks around":            {"\n Paris \r\n", "Paris", nil, "Match", ""},
		"line breaks":              {"a\r\nb", "a\nb", nil, "Match", ""},
		"other":                    {"Paris, France", "Paris", nil, "No Match", `differs at character 6: ", France", expected the end`},
		"shorter":                  {"Par", "Paris", nil, "No Match", `character 4: the end, expected "is"`},
		"case":                     {"PARIS", "Paris", nil, "No Match", `character 2: "ARIS", expected "aris"`},
		"case ignored":             {"PARIS ÄÖ ΣΑΣ", "paris äö σας", ignore("case"), "Match", ""},
		"kelvin":                   {"273 \u212a", "273 k", ignore("case"), "Match", ""},
		"blanks":                   {"a  b", "a b", nil, "No Match", "character 3: a blank, expected \"b\""},
		"blanks ignored":           {"a \t\n b", "a b", ignore("blanks"), "Match", ""},
		"blanks are not nothing":   {"ab", "a b", ignore("blanks"), "No Match", ""},
		"punctuation":              {"Paris.", "Paris", nil, "No Match", `".", expected the end`},
		"punctuation ignored":      {"¡«Paris», don't!", "Paris dont", ignore("punctuation"), "Match", ""},
		"punctuation among blanks": {"- Paris !", "Paris", ignore("punctuation", "blanks"), "Match", ""},
		"signs count":              {"$5", "€5", ignore("punctuation", "blanks", "case"), "No Match", ""},
		"not UTF-8":                {"a\xff", "a\ufffd", nil, "No Match", ""},
		"not UTF-8, same":          {"a\xff", "a\xff", nil, "Match", ""},
		"emoji":                    {"👍🏽", "👍🏿", nil, "No Match", "character 2"},
		"long":                     {strings.Repeat("ab ", 2<<20), strings.Repeat("ab  ", 2<<20), ignore("blanks"), "Match", ""},
		"nothing expected":         {"a", " \u200b", nil, evaluators.SkipNoExpected, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := &evaluators.Case{Output: tt.output, Expected: tt.expected}
			verdict(t, ask(t, "exact_match", c, tt.options...), tt.want, tt.why)
		})
	}
}
