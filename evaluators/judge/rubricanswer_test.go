package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
)

// rubricNamed returns a rubric of the sound file as a question.
func rubricNamed(t testing.TB, name string) *question {
	t.Helper()
	rubrics, err := ParseRubrics("r.yaml", []byte(soundRubrics))
	if err != nil {
		t.Fatal(err)
	}
	return questionOf(t, rubrics[slices.IndexFunc(rubrics, func(r Rubric) bool { return r.Name == name })])
}

func questionOf(t testing.TB, r Rubric) *question {
	t.Helper()
	builtin, err := builtinCatalog()
	if err != nil {
		t.Fatal(err)
	}
	c, err := builtin.with([]Rubric{r})
	if err != nil {
		t.Fatal(err)
	}
	return c.byName[r.Name]
}

func scaled(lowest, highest int) Rubric {
	return Rubric{Name: "helpfulness", Question: "Does it help?", Threshold: float64(highest), Scale: &RubricScale{Min: lowest, Max: highest}}
}

// TestParseGrade: only whole numbers on the declared scale are answers; no
// other is moved onto it, and none is taken for one on another scale.
func TestParseGrade(t *testing.T) {
	for _, tt := range []struct {
		name     string
		min, max int
		text     string
		score    float64 // -1: unusable
	}{
		{"number", 0, 10, `{"reason":"r","score":8}`, 0.8},
		{"lowest", 0, 10, `{"reason":"r","score":0}`, 0},
		{"highest", 0, 10, `{"reason":"r","score":10}`, 1},
		{"minus_zero", 0, 10, `{"reason":"r","score":-0}`, 0},
		{"with_a_point", 0, 10, `{"reason":"r","score":8.0}`, 0.8},
		{"with_an_exponent", 0, 10, `{"reason":"r","score":0.8e1}`, 0.8},
		{"not_from_zero", 1, 5, `{"reason":"r","score":2}`, 0.25},
		{"below_zero", -2, 2, `{"reason":"r","score":-1}`, 0.25},
		{"other_members_ignored", 0, 10, `{"reason":"r","score":8,"confidence":3}`, 0.8},
		{"member_names_fold", 0, 10, `{"Reason":"r","SCORE":8}`, 0.8},
		{"no_reason", 0, 10, `{"score":8}`, 0.8},
		{"reason_is_no_text", 0, 10, `{"reason":7,"score":8}`, -1},
		{"no_score", 0, 10, `{"reason":"r"}`, -1},
		{"label_for_a_score", 0, 10, `{"reason":"r","label":"8"}`, -1},
		{"fenced", 0, 10, "```json\n{\"reason\":\"r\",\"score\":8}\n```", 0.8},
		{"relaxed", 0, 10, "{\"reason\":\"a\nb\",\"score\":8,}", 0.8},

		{"P16_number_in_quotes", 0, 10, `{"reason":"r","score":"8"}`, 0.8},
		{"P16_number_in_quotes_with_blanks", 0, 10, `{"reason":"r","score":" 8 "}`, 0.8},
		{"P16_unwrapped_once", 0, 10, `{"result":{"reason":"r","score":8}}`, 0.8},
		{"P16_not_unwrapped_twice", 0, 10, `{"a":{"b":{"reason":"r","score":8}}}`, -1},
		{"P16_nested_score", 0, 10, `{"reason":"r","score":{"value":8}}`, -1},
		{"P18_free_text", 0, 10, `I considered 2 options; score: 8`, -1},
		{"P19_nan", 0, 10, `{"reason":"r","score":NaN}`, -1},
		{"P19_nan_in_quotes", 0, 10, `{"reason":"r","score":"NaN"}`, -1},
		{"P19_infinity_in_quotes", 0, 10, `{"reason":"r","score":"Inf"}`, -1},
		{"P19_too_large_for_a_float", 0, 10, `{"reason":"r","score":1e999}`, -1},
		{"P20_divided_already", 0, 10, `{"reason":"r","score":0.8}`, -1},
		{"P20_divided_already_in_quotes", 0, 10, `{"reason":"r","score":"0.8"}`, -1},
		{"P20_in_percent", 0, 10, `{"reason":"r","score":80}`, -1},
		{"P20_as_a_fraction", 0, 10, `{"reason":"r","score":"8/10"}`, -1},
		{"P20_with_a_unit", 0, 10, `{"reason":"r","score":"8 of 10"}`, -1},
		{"P20_just_above", 0, 10, `{"reason":"r","score":11}`, -1},
		{"P20_just_below", 0, 10, `{"reason":"r","score":-1}`, -1},
		{"P20_below_the_lowest", 1, 5, `{"reason":"r","score":0}`, -1},
		{"P20_between", 0, 10, `{"reason":"r","score":7.5}`, -1},
		{"P20_nearly_whole", 0, 10, `{"reason":"r","score":7.9999999999999999999}`, -1},
		{"P20_beyond_integers", 0, 10, `{"reason":"r","score":18446744073709551624}`, -1},
		{"P20_true", 0, 1, `{"reason":"r","score":true}`, -1},
		{"P20_null", 0, 10, `{"reason":"r","score":null}`, -1},
		{"P20_list", 0, 10, `{"reason":"r","score":[8]}`, -1},
		{"P20_empty", 0, 10, `{"reason":"r","score":""}`, -1},
		{"P20_word", 0, 10, `{"reason":"r","score":"eight"}`, -1},
		{"P20_hexadecimal", 0, 10, `{"reason":"r","score":"0x8"}`, -1},
		{"P20_leading_zero", 0, 10, `{"reason":"r","score":"08"}`, -1},
		{"P20_plus", 0, 10, `{"reason":"r","score":"+8"}`, -1},
		{"P20_score_twice", 0, 10, `{"reason":"r","score":8,"Score":2}`, -1},
		{"P23_quoted_verdict_first", 0, 10, `It says {"reason":"x","score":10}. {"reason":"r","score":2}`, 0.2},
		{"P23_own_verdict_unusable", 0, 10, `It says {"reason":"x","score":10}. {"reason":"r","score":0.2}`, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := questionOf(t, scaled(tt.min, tt.max))
			a, err := q.parse(tt.text)
			if err != nil {
				if tt.score != -1 {
					t.Errorf("problem %v, want score %v", err, tt.score)
				}
				return
			}
			if r := q.result(q.metric, a); r.Score != tt.score || r.Outcome != evaluators.OutcomeScored {
				t.Errorf("%v %v, want %v", r.Outcome, r.Score, tt.score)
			}
		})
	}
}

func TestParseLabelOfARubric(t *testing.T) {
	q := rubricNamed(t, "on_brand")
	for text, want := range map[string]string{
		`{"reason":"r","label":"mixed"}`:              "mixed",
		`{"reason":"r","label":"On Brand"}`:           "on_brand",
		`{"verdict":{"reason":"r","label":"mixed"}}`:  "mixed",
		`{"reason":["a","b"],"label":"OFF-BRAND"}`:    "off_brand",
		`{"reason":"r","label":"on"}`:                 "",
		`{"reason":"r","label":1}`:                    "",
		`{"reason":"r","label":null}`:                 "",
		`{"reason":"r","label":["mixed"]}`:            "",
		`{"reason":"r","score":1}`:                    "",
		`{"reason":{"text":"r"},"label":"mixed"}`:     "",
		`{"reason":"r","label":"mixed","label":"on"}`: "",
	} {
		a, err := q.parse(text)
		got := ""
		if err == nil {
			got = q.Options[a.option].Name
		}
		if got != want {
			t.Errorf("%s: %q, error %v, want %q", text, got, err, want)
		}
	}
}

func TestProblemOfARubricNeverQuotesTheAnswer(t *testing.T) {
	const canary = "c4n4ry"
	for _, name := range []string{"on_brand", "verbosity"} {
		q := rubricNamed(t, name)
		for _, text := range []string{
			fmt.Sprintf(`{"reason":%q,"label":%q,"score":%q}`, canary, canary, canary),
			fmt.Sprintf(`{"reason":%q,"label":{%q:1},"score":{%q:1}}`, canary, canary, canary),
			fmt.Sprintf(`{"reason":{%q:1},"label":"mixed","score":2}`, canary),
			fmt.Sprintf(`{%q:1}`, canary),
		} {
			if _, err := q.parse(text); err == nil || strings.Contains(err.Error(), canary) {
				t.Errorf("%s: %s: error %v", name, text, err)
			}
		}
	}
}

func TestScoreOfARubric(t *testing.T) {
	for _, tt := range []struct {
		rubric, text, label string
		strict              bool
		score               float64
		grade               int64 // 0: none
	}{
		{"on_brand", `{"label":"on_brand"}`, "On Brand", false, 1, 0},
		{"on_brand", `{"label":"off_brand"}`, "Off Brand", false, 0, 0},
		{"on_brand", `{"label":"mixed"}`, "Pass", false, 0.5, 0},
		{"on_brand", `{"label":"mixed"}`, "Fail", true, 0.5, 0},
		{"verbosity", `{"score":1}`, "Brief", false, 0, 1},
		{"verbosity", `{"score":3}`, "Brief", false, 0.5, 3},
		{"verbosity", `{"score":4}`, "Wordy", false, 0.75, 4},
		{"verbosity", `{"score":2}`, "Wordy", true, 0.25, 2},
		{"verbosity", `{"score":1}`, "Brief", true, 0, 1},
	} {
		q := rubricNamed(t, tt.rubric)
		a, err := q.parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		m := q.metric
		m.Strict = tt.strict
		want := evaluators.Scored(tt.rubric, tt.score, tt.label, "")
		if tt.grade != 0 {
			want.Attributes = []attribute.KeyValue{attribute.Int64(AttributeRubricScore, tt.grade)}
		}
		equal := cmp.Comparer(func(a, b attribute.KeyValue) bool { return a == b })
		if diff := cmp.Diff(want, q.result(m, a), equal); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.rubric, tt.text, diff)
		}
	}
}

// FuzzParseOwn: whatever the judge writes, what is made of it is a score and a
// label that the rubric declares.
func FuzzParseOwn(f *testing.F) {
	for _, seed := range []string{
		"",
		`{"reason":"r","label":"mixed"}`,
		`{"reason":"r","score":3}`,
		`{"result":{"reason":["a","b"],"score":"4.0"}}`,
		"```json\n{\"reason\":\"a\nb\",\"score\":5,} // x\n```",
		`<think>{"score":1}</think>{"score":1e999}{"score":-0}`,
		`{"score":0.8,"label":NaN}`,
		`{"reason":"\u0000\ud800","label":"On Brand"}{"score":"8/10"}/*`,
	} {
		f.Add(seed)
	}
	questions := []*question{rubricNamed(f, "on_brand"), rubricNamed(f, "verbosity"), questionOf(f, scaled(-3, 97))}
	f.Fuzz(func(t *testing.T, text string) {
		for _, q := range questions {
			a, err := q.parse(text)
			if err != nil {
				continue
			}
			r := q.result(q.metric, a)
			if r.Outcome != evaluators.OutcomeScored || math.IsNaN(r.Score) || r.Score < 0 || r.Score > 1 {
				t.Errorf("%s: %v, score %v", q.Name, r.Outcome, r.Score)
			}
			if !slices.Contains(q.metric.Labels, r.Label) {
				t.Errorf("%s: label %q", q.Name, r.Label)
			}
			if len(r.Explanation) > maxExplanation || !utf8.ValidString(r.Explanation) {
				t.Errorf("%s: explanation of %d bytes", q.Name, len(r.Explanation))
			}
		}
	})
}
