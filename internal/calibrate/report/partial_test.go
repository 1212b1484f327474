package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/calibrate/report"
)

// What the figures do not rest on is said in every form: texts that were cut, rows
// that were left out, tokens that nobody reported, metrics asked together.
func TestWhatIsMissingIsSaid(t *testing.T) {
	in, out := int64(30), int64(4)
	metric := calibrate.Metric{
		Name: "bias", Classes: []string{"Biased", "Not Biased"}, Matrix: agreement.NewMatrix(2), InputCut: 3,
		Usage:         &calibrate.Usage{Samples: 5, Calls: 6},
		Disagreements: []calibrate.Disagreement{{ID: "a", InputCut: 77, Output: "x"}},
	}
	other := metric
	other.Name, other.Usage = "toxicity", &calibrate.Usage{Samples: 5, Calls: 6, Metered: 2, InputTokens: &in, OutputTokens: &out}
	r := &calibrate.Report{
		Metrics:   []calibrate.Metric{metric, other},
		Evaluator: calibrate.Evaluator{Together: [][]string{{"bias", "toxicity"}}},
		Samples:   calibrate.Samples{LeftOut: map[string]int{"begin_label is generic": 9}, Unusable: 120},
	}
	for i := range 100 {
		r.Samples.UnusableExamples = append(r.Samples.UnusableExamples, fmt.Sprintf("row %d has no label", i))
	}
	var table, page, machine bytes.Buffer
	for form, err := range map[string]error{
		"table": report.Table(&table, r, false), "page": report.HTML(&page, r), "JSON": report.JSON(&machine, r),
	} {
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
	}
	for text, parts := range map[*bytes.Buffer][]string{
		&table: {
			"3 samples judged on part of their text", "begin_label is generic 9", "120 rows: row 0 has no label", "and 117 more",
			"tokens not reported", "at least 30 tokens in, 4 out (2 of 5 samples reported)", "application has it, of a case to which they apply: bias,",
		},
		&page: {
			"3 samples judged on part of their text", "begin_label is generic 9", "row 99 has no label", "The first 100 of them",
			"tokens not reported", "at least 30 tokens in", "77 bytes of the text were not shown", "of a case to which they apply: bias, toxicity",
		},
		&machine: {`"input_cut": 3`, `"input_cut": 77`, `"begin_label is generic": 9`, "row 99 has no label", `"together": [`},
	} {
		for _, part := range parts {
			if !strings.Contains(text.String(), part) {
				t.Errorf("no %q in\n%s", part, text)
			}
		}
	}
	if strings.Contains(table.String()+page.String(), " 0 tokens") {
		t.Error("tokens that were not reported are told as none")
	}
}
