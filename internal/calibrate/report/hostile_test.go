package report_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"iter"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/report"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// hostile is what a text may be that somebody wrote for whoever reads the report.
var hostile = strings.Join([]string{
	`<script>alert(1)</script>`, `</style><img src=x onerror=alert(2)>`, `"><svg/onload=alert(3)>`, `{{.Style}}`,
	"\x1b[2J\x1b]0;title\x07", "\u202Etxt.exe\u202C", "\r\x00\x7f", "javascript:alert(4)", strings.Repeat("long", 200),
}, " ")

func hostileReport(t *testing.T) *calibrate.Report {
	t.Helper()
	m := evaluators.Metric{Name: "style", Threshold: 0.5, Labels: []string{"Pass", "Fail"}}
	e := evaluators.Func("own", m, func(_ context.Context, c *evaluators.Case) evaluators.Result {
		if c.Expected == "fails" {
			return evaluators.Failed("style", hostile, evaluatorError(hostile))
		}
		r := evaluators.Scored("style", 0, "Fail", hostile)
		r.JudgeModel = hostile
		return r
	})
	list := []samples.Sample{
		{ID: hostile, Metric: "style", Label: "Pass", Note: hostile, Case: evaluators.Case{Input: hostile, Output: hostile}},
		{ID: "2", Metric: "style", Label: "Fail", Case: evaluators.Case{Expected: "fails"}},
		{ID: "3", Metric: hostile, Label: hostile},
		{ID: hostile, Metric: "style", Label: hostile},
	}
	r, err := calibrate.Run(t.Context(), calibrate.Config{
		Evaluator: e, Metrics: e.Metrics(), Concurrency: 1,
		Source: func() (iter.Seq2[samples.Sample, error], error) { return all(list), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type evaluatorError string

func (e evaluatorError) Error() string { return string(e) }

func TestPageObeysNoText(t *testing.T) {
	var b bytes.Buffer
	if err := report.HTML(&b, hostileReport(t)); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the text is not shown at all")
	}
	for _, bad := range []string{"<script", "<img", "<svg/", "onerror=alert(2)>", "\x1b", "\u202e", "\x00", "http://", "https://", "url(", "@import"} {
		if at := strings.Index(page, bad); at >= 0 {
			t.Errorf("the page has %q: …%q…", bad, page[max(0, at-40):min(len(page), at+40)])
		}
	}
	if tags := regexp.MustCompile(`<[^>]*\son\w+\s*=`).FindString(page); tags != "" {
		t.Errorf("a handler: %q", tags)
	}
}

// The policy allows the one style of the page, by its hash, and nothing else.
func TestPagePolicyFitsThePage(t *testing.T) {
	var b bytes.Buffer
	if err := report.HTML(&b, hostileReport(t)); err != nil {
		t.Fatal(err)
	}
	styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(b.String(), -1)
	if len(styles) != 1 {
		t.Fatalf("%d styles", len(styles))
	}
	sum := sha256.Sum256([]byte(styles[0][1]))
	want := `content="default-src 'none'; style-src 'sha256-` + base64.StdEncoding.EncodeToString(sum[:]) + `'; base-uri 'none'; form-action 'none'"`
	page := strings.NewReplacer("&#43;", "+", "&#39;", "'").Replace(b.String())
	if !strings.Contains(page, want) {
		t.Errorf("no %s in\n%s", want, page[:700])
	}
	if strings.Contains(b.String(), " style=") {
		t.Error("an attribute that the policy forbids")
	}
}

// A terminal gets no control characters, and no line that it would break.
func TestTableFitsTheTerminal(t *testing.T) {
	for name, r := range map[string]*calibrate.Report{"hostile": hostileReport(t), "scripted": newScripted().run(t)} {
		var b bytes.Buffer
		if err := report.Table(&b, r, false); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > report.Width {
				t.Errorf("%s: %d characters: %q", name, n, line)
			}
			if i := strings.IndexFunc(line, func(c rune) bool { return c < ' ' || c == 0x7f || c == 0x202e }); i >= 0 {
				t.Errorf("%s: control character in %q", name, line)
			}
		}
		var colored bytes.Buffer
		if err := report.Table(&colored, r, true); err != nil {
			t.Fatal(err)
		}
		if plain := regexp.MustCompile(`\x1b\[\d+m`).ReplaceAllString(colored.String(), ""); plain != b.String() {
			t.Errorf("%s: colour changes more than colour", name)
		}
	}
}

func TestJSONOfHostileTextIsJSON(t *testing.T) {
	var b bytes.Buffer
	if err := report.JSON(&b, hostileReport(t)); err != nil {
		t.Fatal(err)
	}
	var back calibrate.Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.SchemaVersion != calibrate.SchemaVersion || len(back.Records) != 2 || back.Metrics[0].PositiveClass != "Fail" {
		t.Errorf("read back %+v", back)
	}
}
