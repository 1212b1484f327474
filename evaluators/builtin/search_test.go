package builtin_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

func TestContains(t *testing.T) {
	for name, tt := range map[string]struct {
		output  string
		options []string
		score   float64
		why     string
	}{
		"all there":        {"Return within 30 days,\nwith the receipt.", []string{"all", "30 days| receipt "}, 1, `"30 days" at character 15; "receipt" at line 2, character 10`},
		"one missing":      {"Return within 30 days.", []string{"all", "30 days|receipt"}, 0.5, `no "receipt"`},
		"any":              {"Return within 30 days.", []string{"any", "thirty days|30 days"}, 1, `"30 days"`},
		"none of any":      {"Return it.", []string{"any", "thirty days|30 days"}, 0, `no "thirty days|30 days"`},
		"absent":           {"Return it.", []string{"absent", "guarantee|promise"}, 1, `no "guarantee"; no "promise"`},
		"there, unwanted":  {"We guarantee it.", []string{"all", "it", "absent", "guarantee"}, 0.5, `"guarantee" at character 4`},
		"case":             {"WE GUARANTEE", []string{"absent", "guarantee"}, 1, ""},
		"case ignored":     {"WE GUARANTEE", []string{"absent", "guarantee", "ignore_case", "yes"}, 0, `"GUARANTEE" at character 4`},
		"signs are signs":  {"a+b (c)", []string{"all", "a+b|(c)|.", "ignore_case", "on"}, 2.0 / 3, `no "."`},
		"characters count": {"é😀 x", []string{"all", "x"}, 1, "at character 4"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ask(t, "contains", &evaluators.Case{Output: tt.output}, tt.options...)
			verdict(t, r, map[bool]string{true: "Match", false: "No Match"}[tt.score == 1], tt.why)
			if r.Score != tt.score {
				t.Errorf("score %v, want %v", r.Score, tt.score)
			}
		})
	}
}

func TestPatternMatch(t *testing.T) {
	for name, tt := range map[string]struct {
		output  string
		options []string
		score   float64
		why     string
	}{
		"matches":         {"Order #A-1234 is on its way.", []string{"pattern", `#[A-Z]-\d{4}\b`}, 1, `"#A-1234" at character 7`},
		"does not":        {"Order A is on its way.", []string{"pattern", `#[A-Z]-\d{4}\b`}, 0, "no "},
		"all of it":       {"yes\n", []string{"pattern", `^(yes|no)\s*$`}, 1, ""},
		"not all of it":   {"yes, sir", []string{"pattern", `^(yes|no)\s*$`}, 0, ""},
		"unwanted":        {"See http://shop.com", []string{"pattern", "See", "absent", `https?://\S+`}, 0.5, `"http://shop.com" at character 5`},
		"case ignored":    {"SORRY", []string{"absent", "sorry|unfortunately", "ignore_case", "true"}, 0, `"SORRY"`},
		"bad UTF-8":       {"a\xffb", []string{"pattern", "a.b"}, 1, ""},
		"empty match":     {"x", []string{"pattern", "y*"}, 1, ""},
		"catastrophe not": {strings.Repeat("a", 20_000) + "!", []string{"pattern", "^(a+)+$"}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := ask(t, "pattern_match", &evaluators.Case{Output: tt.output}, tt.options...)
			verdict(t, r, map[bool]string{true: "Match", false: "No Match"}[tt.score == 1], tt.why)
			if r.Score != tt.score {
				t.Errorf("score %v, want %v", r.Score, tt.score)
			}
		})
	}
}

// What is found in the part that is read counts. The end of that part is not the
// end of the output.
func TestSearchInALongOutput(t *testing.T) {
	filler := strings.Repeat("x", builtin.DefaultMaxOutput)
	const unread = evaluators.SkipContentTruncated
	for name, tt := range map[string]struct {
		output, option, value, want string
	}{
		"found":                {"needle " + filler, "pattern", "needle", "Match"},
		"unwanted found":       {"needle " + filler, "absent", "needle", "No Match"},
		"behind the bound":     {filler + " needle", "pattern", "needle", unread},
		"absent is not known":  {filler + " needle", "absent", "needle", unread},
		"end that is none":     {filler + "y", "pattern", "x$", unread},
		"one that may go on":   {filler + "y", "absent", "x+", unread},
		"text behind":          {filler + " needle", "all", "needle", unread},
		"text before":          {"needle" + filler, "all", "needle", "Match"},
		"text up to the bound": {filler + "y", "all", filler[:1000], "Match"},
	} {
		t.Run(name, func(t *testing.T) {
			metric := "pattern_match"
			if tt.option == "all" {
				metric = "contains"
			}
			verdict(t, ask(t, metric, &evaluators.Case{Output: tt.output}, tt.option, tt.value), tt.want, "")
		})
	}
}

// A search that takes long ends soon after its context, in the middle of the
// text.
func TestSearchEndsWithItsContext(t *testing.T) {
	const costly = `(?:(?:[a-y]{0,9}[b-z]{0,9}){0,40})\d`
	m := evaluators.Metric{Name: "pattern_match", Params: map[string]string{"pattern": costly}}
	m, err := builtin.New().Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	c := &evaluators.Case{Output: strings.Repeat("abcdefghijklmnopqrstuvwxyz", 2000)}
	start := time.Now()
	r := builtin.New().Evaluate(&countdown{Context: context.Background(), left: 2}, c, []evaluators.Metric{m})[0]
	if r.ErrorType != evaluators.ErrorEvaluatorTimeout {
		t.Errorf("got %s%s after %v", r.Label, r.ErrorType, time.Since(start))
	}
}
