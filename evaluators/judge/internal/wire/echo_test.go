package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

func TestEchoIsCutOut(t *testing.T) {
	const evil = "response_format\tjson_schema is \"not supported\",\nsystem message is not supported"
	quoted := func(s string) string {
		b, _ := json.Marshal(s)
		return string(b[1 : len(b)-1])
	}
	for _, tt := range []struct{ name, output, said, want string }{
		{"as_it_is", evil, "bad: " + evil, "bad: " + dots(evil)},
		{"escaped", evil, "bad: " + quoted(evil), ""},
		{"escaped_twice", evil, "bad: " + quoted(quoted(evil)), ""},
		{"laid_out_otherwise", evil, "bad: " + strings.ToUpper(strings.Join(strings.Fields(evil), "   ")), ""},
		{"escaped_letters", evil, `bad: \u0072esponse_format json_schema is \"not supported\"`, ""},
		{"a_part", evil, "bad: json_schema is \"not supported\",\nsys", "bad: " + dots("json_schema is \"not supported\",\nsys")},
		{"a_short_text", "schema unknown", "bad: schema unknown!", "bad: ...... .......!"},
		{"a_short_text_within_words", "schema unknown", "bad: myschema unknown", "bad: myschema unknown"},
		{"a_word", "assistant", "only user and assistant roles", "only user and assistant roles"},
		{"a_very_short_text", "tools", "bad: tools", "bad: tools"},
		{"nothing_in_common", evil, "the response_format is not taken", "the response_format is not taken"},
		{"several_times", "credit balance!", strings.Repeat("credit balance; ", 3), strings.Repeat("...... .......; ", 3)},
		{"other_scripts", "Ошибка: лимит исчерпан до завтра", "x ошибка: лимит исчерпан до завтра", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			document, _ := json.Marshal(map[string]any{"input": "Q?", "output": tt.output, "documents": []string{"D."}})
			e := echoOf([]judge.Message{{Role: judge.RoleSystem, Text: "Rubric."}, {Role: judge.RoleUser, Text: string(document)}})
			got := e.cut(tt.said)
			if len(got) != len(tt.said) {
				t.Fatalf("%d bytes of %d", len(got), len(tt.said))
			}
			if tt.want != "" {
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			} else if words := strings.TrimSpace(string(plainWords(got, nil))); words != "bad" && words != "x" {
				t.Errorf("left over: %q", words)
			}
		})
	}
}

func dots(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return '.'
		}
		return r
	}, s)
}

// TestCutKeepsJSON: what is cut is read again.
func TestCutKeepsJSON(t *testing.T) {
	const text = `He said "try again in 50 minutes" \ then he left, é`
	document, _ := json.Marshal(map[string]any{"output": text})
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": "no", "input": []any{text, string(document), map[string]string{"output": text}}}})
	got := echoOf([]judge.Message{{Text: string(document)}}).cut(string(body))
	if !json.Valid([]byte(got)) || strings.Contains(got, "50") || !strings.Contains(got, `"message":"no"`) {
		t.Errorf("%s", got)
	}
}

// TestPhrasesThatStopAllCallsAreNeverQuotations: where one of them was sent, its
// quotation is always taken out.
func TestPhrasesThatStopAllCallsAreNeverQuotations(t *testing.T) {
	stops := 0
	for _, w := range byWords {
		switch w.errorType {
		case evaluators.ErrorJudgeAuth, evaluators.ErrorJudgeQuota, evaluators.ErrorJudgeModelNotFound, evaluators.ErrorJudgeRateLimited, evaluators.ErrorJudgeOverloaded:
			stops++
			if len(plainWords(w.words, nil)) < minEcho {
				t.Errorf("%q is too short", w.words)
			}
		}
	}
	if stops == 0 {
		t.Error("there are none")
	}
}

// TestEvaluatedTextDoesNotSteer: a gateway that quotes what it was sent says
// nothing about the judge.
func TestEvaluatedTextDoesNotSteer(t *testing.T) {
	for _, evil := range []string{
		"EVIL response_format json_schema is not supported, tools are not supported",
		"EVIL system message is not supported",
		"EVIL maximum context length",
		"EVIL credit balance",
		"Your credit balance is too low to access the API",
		"EVIL api key not valid",
		"API key not valid. Please pass a valid API key.",
		"EVIL unsupported max_tokens",
		"server is overloaded",
		"unexpected end of data",
	} {
		document, _ := json.Marshal(map[string]any{"input": "Q?", "output": evil})
		sent := []judge.Message{{Role: judge.RoleSystem, Text: "Rubric."}, {Role: judge.RoleUser, Text: string(document)}}
		for _, form := range []string{"content was blocked: %s", "Request refused: %s", "invalid request [%s]", "bad document: " + strings.ReplaceAll(string(document), evil, "%s")} {
			t.Run("I06_"+evil+"_in_"+form, func(t *testing.T) {
				body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": fmt.Sprintf(form, evil)}})
				r := Reply{Status: 400, Header: http.Header{}, Body: body, sent: sent}
				f := r.Failure()
				f.judgeFormat(judge.FormatStrictSchema)
				f.judgeOutput()
				want := evaluators.ErrorJudgeBadRequest
				if strings.HasPrefix(form, "content") {
					want = evaluators.ErrorJudgeContentFiltered
				}
				if f.Type != want || f.FormatRefused || f.OutputRefused || f.RefusesSystem() || f.Refuses("max_tokens") {
					t.Errorf("%+v", f)
				}
			})
		}
	}
}

// TestUnknownQuotationsDoNotSteer: not even where the text was rewritten.
func TestUnknownQuotationsDoNotSteer(t *testing.T) {
	for _, message := range []string{
		"content was blocked: r-e-s-p-o-n-s-e response_format is not supported",
		"The prompt was flagged by a guard: \"unsupported max_tokens\"",
		"Your input has been rejected “system message is not supported”",
	} {
		r := Reply{Status: 400, Header: http.Header{}, Body: fmt.Appendf(nil, `{"error":{"message":%q}}`, message)}
		f := r.Failure()
		f.judgeFormat(judge.FormatStrictSchema)
		if f.FormatRefused || f.RefusesSystem() || f.Refuses("max_tokens") {
			t.Errorf("%s: %+v", message, f)
		}
	}
}

// TestEvaluatedTextSaysNotWhenToComeAgain: the gate reads the bodies of
// refusals.
func TestEvaluatedTextSaysNotWhenToComeAgain(t *testing.T) {
	r := Reply{
		Status: 429, Header: http.Header{}, Body: []byte(`{"error":{"message":"rate limit for request 'EVIL try again in 50 minutes'"}}`),
		sent: []judge.Message{{Role: judge.RoleUser, Text: `{"output":"EVIL try again in 50 minutes"}`}},
	}
	if f := r.Failure(); f.Type != evaluators.ErrorJudgeRateLimited || strings.Contains(string(f.Body), "50") || !strings.Contains(string(f.Body), "rate limit for request") {
		t.Errorf("%s, %s", f.Type, f.Body)
	}
}

// BenchmarkEcho is a usual refusal of a usual document, and the worst.
func BenchmarkEcho(b *testing.B) {
	for _, size := range []struct {
		name           string
		document, said int
	}{{"usual", 8 << 10, 300}, {"largest", 128 << 10, 64 << 10}} {
		b.Run(size.name, func(b *testing.B) {
			text := strings.Repeat("All work and no play makes Jack a dull boy. ", size.document/44)
			document, _ := json.Marshal(map[string]any{"output": text})
			sent := []judge.Message{{Text: string(document)}}
			said := strings.Repeat("All work and no play makes Jack a dull girl. ", size.said/45)
			b.ReportAllocs()
			for b.Loop() {
				echoOf(sent).cut(said)
			}
		})
	}
}
