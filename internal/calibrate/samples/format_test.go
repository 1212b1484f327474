package samples

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fixture is a file in the shape of a format, and what is read from it: id,
// label, input, output and documents of each sample, then the errors.
type fixture struct {
	format, name, text string
	want               []string
	errs               []string
}

var fixtures = []fixture{
	{
		format: "samples", name: "mine.jsonl",
		text: `{"id":"a","metric":"bias","label":"Biased","output":"o"}`,
		want: []string{"a|Biased||o"},
	},
	{
		format: "davidson", name: "labeled_data.csv",
		text: ",count,hate_speech,offensive_language,neither,class,tweet\n0,3,2,1,0,0,go away\n1,3,0,3,0,1,\"oh, no\"\n2,3,0,0,3,2,good day\n3,3,0,0,3,4,what\n",
		want: []string{"davidson-2|Toxic||go away", "davidson-3|Toxic||oh, no", "davidson-4|Non Toxic||good day"},
		errs: []string{`line 5: class is "4", expected 0, 1, 2`},
	},
	{
		format: "surge", name: "toxicity_en.csv",
		text: "text,is_toxic\r\nwhat a day,Not Toxic\r\n\"one\ntwo\",Toxic\r\n,Toxic\r\n",
		want: []string{"surge-2|Non Toxic||what a day", "surge-3|Toxic||one\ntwo"},
		errs: []string{"line 5: empty output for toxicity"},
	},
	{
		format: "jigsaw_wiki", name: "testset.csv",
		text: "rev_id,comment,toxic\n77,\" Thanks. \",False\n78,Be gone,True\n",
		want: []string{"jigsaw_wiki-77|Non Toxic|| Thanks. ", "jigsaw_wiki-78|Toxic||Be gone"},
	},
	{
		format: "jigsaw_madlibs", name: "madlibs.csv",
		text: "Text,Label,Template\n\"Olaf is kind\",NOT_BAD,name_adj\n\"Olaf is vile\",BAD,name_adj\n",
		want: []string{"jigsaw_madlibs-2|Non Toxic||Olaf is kind", "jigsaw_madlibs-3|Toxic||Olaf is vile"},
	},
	{
		format: "hatecheck", name: "test_suite_cases.csv",
		text: ",functionality,case_id,test_case,label_gold,target_ident,direction\n" +
			"0,derog_neg_emote_h,1,They are awful.,hateful,,general\n" +
			"1,target_indiv_nh,2,You are awful.,non-hateful,,\n" +
			"2,target_group_nh,3,Plumbers are awful.,non-hateful,,\n" +
			"3,ident_neutral_nh,4,We are a family.,non-hateful,,\n",
		want: []string{"hatecheck-1|Toxic||They are awful.", "hatecheck-4|Non Toxic||We are a family."},
	},
	{
		format: "tweeteval_hate", name: "hate/train.csv",
		text: "text,label\nhello,0\naway with them,1\n",
		want: []string{"tweeteval_hate-2|Non Toxic||hello", "tweeteval_hate-3|Toxic||away with them"},
	},
	{
		format: "tweeteval_offensive", name: "tweets-offensive.csv",
		text: "text,label\nhello,0\nyou fool,1\n",
		want: []string{"tweeteval_offensive-2|Non Toxic||hello", "tweeteval_offensive-3|Toxic||you fool"},
	},
	{
		format: "edos", name: "edos.csv",
		text: "rewire_id,text,label_sexist,label_category,label_vector,split\r\ns-1,fine,not sexist,none,none,train\r\ns-2,not fine,sexist,2. derogation,2.1,train\r\n",
		want: []string{"edos-s-1|Not Biased||fine", "edos-s-2|Biased||not fine"},
	},
	{
		format: "redditbias", name: "gender.csv",
		text: "attribute_in_window,comment,phrase,bias_sent,bias_phrase,\nTRUE,all of it,of it,1,0,\nTRUE,none of it,of it,0,0,\nTRUE,some,some,2,2,\nTRUE,blank,blank,,,\n",
		want: []string{"redditbias-2|Biased||all of it", "redditbias-3|Not Biased||none of it"},
	},
	{
		format: "bbq", name: "Age.jsonl",
		text: bbqRow("1", "ambig", "neg", "1") + bbqRow("2", "ambig", "nonneg", "1") + bbqRow("3", "disambig", "neg", "0") +
			strings.Replace(bbqRow("4", "ambig", "neg", "1"), `"young"]`, `"old"]`, 1) + bbqRow("5", "ambig", "neg", "9"),
		want: []string{
			"bbq-1-ans1|Not Biased|c\n\nq|Nobody knows", "bbq-1-ans0|Biased|c\n\nq|The grandfather",
			"bbq-2-ans1|Not Biased|c\n\nq|Nobody knows", "bbq-2-ans2|Biased|c\n\nq|The grandson",
			"bbq-3-ans0|Not Biased|c\n\nq|The grandfather",
			"bbq-4-ans1|Not Biased|c\n\nq|Nobody knows",
		},
		errs: []string{`line 5: label is "9", expected 0, 1 or 2`},
	},
	{
		format: "haluquestqa", name: "HaluQuestQA.csv",
		text: "\tquestion_text\tans1_text\tans2_text\tans1_label\tans2_label\trelevance_model_score\trelevance_human_score\n" +
			"0\twhy?\tbecause\t\"so \"\"it\"\" is\"\thuman_answer\tmodel_answer\t1.0\t0.25\n" +
			"1\thow?\tthus\tso\tmodel_answer\thuman_answer\t0.75\t1.0\n" +
			"2\twho?\tme\tyou\tmodel_answer\thuman_answer\tmuch\t1.0\n",
		want: []string{"haluquestqa-2-ans1|Irrelevant|why?|because", `haluquestqa-2-ans2|Relevant|why?|so "it" is`, "haluquestqa-3-ans2|Relevant|how?|so"},
		errs: []string{`line 4: relevance_model_score is "much", expected a number from 0 to 1`},
	},
	{
		format: "halueval_qa", name: "qa.jsonl",
		text: `{"knowledge":"k","question":"q","right_answer":"r","hallucinated_answer":"h"}`,
		want: []string{"halueval_qa-1-right|Faithful|q|r|k", "halueval_qa-1-hallucinated|Unfaithful|q|h|k"},
	},
	{
		format: "begin", name: "begin.tsv",
		text: "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label\r\nm\twow\tk\tq\tr1\tFully attributable\r\nm\twow\tk\tq\tr2\tNot fully attributable\r\nm\twow\tk\tq\tr3\tGeneric\r\n",
		want: []string{"begin-2|Faithful|q|r1|k", "begin-3|Unfaithful|q|r2|k"},
	},
	{
		format: "wice", name: "dev.jsonl",
		text: `{"label":"supported","claim":"c1","evidence":["a","b"],"meta":{}}` + "\n" + `{"label":"partially_supported","claim":"c2","evidence":["a"]}` + "\n" +
			`{"label":"not_supported","claim":"c3","evidence":["a"]}` + "\n" + `{"label":"supported","claim":"c4","evidence":[]}` + "\n" + `{"label":"x","claim":"c","evidence":["a"]}`,
		want: []string{"wice-1|Faithful||c1|a\nb", "wice-2|Unfaithful||c2|a", "wice-3|Unfaithful||c3|a"},
		errs: []string{"line 4: no documents for faithfulness", `line 5: label is "x", expected not_supported, partially_supported, supported`},
	},
	{
		format: "faithbench", name: "batch_1.json",
		text: `{
  "samples": [
    {"sample_id": 0, "source": "s", "summary": "u0", "annotations": [{"label": ["Benign"]}, {"label": ["Unwanted", "Unwanted.Instrinsic"]}], "metadata": {}},
    {"sample_id": 1, "source": "s", "summary": "u1", "annotations": []},
    {"sample_id": 2, "source": "s", "summary": "u2", "annotations": [{"label": ["Questionable"]}]},
    {"sample_id": 3, "source": "s", "summary": "u3", "annotations": [{"label": ["Benign"]}]}
  ]
}`,
		want: []string{"faithbench-0|Unfaithful||u0|s", "faithbench-1|Faithful||u1|s"},
	},
	{
		format: "faithbench_csv", name: "FaithBench.csv",
		text: "source,summary,LLM,worst-label,best-label\ns,u0,m,Unwanted,Benign\ns,u1,m,Consistent,Consistent\ns,u2,m,Benign,Consistent\ns,u3,m,Questionable,Benign\n",
		want: []string{"faithbench_csv-2|Unfaithful||u0|s", "faithbench_csv-3|Faithful||u1|s"},
	},
	{
		format: "qags", name: "mturk_cnndm.jsonl",
		text: qagsRow("a1", "yes yes no", "yes yes yes") + qagsRow("a2", "yes yes yes", "no yes no") +
			qagsRow("a3", "yes no", "yes yes") + qagsRow("a4", "yes no", "no no") + qagsRow("a5", "", "yes") + qagsRow("a6", "maybe", "yes"),
		want: []string{"qags-1|Faithful||S0. S1.|a1", "qags-2|Unfaithful||S0. S1.|a2", "qags-4|Unfaithful||S0. S1.|a4"},
		errs: []string{`line 6: response is "maybe", expected yes or no`},
	},
	{
		format: "halueval_general", name: "general_data.json",
		text: `{"ID":"9","user_query":"q","chatgpt_response":"r","hallucination":"yes","hallucination_spans":["r"]}` + "\r\n" + `{"ID":"8","user_query":"q","chatgpt_response":"r","hallucination":"no","hallucination_spans":[]}` + "\r\n",
		want: []string{"halueval_general-9|Hallucinated|q|r", "halueval_general-8|Not Hallucinated|q|r"},
	},
	{
		format: "vader", name: "tweets_GroundTruth.txt",
		text: "1\t2.7\tso \"glad\"\r\n2\t-1\tso sad\r\n3_1\t0.4\ta table\r\n4\t0.7\tnot bad\r\n5\tx\ty\r\n",
		want: []string{`vader-1|Positive||so "glad"`, "vader-2|Negative||so sad", "vader-3_1|Neutral||a table"},
		errs: []string{`line 5: rating is "x", expected a number from -4 to 4`},
	},
	{
		format: "sst2", name: "dev.tsv",
		text: "sentence\tlabel\n\"a warm film \t1\nquite \"dull \t0\n",
		want: []string{`sst2-2|Positive||"a warm film `, `sst2-3|Negative||quite "dull `},
	},
	{
		format: "tweeteval_sentiment", name: "sentiment/test.csv",
		text: "text,label\nugh,0\na tram,1\nyay,2\nwhat,3\n",
		want: []string{"tweeteval_sentiment-2|Negative||ugh", "tweeteval_sentiment-3|Neutral||a tram", "tweeteval_sentiment-4|Positive||yay"},
		errs: []string{`line 5: label is "3", expected 0, 1, 2`},
	},
}

func bbqRow(id, condition, polarity, label string) string {
	return `{"example_id":` + id + `,"question_polarity":"` + polarity + `","context_condition":"` + condition + `","category":"Age",` +
		`"answer_info":{"ans0":["grandfather","old"],"ans1":["Nobody knows","unknown"],"ans2":["grandson","young"]},` +
		`"additional_metadata":{"stereotyped_groups":["Old"]},"context":"c","question":"q",` +
		`"ans0":"The grandfather","ans1":"Nobody knows","ans2":"The grandson","label":` + label + "}\n"
}

func qagsRow(article string, answers ...string) string {
	var sentences []string
	for i, a := range answers {
		var responses []string
		for r := range strings.FieldsSeq(a) {
			responses = append(responses, `{"worker_id":0,"response":"`+r+`"}`)
		}
		sentences = append(sentences, `{"sentence":"S`+string(rune('0'+i))+`.","responses":[`+strings.Join(responses, ",")+`]}`)
	}
	return `{"article":"` + article + `","summary_sentences":[` + strings.Join(sentences, ",") + "]}\n"
}

// line is what a fixture says of a sample.
func line(s Sample) string {
	parts := []string{s.ID, s.Label, s.Case.Input, s.Case.Output}
	for _, d := range s.Case.Documents {
		parts = append(parts, d.Text)
	}
	return strings.Join(parts, "|")
}

func TestFormatsAreRecognisedAndRead(t *testing.T) {
	covered := map[string]bool{}
	for _, f := range fixtures {
		covered[f.format] = true
		m, _, err := find(f.format)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"", f.format} {
			t.Run(f.format+" by "+format, func(t *testing.T) {
				samples, errs := collect(t, f.text, f.name, format)
				var got []string
				for _, s := range samples {
					got = append(got, line(s))
					if len(m.Metrics) > 0 && s.Metric != m.Metrics[0] {
						t.Errorf("%s: metric %s, want %s", s.ID, s.Metric, m.Metrics[0])
					}
				}
				if d := cmp.Diff(f.want, got); d != "" {
					t.Errorf("samples (-want +got):\n%s", d)
				}
				for i := range errs {
					errs[i] = strings.TrimPrefix(errs[i], f.name+", ")
				}
				if d := cmp.Diff(f.errs, errs); d != "" {
					t.Errorf("errors (-want +got):\n%s", d)
				}
			})
		}
	}
	for _, f := range Formats() {
		if !covered[f.Name] {
			t.Errorf("%s has no fixture", f.Name)
		}
	}
}

func TestFormatsAreDescribed(t *testing.T) {
	for _, f := range Formats() {
		if f.Set == "" || f.Doc == "" || len(f.Columns) == 0 {
			t.Errorf("%s: set, doc or columns missing", f.Name)
		}
		if f.Name != "samples" && (f.Source == "" || f.Licence == "" || len(f.Metrics) == 0) {
			t.Errorf("%s: source, licence or metric missing", f.Name)
		}
		for _, c := range f.Columns {
			if c != strings.ToLower(c) {
				t.Errorf("%s: column %s is not in lower case", f.Name, c)
			}
		}
		for _, m := range f.Metrics {
			if _, ok := questions[m]; !ok {
				t.Errorf("%s: unknown metric %s", f.Name, m)
			}
		}
	}
}

func TestLabelsOfMappingsAreThoseOfTheirMetric(t *testing.T) {
	for _, m := range mappings {
		for word, label := range m.labels {
			if label == leftOut {
				continue
			}
			if got, err := labelNamed(m.Metrics[0], label); err != nil || got != label {
				t.Errorf("%s: %q means %q: %v", m.Name, word, label, err)
			}
		}
	}
}

// Some columns of one set are all of another's.
func TestTheFormatWithMostColumnsIsTaken(t *testing.T) {
	samples, errs := collect(t, "Text,Label,Template\nOlaf is vile,BAD,name_adj\n", "hate/madlibs.csv", "")
	if len(errs) > 0 || len(samples) != 1 || samples[0].ID != "jigsaw_madlibs-2" {
		t.Errorf("samples %v, errors %v", samples, errs)
	}
}

func TestSetsCanBeReadForTheirOtherMetric(t *testing.T) {
	samples, errs := collect(t, `{"knowledge":"k","question":"q","right_answer":"r","hallucinated_answer":"h"}`, "qa.json", "HaluEval_QA:hallucination")
	if len(errs) > 0 || len(samples) != 2 {
		t.Fatal(samples, errs)
	}
	for i, want := range []string{"Not Hallucinated", "Hallucinated"} {
		if s := samples[i]; s.Metric != "hallucination" || s.Label != want {
			t.Errorf("%s: %s %s, want %s", s.ID, s.Metric, s.Label, want)
		}
	}
}

func TestUnknownFormats(t *testing.T) {
	for name, tt := range map[string]struct{ text, path, format, want string }{
		"name":           {"a,b\n1,2\n", "f", "nonsense", `"nonsense", expected one of samples, davidson, `},
		"metric":         {"text,is_toxic\na,Toxic\n", "f", "surge:bias", "surge:bias: its labels serve toxicity"},
		"columns":        {"a,b\n1,2\n", "f", "", "expected metric, label and output, or the columns of a public set; found a, b"},
		"other columns":  {"a,b\n1,2\n", "f", "surge", "surge has a column text, found a, b"},
		"only the path":  {"text,label\na,1\n", "tweets.csv", "", "its columns are those of tweeteval_hate, tweeteval_offensive, tweeteval_sentiment: say which"},
		"nothing usable": {"{\n{\n", "f", "", "row 1: expected a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(strings.NewReader(tt.text), tt.path, tt.format)
			if !errors.Is(err, ErrUnknownFormat) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestTweetEvalPairs(t *testing.T) {
	write := func(t *testing.T, task, texts, labels string) string {
		t.Helper()
		dir := filepath.Join(t.TempDir(), task)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"val_text.txt": texts, "val_labels.txt": labels} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return filepath.Join(dir, "val_text.txt")
	}
	for name, tt := range map[string]struct {
		task, texts, labels, format string
		want                        []string
		err                         string
	}{
		"by folder":       {"sentiment", "ugh \n\"a, tram\"\n", "0\n1\n", "", []string{"tweeteval_sentiment-1|Negative||ugh ", `tweeteval_sentiment-2|Neutral||"a, tram"`}, ""},
		"by name":         {"other", "you fool\n", "1\n", "tweeteval_offensive", []string{"tweeteval_offensive-1|Toxic||you fool"}, ""},
		"a line too many": {"hate", "a\n\n", "0\n", "", []string{"tweeteval_hate-1|Non Toxic||a"}, ""},
		"no label":        {"hate", "a\nb\n", "0\n", "", []string{"tweeteval_hate-1|Non Toxic||a"}, "line 2: a text without a label"},
		"no text":         {"hate", "a\n", "0\n1\n", "", []string{"tweeteval_hate-1|Non Toxic||a"}, "line 2: a label without a text"},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := Open(write(t, tt.task, tt.texts, tt.labels), tt.format)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // it can be ranged over again
				var got []string
				var last error
				for s, err := range all {
					if last = err; err == nil {
						got = append(got, line(s))
					}
				}
				if d := cmp.Diff(tt.want, got); d != "" {
					t.Errorf("samples (-want +got):\n%s", d)
				}
				if (last == nil) != (tt.err == "") || last != nil && !strings.Contains(last.Error(), tt.err) {
					t.Errorf("error %v, want %q", last, tt.err)
				}
			}
		})
	}
	if _, err := Open(write(t, "stance", "a\n", "0\n"), ""); !errors.Is(err, ErrUnknownFormat) {
		t.Errorf("a task that is none of ours: %v", err)
	}
}
