package docs_test

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// TestRetriesTable: a judge that answers a status, again and again, is called
// as often as metrics.md says.
func TestRetriesTable(t *testing.T) {
	sends := map[string]int{"up to twice": 3, "once": 2, "never": 1}
	tested := map[int]bool{}
	for _, row := range table(t, "metrics.md", "## judge", "sent again") {
		want, ok := sends[row["sent again"]]
		if !ok {
			t.Errorf("%q is no count", row["sent again"])
		}
		for _, m := range regexp.MustCompile(`\b(?:other )?([45]\d\d|200)\b`).FindAllStringSubmatch(row["when"], -1) {
			status, _ := strconv.Atoi(m[1])
			body := `{"error": {"message": "No."}}`
			switch {
			case status == 200:
				body = `{"error": {"code": 502, "message": "No."}}`
			case row["sent again"] == "once" && status == 400 && !strings.HasPrefix(m[0], "other"):
				body = `{"error": {"message": "The request body is not valid JSON: unexpected end of data"}}`
			}
			tested[status] = true
			if n := callsOf(t, status, body); n != want {
				t.Errorf("%s: %d is sent %d times, documented %d", m[0], status, n, want)
			}
		}
	}
	if len(tested) < 15 {
		t.Errorf("only %d statuses: %v", len(tested), tested)
	}
	if n := callsOf(t, 429, `{"error": {"code": "insufficient_quota"}}`); n != sends["never"] {
		t.Errorf("a quota is sent %d times", n)
	}
}

// callsOf counts the calls for one metric of a judge that always answers that.
func callsOf(t *testing.T, status int, body string) (calls int) {
	synctest.Test(t, func(t *testing.T) {
		answering := &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
			calls++
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
		})}
		client, err := openai.New(openai.Config{BaseURL: "http://localhost", Model: "any", HTTPClient: answering})
		if err != nil {
			t.Fatal(err)
		}
		e, err := judge.New(client)
		if err != nil {
			t.Fatal(err)
		}
		if r := e.Evaluate(t.Context(), &evaluators.Case{Output: "A."}, e.Metrics()[:1])[0]; r.Outcome != evaluators.OutcomeFailed || r.Attempts != calls {
			t.Errorf("%d: %+v", status, r)
		}
	})
	return calls
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
