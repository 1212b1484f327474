package evaluators

import (
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestNeedsMissing(t *testing.T) {
	docs := func(texts ...string) []instrumentation.Document {
		var ds []instrumentation.Document
		for _, text := range texts {
			ds = append(ds, instrumentation.Document{Text: text})
		}
		return ds
	}
	const all = NeedOutput | NeedInput | NeedDocuments
	tests := []struct {
		name string
		c    Case
		need Need
		want string
	}{
		{"complete", Case{Output: "o", Input: "i", Documents: docs("d")}, all, ""},
		{"nothing needed", Case{}, 0, ""},
		{"suppressed comes first", Case{Suppressed: true}, all, SkipSuppressed},
		{"suppressed even when nothing is needed", Case{Suppressed: true}, 0, SkipSuppressed},
		{"tools only", Case{ToolCallOnly: true, Input: "i"}, all, SkipToolCallOnly},
		{"tools only, output not needed", Case{ToolCallOnly: true, Input: "i"}, NeedInput, ""},
		{"image only", Case{NonText: true, Output: "[image/png, 3 bytes]"}, all, SkipNonTextOutput},
		{"no output", Case{Input: "i", Documents: docs("d")}, all, SkipEmptyOutput},
		{"blank output", Case{Output: " \u00a0\u200b\ufeff\n\u3000", Input: "i"}, all, SkipEmptyOutput},
		{"output before input", Case{}, all, SkipEmptyOutput},
		{"output before a cut input", Case{InputTruncated: true, Input: "i"}, all, SkipEmptyOutput},
		{"cut input", Case{InputTruncated: true, Output: "o", Input: "i", Documents: docs("d")}, all, SkipContentTruncated},
		{"input cut away", Case{InputTruncated: true, Output: "o"}, NeedOutput | NeedInput, SkipContentTruncated},
		{"documents may be in a cut input", Case{InputTruncated: true, Output: "o", Documents: docs("d")}, NeedOutput | NeedDocuments, SkipContentTruncated},
		{"documents or a cut input", Case{InputTruncated: true, Output: "o", Input: "i"}, NeedOutput | NeedDocumentsOrInput, SkipContentTruncated},
		{"cut input not needed", Case{InputTruncated: true, Output: "o"}, NeedOutput, ""},
		{"no input", Case{Output: "o", Documents: docs("d")}, all, SkipEmptyInput},
		{"input not needed", Case{Output: "o", Documents: docs("d")}, NeedOutput | NeedDocuments, ""},
		{"no documents", Case{Output: "o", Input: "i"}, all, SkipNoDocuments},
		{"blank documents", Case{Output: "o", Input: "i", Documents: docs("", " \u200b")}, all, SkipNoDocuments},
		{"one readable document", Case{Output: "o", Input: "i", Documents: docs("", "d")}, all, ""},
		{"documents or input: input", Case{Output: "o", Input: "i"}, NeedOutput | NeedDocumentsOrInput, ""},
		{"documents or input: documents", Case{Output: "o", Documents: docs("d")}, NeedOutput | NeedDocumentsOrInput, ""},
		{"documents or input: neither", Case{Output: "o", Input: "\u2800", Documents: docs("\t")}, NeedOutput | NeedDocumentsOrInput, SkipNoDocuments},
		{"no system instructions", Case{Output: "o", System: " "}, NeedOutput | NeedSystem, SkipNoSystem},
		{"system instructions may be in a cut input", Case{InputTruncated: true, Output: "o", System: "s"}, NeedOutput | NeedSystem, SkipContentTruncated},
		{"nothing expected", Case{Output: "o", Expected: "\u200b"}, NeedOutput | NeedExpected, SkipNoExpected},
		{"no history", Case{Output: "o"}, NeedOutput | NeedHistory, SkipNoHistory},
		{"history may be in a cut input", Case{InputTruncated: true, Output: "o", History: []Turn{{}}}, NeedOutput | NeedHistory, SkipContentTruncated},
		{"history", Case{Output: "o", History: []Turn{{Role: "user", Text: "t"}}}, NeedOutput | NeedHistory, ""},
		{"system and expected", Case{Output: "o", System: "s", Expected: "e"}, NeedOutput | NeedSystem | NeedExpected, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reason, missing := NeedsMissing(&tt.c, tt.need)
			if reason != tt.want || missing != (tt.want != "") {
				t.Errorf("got %q, %v, want %q", reason, missing, tt.want)
			}
		})
	}
}

func TestBlank(t *testing.T) {
	for _, s := range []string{
		"", " ", "\t\r\n", "\u00a0", "\u200b", "\u200d\u2060", "\ufeff", "\u202e", "\u2028", "\u3164", "\x00\x1b", "\ufe0f", "\u2800", "\u180e", "\U000e0041",
	} {
		if !Blank(s) {
			t.Errorf("%+q is not blank", s)
		}
	}
	for _, s := range []string{"a", " . ", "\u200bx", "日", "🙂", "\ufffd", "\xff", "¨"} {
		if Blank(s) {
			t.Errorf("%+q is blank", s)
		}
	}
}
