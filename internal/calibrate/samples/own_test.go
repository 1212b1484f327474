package samples

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// collect reads a text and returns its samples and the messages of its errors.
func collect(t *testing.T, text, name, format string) ([]Sample, []string) {
	t.Helper()
	all, err := Read(strings.NewReader(text), name, format)
	if err != nil {
		t.Fatal(err)
	}
	var made []Sample
	var errs []string
	for s, err := range all {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		made = append(made, s)
	}
	return made, errs
}

func own1(s Sample) Sample {
	s.Case.ID, s.Case.Kind, s.Case.Choices = s.ID, instrumentation.KindInference, 1
	return s
}

func TestOwnJSONLines(t *testing.T) {
	got, errs := collect(t, `
{"id":"a","metric":"Answer Relevancy","label":"IRRELEVANT","input":"q","output":"o","history":[{"role":"user","text":"h"},{"role":"assistant","content":"c"},{"text":" "}],"expected":"e","note":"n","hard":true,"other":1}
{"metric":"faithfulness","label":1,"output":"o","documents":"one"}
{"metric":"faithfulness","label":false,"output":"o","context":["one"," ",{"id":"d2","text":"two"}]}

{"metric":"tone","label":"like a pirate","output":"o"}
`, "mine.jsonl", "")
	if len(errs) > 0 {
		t.Error(errs)
	}
	want := []Sample{
		own1(Sample{ID: "a", Metric: "answer_relevancy", Label: "Irrelevant", Note: "n", Hard: true, Case: evaluators.Case{
			Input: "q", Output: "o", Expected: "e",
			History: []evaluators.Turn{{Role: "user", Text: "h"}, {Role: "assistant", Text: "c"}},
		}}),
		own1(Sample{ID: "3", Metric: "faithfulness", Label: "Unfaithful", Case: evaluators.Case{
			Output: "o", Documents: []instrumentation.Document{{Text: "one"}},
		}}),
		own1(Sample{ID: "4", Metric: "faithfulness", Label: "Faithful", Case: evaluators.Case{
			Output: "o", Documents: []instrumentation.Document{{Text: "one"}, {ID: "d2", Text: "two"}},
		}}),
		own1(Sample{ID: "6", Metric: "tone", Label: "like a pirate", Case: evaluators.Case{Output: "o"}}),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("samples (-want +got):\n%s", d)
	}
}

func TestOwnTables(t *testing.T) {
	t.Run("E10_documents_in_any_form", func(t *testing.T) {
		want := []Sample{
			own1(Sample{ID: "a", Metric: "faithfulness", Label: "Unfaithful", Case: evaluators.Case{
				Input: "q", Output: "two\nlines", Documents: []instrumentation.Document{{Text: "x"}, {Text: "y"}},
			}}),
			own1(Sample{ID: "4", Metric: "faithfulness", Label: "Faithful", Hard: true, Case: evaluators.Case{
				Output: "o", Documents: []instrumentation.Document{{Text: "[sic] a text"}},
			}}),
		}
		for name, text := range map[string]string{
			"commas": "ID,Metric,Label,Input,Output,Documents,Hard\n" +
				"a,faithfulness,1,q,\"two\nlines\",\"[\"\"x\"\",\"\"y\"\"]\",\n" +
				",Faithfulness,faithful,,o,[sic] a text,TRUE\n",
			"semicolons": "id;metric;label;input;output;documents;hard\na;faithfulness;1;q;\"two\nlines\";\"[\"\"x\"\",\"\"y\"\"]\";\n" +
				";faithfulness;0;;o;[sic] a text;1\n",
			"tabs": "\ufeffmetric\tid\tlabel\tinput\toutput\tcontext\thard\r\n" +
				"faithfulness\ta\tun-faithful\tq\t\"two\nlines\"\t[\"x\",{\"text\":\"y\"}]\t\r\n" +
				"faithfulness\t\t0\t\to\t[sic] a text\ttrue\r\n",
		} {
			t.Run(name, func(t *testing.T) {
				got, errs := collect(t, text, "mine", "")
				if len(errs) > 0 {
					t.Error(errs)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("samples (-want +got):\n%s", d)
				}
			})
		}
	})
}

func TestOwnRowsThatCannotBeUsedAreNamedAndReadingGoesOn(t *testing.T) {
	got, errs := collect(t, `{"metric":"bias","label":"Biased","output":"o"}
{"metric":"bias","label":"prejudiced","output":"o"}
{"metric":"bias","output":"o"}
{"label":"Biased","output":"o"}
{"metric":"sentiment","label":1,"output":"o"}
{"metric":"answer_relevancy","label":0,"output":"o"}
{"metric":"hallucination","label":0,"output":"o"}
{"metric":"tone","label":"x","output":" \u200b"}
{"metric":"bias","label":0,"output":"o","documents":3}
{"metric":"bias","label":0,"output":"o","documents":[3]}
{"metric":"bias","label":0,"output":"o","history":"h"}
{"metric":"bias","label":0,"output":"o","hard":"very"}
{"metric":"bias"
["bias"]
null
{"metric":"bias","label":"Not_Biased","output":"o"}`, "mine.jsonl", "")
	if len(got) != 2 || got[1].ID != "16" || got[1].Label != "Not Biased" {
		t.Errorf("samples %v", got)
	}
	want := []string{
		`line 2: label "prejudiced", expected Biased or Not Biased, or 1 or 0`,
		`line 3: no label, expected Biased or Not Biased, or 1 or 0`,
		`line 4: no metric, expected the name of one, as bias`,
		`line 5: label "1", expected Negative, Neutral, Positive`,
		`line 6: empty input for answer_relevancy`,
		`line 7: no documents for hallucination`,
		`line 8: empty output for tone`,
		`line 9: documents: expected a text, or a list of texts or of objects with text`,
		`line 10: expected a text, or a list of texts or of objects with text: documents: `,
		`line 11: expected a list of objects with role and text: history: `,
		`line 12: hard is "very", expected true or false`,
		`line 13: expected a JSON object: `,
		`line 14: expected a JSON object: `,
		`line 15: expected a JSON object, found null`,
	}
	if len(errs) != len(want) {
		t.Fatalf("%d errors, want %d:\n%s", len(errs), len(want), strings.Join(errs, "\n"))
	}
	for i, w := range want {
		if !strings.HasPrefix(errs[i], "mine.jsonl, "+w) {
			t.Errorf("got  %s\nwant %s", errs[i], w)
		}
	}
}

func TestRowErrorSaysWhere(t *testing.T) {
	all, err := Read(strings.NewReader(`[{"metric":"bias","label":1,"output":"o"},7]`), "mine.json", "samples")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range all {
		var row *RowError
		if errors.As(err, &row) && (row.Row != 2 || !row.Item || row.Name != "mine.json") {
			t.Errorf("%+v", row)
		} else if err != nil && row == nil {
			t.Error(err)
		}
	}
}
