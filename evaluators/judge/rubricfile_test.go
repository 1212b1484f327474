package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

const soundRubrics = `rubrics:
  - name: on_brand
    question: Does the output
      sound like us?
    steps: [Look at the tone., "Look at: the words."]
    fields: [output, documents]
    optional: [input]
    direction: higher_is_better
    threshold: 0.5
    kinds: [inference, agent]
    default: false
    labels:
      - {name: on_brand, score: 1, label: On Brand, when: all of it does}
      - name: mixed
        score: 0.5
      - {name: off_brand, score: 0, label: Off Brand}
  - name: verbosity
    question: How wordy is the output?
    direction: lower_is_better
    threshold: 3
    passed: Brief
    failed: Wordy
    scale:
      min: 1
      max: 5
      anchors: {1: as short as can be, 5: "says everything twice"}
`

func TestParseRubrics(t *testing.T) {
	got, err := ParseRubrics("r.yaml", []byte(soundRubrics))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rubric{
		{
			Name:       "on_brand",
			Question:   "Does the output sound like us?",
			Steps:      []string{"Look at the tone.", "Look at: the words."},
			Fields:     []string{"output", "documents"},
			Optional:   []string{"input"},
			Threshold:  0.5,
			Kinds:      []instrumentation.Kind{instrumentation.KindInference, instrumentation.KindAgent},
			NotDefault: true,
			Labels: []RubricLabel{
				{Name: "on_brand", Score: 1, Label: "On Brand", When: "all of it does"},
				{Name: "mixed", Score: 0.5},
				{Name: "off_brand", Score: 0, Label: "Off Brand"},
			},
		},
		{
			Name:      "verbosity",
			Question:  "How wordy is the output?",
			Direction: evaluators.LowerIsBetter,
			Threshold: 3,
			Passed:    "Brief", Failed: "Wordy",
			Scale: &RubricScale{Min: 1, Max: 5, Anchors: map[int]string{1: "as short as can be", 5: "says everything twice"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rubrics (-want +got):\n%s", diff)
	}
}

// TestParseRubricsTellsWhereTheProblemIs: a change of the sound file, and all
// that is told of it. The other rubric stays.
func TestParseRubricsTellsWhereTheProblemIs(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, tt := range []struct{ name, old, new, want string }{
		{"unknown_key", "    threshold: 0.5", "    treshold: 0.5", `9:5 on_brand: unknown key "treshold"; did you mean threshold? | 2:5 on_brand: threshold is missing`},
		{"key_of_nothing_known", "    threshold: 3", "    threshold: 3\n    weight: 2", `21:5 verbosity: unknown key "weight"; there is: name, question, steps`},
		{"unknown_key_of_a_label", "label: Off Brand", "lable: Off Brand", `16:37 on_brand: unknown key "lable"; did you mean label?`},
		{"unknown_key_of_a_scale", "      min: 1", "      minimum: 1", `24:7 verbosity: unknown key "minimum"; there is: min, max, anchors | 24:7 verbosity: scale.min is missing`},
		{"long_key", "    threshold: 3", "    threshold: 3\n    " + long[:900] + ": 2", "21:5 verbosity: unknown key \"xxxx"},
		{"key_that_is_a_list", "    threshold: 3", "    threshold: 3\n    [a]: 2", "21:5 verbosity: a key must be a name"},
		{"key_twice", "    threshold: 3", "    threshold: 3\n    threshold: 4", "21:5 verbosity: threshold is there twice, first in line 20"},
		{"key_of_a_label_twice", "        score: 0.5", "        score: 0.5\n        score: 0.6", "16:9 on_brand: labels[1].score is there twice, first in line 15"},

		{"name_missing", "  - name: verbosity\n    question", "  - question", "17:5 : name is missing"},
		{"name_empty", "name: verbosity", "name:", "17:10 : name is empty"},
		{"name_in_capitals", "name: verbosity", "name: Verbosity", "17:11 Verbosity: name must be lower case letters"},
		{"name_is_a_number", "name: verbosity", "name: 7", "17:11 : name must be text"},
		{"name_of_a_builtin", "name: verbosity", "name: answer_relevancy", "17:11 answer_relevancy: name is that of a metric of the judge"},
		{"name_of_an_alias", "name: verbosity", "name: relevance", "17:11 relevance: name is that of a metric of the judge"},
		{"name_of_a_kind", "name: verbosity", "name: agent", "17:11 agent: name is that of a kind"},
		{"name_twice", "name: verbosity", "name: on__brand", "17:11 on__brand: name is that of the rubric in line 2"},
		{"name_too_long", "name: verbosity", "name: " + long[:65], "17:11 xxxx"},

		{"question_missing", "    question: How wordy is the output?\n", "", "17:5 verbosity: question is missing or empty"},
		{"question_blank", "question: How wordy is the output?", `question: " "`, "18:15 verbosity: question is missing or empty"},
		{"question_too_long", "How wordy is the output?", long, "18:15 verbosity: question has more than 4096 bytes"},
		{"question_is_a_list", "question: How wordy is the output?", "question: [How wordy]", "18:15 verbosity: question must be text"},
		{"steps_is_text", "steps: [Look at the tone., \"Look at: the words.\"]", "steps: Look.", "5:12 on_brand: steps must be a list"},
		{"step_is_a_mapping", `"Look at: the words."`, "Look at: the words.", "5:32 on_brand: steps[1] must be text; put it in quotes"},
		{"step_is_empty", `"Look at: the words."`, `""`, "5:32 on_brand: steps[1] is missing or empty"},
		{"steps_too_many", "steps: [Look at the tone.", "steps: [Look" + strings.Repeat(", Look", 31), "5:12 on_brand: steps more than 32"},

		{"field_unknown", "documents]", "context]", "6:22 on_brand: fields[1] is not one of output, input, history, documents, system, expected"},
		{"field_twice", "optional: [input]", "optional: [documents]", "7:16 on_brand: optional[0] documents is listed twice"},
		{"output_optional", "optional: [input]", "optional: [output]", "7:16 on_brand: optional[0] the output is always needed"},
		{"kind_unknown", "agent]", "tool]", "10:24 on_brand: kinds[1] is not one of inference, agent, workflow"},
		{"kind_twice", "agent]", "LLM Invocation]", "10:24 on_brand: kinds[1] inference is listed twice"},
		{"direction_missing", "    direction: lower_is_better\n", "", "17:5 verbosity: direction is missing"},
		{"direction_unknown", "lower_is_better", "lower", "19:16 verbosity: direction is not higher_is_better or lower_is_better"},
		{"default_is_text", "default: false", "default: never", "11:14 on_brand: default must be true or false"},

		{"threshold_is_text", "threshold: 0.5", `threshold: "0.5"`, "9:16 on_brand: threshold must be a number"},
		{"threshold_is_empty", "threshold: 0.5", "threshold:", "9:15 on_brand: threshold is empty"},
		{"threshold_too_high", "threshold: 0.5", "threshold: 1.5", "9:16 on_brand: threshold is not in 0…1"},
		{"threshold_negative", "threshold: 0.5", "threshold: -0.1", "9:16 on_brand: threshold is not in 0…1"},
		{"threshold_is_no_number", "threshold: 0.5", "threshold: .nan", "9:16 on_brand: threshold is not in 0…1"},
		{"threshold_infinite", "threshold: 0.5", "threshold: .inf", "9:16 on_brand: threshold is not in 0…1"},
		{"threshold_passed_by_all", "threshold: 0.5", "threshold: 0", "9:16 on_brand: threshold every answer passes it"},
		{"threshold_passed_by_none", "threshold: 0.5\n    kinds: [inference, agent]\n    default: false\n    labels:\n      - {name: on_brand, score: 1", "threshold: 0.9\n    kinds: [inference, agent]\n    default: false\n    labels:\n      - {name: on_brand, score: 0.8", "9:16 on_brand: threshold no answer passes it"},
		{"threshold_between_grades", "threshold: 3", "threshold: 3.5", "20:16 verbosity: threshold must be a whole number on the scale 1…5"},
		{"threshold_off_the_scale", "threshold: 3", "threshold: 0", "20:16 verbosity: threshold must be a whole number on the scale 1…5"},
		{"threshold_is_the_worst_grade", "threshold: 3", "threshold: 5", "20:16 verbosity: threshold every answer passes it"},

		{"scale_has_no_span", "max: 5", "max: 1", "25:12 verbosity: scale.max is the same as min, 1"},
		{"scale_upside_down", "max: 5", "max: 0", "25:12 verbosity: scale.max is 0, below min, 1"},
		{"scale_too_long", "max: 5", "max: 102", "25:12 verbosity: scale.max is more than 100 above min"},
		{"scale_far_away", "max: 5", "max: 1001", "25:12 verbosity: scale.max is not in -1000…1000"},
		{"scale_overflows", "max: 5", "max: 99999999999999999999", "25:12 verbosity: scale.max must be a whole number"},
		{"scale_of_fractions", "max: 5", "max: 5.0", "25:12 verbosity: scale.max must be a whole number"},
		{"scale_without_an_end", "      max: 5\n", "", "24:7 verbosity: scale.max is missing"},
		{"scale_is_text", "scale:\n      min: 1\n      max: 5\n      anchors: {1: as short as can be, 5: \"says everything twice\"}", "scale: 1-5", "23:12 verbosity: scale must have keys and values"},
		{"scale_and_labels", "    passed: Brief", "    labels: [{name: a, score: 0}, {name: b, score: 1}]\n    passed: Brief", "25:7 verbosity: scale labels and scale are both given"},
		{"neither_scale_nor_labels", "    scale:\n      min: 1\n      max: 5\n      anchors: {1: as short as can be, 5: \"says everything twice\"}\n", "", "17:5 verbosity: labels is missing; a rubric has labels or a scale"},
		{"anchor_off_the_scale", "5: \"says", "6: \"says", "26:40 verbosity: scale.anchors[6] is not on the scale 1…5"},
		{"anchor_of_a_word", "5: \"says", "five: \"says", "26:40 verbosity: scale.anchors must have whole numbers as keys"},
		{"anchor_twice", "5: \"says", "1: \"says", "26:40 verbosity: scale.anchors[1] is there twice"},
		{"anchor_empty", `"says everything twice"`, `""`, "26:40 verbosity: scale.anchors[5] is missing or empty"},
		{"anchors_as_list", "{1: as short as can be, 5: \"says everything twice\"}", "[short, long]", "26:16 verbosity: scale.anchors must map numbers"},

		{"one_label", "      - name: mixed\n        score: 0.5\n      - {name: off_brand, score: 0, label: Off Brand}\n", "", "13:7 on_brand: labels has 1, not 2 to 32"},
		{"label_without_score", "        score: 0.5\n", "", "14:9 on_brand: labels[1].score is missing"},
		{"label_score_too_high", "score: 0.5", "score: 5", "15:16 on_brand: labels[1].score is not in 0…1"},
		{"label_score_is_no_number", "score: 0.5", "score: .NaN", "15:16 on_brand: labels[1].score is not in 0…1"},
		{"label_score_is_text", "score: 0.5", "score: half", "15:16 on_brand: labels[1].score must be a number"},
		{"label_name_twice", "name: mixed", "name: onbrand", "14:15 on_brand: labels[1].name onbrand is there twice"},
		{"label_name_in_capitals", "name: mixed", "name: Mixed", "14:15 on_brand: labels[1].name must be lower case"},
		{"label_without_name", "- name: mixed\n        score: 0.5", "- score: 0.5", "14:9 on_brand: labels[1].name is missing"},
		{"label_is_text", "- name: mixed\n        score: 0.5", "- mixed", "14:9 on_brand: labels[1] must have keys and values"},
		{"label_text_too_long", "label: Off Brand", "label: " + long[:65], "16:44 on_brand: labels[2].label has more than 64 bytes"},
		{"label_text_is_a_number", "label: Off Brand", "label: 0", "16:44 on_brand: labels[2].label must be text"},
		{"passed_is_failed", "failed: Wordy", "failed: Brief", "22:13 verbosity: failed passed and failed are the same label"},

		{"alias", "kinds: [inference, agent]", "kinds: &k [inference]", ""},
		{"alias_is_not_read", "    default: false", "    default: false\n    passed: &p Yes\n    failed: *p", "13:13 on_brand: failed is an alias; aliases are not read"},
		{"merge_is_not_read", "    default: false", "    <<: {default: false}", `11:5 on_brand: unknown key "<<"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if strings.Count(soundRubrics, tt.old) != 1 {
				t.Fatalf("%q is there %d times", tt.old, strings.Count(soundRubrics, tt.old))
			}
			rubrics, err := ParseRubrics("r.yaml", []byte(strings.Replace(soundRubrics, tt.old, tt.new, 1)))
			checkProblems(t, err, tt.want)
			sound := 2
			if tt.want != "" {
				sound = 1
			}
			if len(rubrics) != sound {
				t.Errorf("%d sound rubrics, want %d", len(rubrics), sound)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

// checkProblems compares the problems in an error with those wanted, each
// "line:column rubric: beginning of the message", separated by bars.
func checkProblems(t *testing.T, err error, want string) {
	t.Helper()
	var got []*RubricError
	if err != nil {
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			var problem *RubricError
			if !errors.As(e, &problem) {
				t.Fatalf("%T: %v", e, e)
			}
			got = append(got, problem)
		}
	}
	wanted := strings.Split(want, " | ")
	if want == "" {
		wanted = nil
	}
	if len(got) != len(wanted) {
		t.Fatalf("%d problems, want %d:\n%v", len(got), len(wanted), err)
	}
	for _, w := range wanted {
		found := false
		for _, e := range got {
			found = found || strings.HasPrefix(fmt.Sprintf("%d:%d %s: %s", e.Line, e.Column, e.Rubric, e.Msg), w)
		}
		if !found {
			t.Errorf("no problem %q in:\n%v", w, err)
		}
	}
}

func TestParseRubricsOfOtherTexts(t *testing.T) {
	deep := strings.Repeat("[", 20_000)
	bomb := "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nrubrics: *c\n"
	for _, tt := range []struct {
		name, text, want string
		sound            int
	}{
		{"nothing", "", "1:1 : has no rubrics", 0},
		{"comment", "# later\n", "1:1 : has no rubrics", 0},
		{"null", "~\n", "1:1 : is empty", 0},
		{"text", "rubrics\n", "1:1 : must have keys and values", 0},
		{"list", "- name: a\n", "1:1 : must have keys and values", 0},
		{"empty_list", "rubrics: []\n", "1:1 : has no rubrics", 0},
		{"no_list", "rubrics: {name: a}\n", "1:10 : rubrics must be a list", 0},
		{"other_key", "rubric: []\n", `1:1 : unknown key "rubric"; did you mean rubrics?`, 0},
		{"rubrics_are_no_mappings", "rubrics:\n  - verbosity\n  - [a]\n  -\n", "2:5 : must have keys and values | 3:5 : must have keys and values | 4:4 : is empty", 0},
		{"byte_order_mark", "\ufeff" + soundRubrics, "", 2},
		{"windows_line_ends", strings.ReplaceAll(soundRubrics, "\n", "\r\n"), "", 2},
		{"second_document", soundRubrics + "---\nrubrics: []\n", "27:1 : a second document begins here", 2},
		{"second_document_is_no_yaml", soundRubrics + "---\na: b: c\n", "28:1 : not YAML", 2},
		{"end_of_document", soundRubrics + "...\n", "", 2},
		{"tab", "rubrics:\n  - name: a\n\t  question: b\n", "3:1 : not YAML: a tab cannot indent", 0},
		{"tab_after_blanks", "rubrics:\n  - name: a\n  \tquestion: b\n", "3:3 : not YAML: a tab cannot indent", 0},
		{"colon", "rubrics:\n  - name: a\n    question: b: c\n", "3:5 : not YAML: mapping values are not allowed", 0},
		{"quote", "rubrics:\n  - name: \"a\n", "2:3 : not YAML", 0},
		{"indent", "rubrics:\n  - name: a\n   question: b\n", "3:4 : not YAML", 0},
		{"indent_before_a_short_line", "rubrics:\n  - name: a\n   q:\nb: c\n", "3:4 : not YAML", 0},
		{"brace_before_a_short_line", "rubrics:\n- {a: b}}\n- c\n", "2:1 : not YAML", 0},
		{"bracket", "rubrics:\n  - name: a\n    fields: [output\n    question: b\n", "4:5 : not YAML", 0},
		{"unknown_alias", "rubrics:\n  - *c4n4ry\n", "1:1 : not YAML", 0},
		{"first_line", "a: b: c", "1:1 : not YAML", 0},
		{"control_character", "rubrics:\n  - na\x01me: a\n", "2:7 : control character U+0001", 0},
		{"bare_carriage_return", "rubrics:\r  - a\r", "1:9 : control character U+000D", 0},
		{"line_separator", "rubrics: \u2028", "1:10 : control character U+2028", 0},
		{"not_utf_8", "rubrics:\n  - é\xff", "2:6 : is not UTF-8", 0},
		{"too_large", strings.Repeat("#", maxRubricFile+1), "0:0 : is larger than 1 MiB", 0},
		{"deep", deep, "1:1 : not YAML", 0},
		{"bomb", bomb, `1:1 : unknown key "a" | 2:1 : unknown key "b" | 3:1 : unknown key "c" | 4:10 : rubrics is an alias`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rubrics, err := ParseRubrics("r.yaml", []byte(tt.text))
			checkProblems(t, err, tt.want)
			if len(rubrics) != tt.sound {
				t.Errorf("%d sound rubrics, want %d", len(rubrics), tt.sound)
			}
		})
	}
}

func TestParseRubricsTellsTheFirstHundredProblems(t *testing.T) {
	text := "rubrics:\n" + strings.Repeat("  - {name: a}\n", 200)
	_, err := ParseRubrics("r.yaml", []byte(text))
	problems := err.(interface{ Unwrap() []error }).Unwrap()
	if len(problems) != maxRubricErrors+1 || !strings.Contains(problems[maxRubricErrors].Error(), "problems from here on") {
		t.Errorf("%d problems, the last: %v", len(problems), problems[len(problems)-1])
	}
}

func TestRubricErrorTellsPlaceAndName(t *testing.T) {
	_, err := ParseRubrics("r.yaml", []byte("rubrics:\n  - {name: tone, question: \"How?\", threshold: 1, direction: higher_is_better, scale: {min: 1, max: 1}}\n"))
	const want = `r.yaml:2:100: rubric "tone": scale.max is the same as min, 1: all answers would be the same`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestLoadRubrics(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := LoadRubrics(write("sound.yaml", soundRubrics))
	if err != nil || len(got) != 2 {
		t.Errorf("%d rubrics, error %v", len(got), err)
	}
	missing := filepath.Join(dir, "missing.yaml")
	var problem *RubricError
	if _, err := LoadRubrics(missing); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &problem) || problem.File != missing || problem.Line != 0 {
		t.Errorf("missing file: %v", err)
	}
	if _, err := LoadRubrics(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("folder: %v", err)
	}
	if _, err := LoadRubrics(write("large.yaml", strings.Repeat("\n", maxRubricFile+1))); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("large file: %v", err)
	}
}
