package anthropic_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
)

func TestRefusals(t *testing.T) {
	zero := 0.0
	failure := func(message string) string {
		return `{"type":"error","error":{"type":"invalid_request_error","message":"` + message + `"}}`
	}
	for _, tt := range []struct {
		name    string
		format  judge.Format
		refused string // a request that has this is refused
		message string
		want    []string // of three calls: ok, adapted, format or the error's type
	}{
		{"C01_temperature_refused", judge.FormatNone, `"temperature"`, "temperature: Extra inputs are not permitted", []string{"adapted", "ok", "ok"}},
		{"C01_temperature_deprecated", judge.FormatNone, `"temperature"`, "`temperature` is deprecated for this model.", []string{"adapted", "ok", "ok"}},
		{"C01_refused_for_ever", judge.FormatNone, `"model"`, "`temperature` is deprecated for this model.", []string{"adapted", "judge_bad_request", "judge_bad_request"}},
		{"C01_out_of_range_is_no_refusal", judge.FormatNone, `"temperature"`, "temperature: range: 0..1", []string{"judge_bad_request", "judge_bad_request", "judge_bad_request"}},
		{"C06_output_config", judge.FormatStrictSchema, `"output_config"`, "output_config: Extra inputs are not permitted", []string{"format", "format", "format"}},
		{"C06_output_format", judge.FormatStrictSchema, `"output_config"`, "output_config.format: this model does not support structured outputs", []string{"format", "format", "format"}},
		{"C07_schema", judge.FormatStrictSchema, `"output_config"`, "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false", []string{"format", "format", "format"}},
		{"C06_strict_tool", judge.FormatTool, `"strict"`, "tools.0.custom.strict: Extra inputs are not permitted", []string{"adapted", "ok", "ok"}},
		{"C06_no_tools", judge.FormatTool, `"tools"`, "tool_choice: this model does not support tools", []string{"format", "format", "format"}},
		{"prefill_is_not_used", judge.FormatNone, `"role":"assistant"`, "This model does not support assistant message prefill", []string{"ok", "ok", "ok"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if b, _ := io.ReadAll(r.Body); strings.Contains(string(b), tt.refused) {
					w.WriteHeader(http.StatusBadRequest)
					fmt.Fprint(w, failure(tt.message))
					return
				}
				fmt.Fprint(w, okBody)
			}))
			defer srv.Close()
			c := newClient(t, anthropic.Config{Model: "m", BaseURL: srv.URL})
			var got []string
			for range 3 {
				_, err := c.Complete(t.Context(), judge.Request{Format: tt.format, Temperature: &zero, Metrics: []string{"bias"}, Schema: []byte(`{}`)})
				said := "ok"
				if err != nil {
					switch e := asError(t, err); {
					case e.Adapted && e.FormatRefused:
						said = "both"
					case e.Adapted:
						said = "adapted"
					case e.FormatRefused:
						said = "format"
					default:
						said = e.Type
					}
				}
				got = append(got, said)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
