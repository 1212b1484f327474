package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// hostile is what a text may be that somebody wrote for whoever reads the report.
var hostile = strings.Join([]string{
	`<script>alert(1)</script>`, `</style><img src=x onerror=alert(2)>`, `"><svg/onload=alert(3)>`, `{{.Run}}`, `]]>`, "`` ` | \\| \\\\|",
	"@someone #12 https://evil.example www.evil.example [a](http://b) **bold** :tada: <!--", "$x$", "日本語🎉",
	"\x1b[2J\x1b]0;title\x07", "\u202Etxt.exe\u202C", "\r\n\x00\x7f\xff\uFFFE", "javascript:alert(4)", strings.Repeat("long", 100),
}, " ")

// hostileReport has that text wherever one can be.
func hostileReport(t *testing.T) *report.Report {
	t.Helper()
	h := journal.Header{
		Run: hostile, Dataset: hostile, Started: began, Content: true,
		Evaluators: []journal.Evaluator{{Name: hostile, Version: hostile, Type: hostile, Metrics: []journal.Metric{
			{Name: hostile, Threshold: .5, Labels: []string{hostile}}, {Name: "other", Threshold: .5},
		}}},
	}
	bad := evaluators.Scored(hostile, .1, hostile, hostile)
	bad.JudgeModel = hostile
	list := []*runner.Record{
		{ID: hostile, Evaluator: hostile, Input: hostile, Output: hostile, Results: []evaluators.Result{bad, evaluators.Failed("other", hostile, errors.New(hostile))}},
		{ID: hostile, Index: 1, Evaluator: hostile, Results: []evaluators.Result{evaluators.Skipped(hostile, hostile, hostile)}},
		{ID: hostile, Index: 2, ErrorType: hostile, Error: hostile},
	}
	r := finished(t, h, list)
	if _, err := r.Apply(gates(t, "fail-under", "0.8", "min-pass-rate", "0.8", "max-failed", "0", "warn-only", "other")); err != nil {
		t.Fatal(err)
	}
	return r
}

// forms are all that a report is written as.
func forms(r *report.Report, c *report.Comparison) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"table":            func(w io.Writer) error { return report.Table(w, r, report.Terminal{}) },
		"narrow table":     func(w io.Writer) error { return report.Table(w, r, report.Terminal{Width: 60}) },
		"json":             func(w io.Writer) error { return report.JSON(w, r) },
		"junit":            func(w io.Writer) error { return report.JUnit(w, r) },
		"markdown":         func(w io.Writer) error { return report.Markdown(w, r) },
		"html":             func(w io.Writer) error { return report.HTML(w, r) },
		"compare table":    func(w io.Writer) error { return report.CompareTable(w, c, report.Terminal{}) },
		"compare json":     func(w io.Writer) error { return report.CompareJSON(w, c) },
		"compare markdown": func(w io.Writer) error { return report.CompareMarkdown(w, c) },
	}
}

func hostileComparison(t *testing.T) *report.Comparison {
	t.Helper()
	h := journal.Header{Run: hostile, Dataset: hostile, Evaluators: []journal.Evaluator{{Name: hostile, Metrics: []journal.Metric{{Name: hostile, Threshold: .5}}}}}
	run := func(score float64) report.Run {
		var list []*runner.Record
		for i := range 20 {
			list = append(list, &runner.Record{ID: hostile + strings.Repeat("x", i), Index: int64(i), Evaluator: hostile, Results: []evaluators.Result{evaluators.Scored(hostile, score, hostile, hostile)}})
		}
		return report.Run{Header: h, Records: all(list)}
	}
	old, new := run(.9), run(.1)
	old.Header.Evaluators = []journal.Evaluator{{Name: hostile, Version: hostile, Metrics: h.Evaluators[0].Metrics}, {Name: hostile + "2", Metrics: []journal.Metric{{Name: hostile + "3"}}}}
	c := compare(t, old, new)
	if !c.Regressed() {
		t.Fatal("no regression")
	}
	return c
}

func write(t *testing.T, form func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := form(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// No form has a character that hides, and all are UTF-8.
func TestFormsShowWhatHides(t *testing.T) {
	for name, form := range forms(hostileReport(t), hostileComparison(t)) {
		t.Run(name, func(t *testing.T) {
			text := write(t, form)
			if !utf8.ValidString(text) {
				t.Error("not UTF-8")
			}
			if strings.HasSuffix(name, "json") {
				if !json.Valid([]byte(text)) {
					t.Error("not JSON")
				}
				return
			}
			if at := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && (c < ' ' || c == 0x7f || c == 0x202e || c == 0xfffe) }); at >= 0 {
				t.Errorf("%q", text[max(0, at-20):at+20])
			}
			if !strings.Contains(text, "alert(1)") {
				t.Error("the text is not shown at all")
			}
		})
	}
}

func TestTablesFitTheTerminal(t *testing.T) {
	h := header()
	ordinary := finished(t, h, records(h))
	for name, r := range map[string]*report.Report{"hostile": hostileReport(t), "ordinary": ordinary} {
		c := hostileComparison(t)
		for _, width := range []int{60, 80, 100, 140} {
			for _, ascii := range []bool{false, true} {
				terminal := report.Terminal{Width: width, ASCII: ascii}
				text := write(t, func(w io.Writer) error {
					return errors.Join(report.Table(w, r, terminal), report.CompareTable(w, c, terminal))
				})
				for line := range strings.Lines(text) {
					if n := render.Columns(strings.TrimSuffix(line, "\n")); n > width {
						t.Errorf("%s at %d: %d columns: %q", name, width, n, line)
					}
				}
				terminal.Color = true
				colored := write(t, func(w io.Writer) error {
					return errors.Join(report.Table(w, r, terminal), report.CompareTable(w, c, terminal))
				})
				if plain := regexp.MustCompile(`\x1b\[\d+m`).ReplaceAllString(colored, ""); plain != text {
					t.Errorf("%s: colour changes more than colour", name)
				}
			}
		}
	}
	for i, c := range write(t, func(w io.Writer) error { return report.Table(w, ordinary, report.Terminal{ASCII: true}) }) {
		if c >= utf8.RuneSelf {
			t.Errorf("%q at %d is not ASCII", c, i)
		}
	}
}

func TestPageObeysNoText(t *testing.T) {
	page := write(t, func(w io.Writer) error { return report.HTML(w, hostileReport(t)) })
	body, _, _ := strings.Cut(page, "<script>")
	for _, bad := range []string{"<script", "<img", "<svg/", "onerror=alert(2)>", "url(http", "@import", " style=", "src="} {
		if at := strings.Index(strings.ReplaceAll(body, "src=x", ""), bad); at >= 0 {
			t.Errorf("the page has %q", bad)
		}
	}
	if tag := regexp.MustCompile(`<[^>]*\s(on\w+|src|href="[^#])\s*=`).FindString(body); tag != "" {
		t.Errorf("the page has %q", tag)
	}
	if !strings.Contains(page, "[U&#43;202E]txt.exe") {
		t.Error("a character that hides is not shown by its number")
	}
}

// The policy allows the one style and the one script, by their hashes.
func TestPagePolicyFitsThePage(t *testing.T) {
	page := write(t, func(w io.Writer) error { return report.HTML(w, hostileReport(t)) })
	policy := strings.NewReplacer("&#43;", "+", "&#39;", "'").Replace(page)
	for element, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
		found := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1)
		if len(found) != 1 {
			t.Fatalf("%d elements %s", len(found), element)
		}
		if want := directive + " '" + render.Hash(found[0][1]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("no %s", want)
		}
	}
	if !strings.Contains(policy, "default-src 'none'") {
		t.Error("no default")
	}
}

// Outside code nothing of a text is left that Markdown, HTML or GitHub obeys.
func TestMarkdownObeysNoText(t *testing.T) {
	c := hostileComparison(t)
	r := hostileReport(t)
	for name, form := range map[string]func(io.Writer) error{
		"report":     func(w io.Writer) error { return report.Markdown(w, r) },
		"comparison": func(w io.Writer) error { return report.CompareMarkdown(w, c) },
	} {
		text := write(t, form)
		if len(text) > 60_000 {
			t.Errorf("%s: %d bytes", name, len(text))
		}
		columns := 0
		for line := range strings.Lines(text) {
			outside := regexp.MustCompile("(`+) ?.*?[^`]? ?\x60+(\\s|$)").ReplaceAllString(line, "")
			if strings.HasPrefix(line, "|") {
				outside = line
				n := strings.Count(line, "|")
				if columns != 0 && columns != n {
					t.Errorf("%s: %d instead of %d columns: %q", name, n, columns, line)
				}
				columns = n
			} else {
				columns = 0
			}
			for _, bad := range []string{"<script", "<img", "<!--", "@someone", "https://", "www.", "](", "**", ":tada:", " #12", "$x"} {
				if strings.Contains(outside, bad) {
					t.Errorf("%s: %q in %.200q", name, bad, outside)
				}
			}
		}
	}
}

func TestJUnitIsXMLThatSaysTheVerdict(t *testing.T) {
	type counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	h := header()
	for name, c := range map[string]struct {
		report *report.Report
		gates  []string
		names  []string // of failures and errors
	}{
		"hostile":         {report: hostileReport(t)},
		"passed":          {finished(t, h, records(h)), []string{"fail-under", "bias=0.3", "max-failed", "5"}, []string{}},
		"no gates":        {finished(t, h, records(h)), []string{}, []string{}},
		"only a warning":  {finished(t, h, records(h)), []string{"fail-under", "bias=0", "warn-only", "bias"}, []string{}},
		"gate failed":     {finished(t, h, records(h)), []string{"fail-under", "bias=0.1"}, []string{"fail_under", "item-2 (line 2)"}},
		"too many failed": {finished(t, h, records(h)), []string{"max-failed", "1"}, []string{"max_failed", "#6 (line 6)"}},
		"nothing scored":  {finished(t, h, nil), []string{"min-pass-rate", "bias=0.1"}, []string{"complete", "min_pass_rate"}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.gates != nil {
				if _, err := c.report.Apply(gates(t, c.gates...)); err != nil {
					t.Fatal(err)
				}
			}
			var got counts
			if err := xml.Unmarshal([]byte(write(t, func(w io.Writer) error { return report.JUnit(w, c.report) })), &got); err != nil {
				t.Fatal(err)
			}
			var sum counts
			var names []string
			for _, s := range got.Suites {
				sum.Tests, sum.Failures, sum.Errors = sum.Tests+s.Tests, sum.Failures+s.Failures, sum.Errors+s.Errors
				failures, errs := 0, 0
				for _, one := range s.Cases {
					if one.Failure != nil || one.Error != nil {
						names = append(names, one.Name)
					}
					if one.Failure != nil {
						failures++
					}
					if one.Error != nil {
						errs++
					}
				}
				if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errs {
					t.Errorf("%s: counts %d, %d, %d are not those of its cases", s.Name, s.Tests, s.Failures, s.Errors)
				}
			}
			if got.Tests != sum.Tests || got.Failures != sum.Failures || got.Errors != sum.Errors {
				t.Errorf("counts %d, %d, %d are not those of the suites", got.Tests, got.Failures, got.Errors)
			}
			if red := got.Failures+got.Errors > 0; red != (c.report.Verdict != report.Passed) {
				t.Errorf("red %v where the verdict is %q", red, c.report.Verdict)
			}
			if c.names != nil && strings.Join(names, ";") != strings.Join(c.names, ";") {
				t.Errorf("red are %q, want %q", names, c.names)
			}
		})
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestFormsReturnErrorsOfWriting(t *testing.T) {
	for name, form := range forms(hostileReport(t), hostileComparison(t)) {
		if err := form(brokenWriter{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A report of nothing can be written, too.
func TestFormsOfNothing(t *testing.T) {
	for name, form := range forms(&report.Report{}, &report.Comparison{}) {
		if text := write(t, form); text == "" {
			t.Errorf("%s: empty", name)
		}
	}
}
