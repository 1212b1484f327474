package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/genaievals/genaievals/internal/render"
)

// The elements of JUnit XML, as Jenkins and others read it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr,omitempty"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Skipped    int              `xml:"skipped,attr"`
		Time       string           `xml:"time,attr,omitempty"`
		Timestamp  string           `xml:"timestamp,attr,omitempty"`
		Properties *junitProperties `xml:"properties"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		Skipped *junitResult `xml:"skipped"`
		Error   *junitResult `xml:"error"`
		Failure *junitResult `xml:"failure"`
		Out     string       `xml:"system-out,omitempty"`
	}
	junitResult struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a report as JUnit XML. It is red exactly when the verdict is not
// [Passed]: its tests are whether the run is complete, and the gates. Items are
// there only to explain a gate that failed: the worst cases of its metric, and
// the first that failed as a whole where too many did. So it stays small whatever
// the dataset. Characters that XML does not have are shown by their numbers.
func JUnit(w io.Writer, r *Report) error {
	all := junitSuites{Name: "genaievals"}
	if r.Run != "" {
		all.Name = render.Visible(r.Run)
	}
	run := junitRun(r)
	if r.Seconds != nil {
		all.Time = render.Rounded(*r.Seconds, 3)
		run.Time = all.Time
	}
	all.Suites = append(all.Suites, run)
	for i := range r.Metrics {
		all.Suites = append(all.Suites, junitMetric(r, &r.Metrics[i]))
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		if !r.Started.IsZero() {
			s.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05")
		}
		for _, c := range s.Cases {
			s.Tests++
			switch {
			case c.Error != nil:
				s.Errors++
			case c.Failure != nil:
				s.Failures++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	b.WriteByte('\n')
	return render.Write(w, b.Bytes())
}

// junitRun is about the run as a whole.
func junitRun(r *Report) junitSuite {
	s := junitSuite{Name: "run", Properties: &junitProperties{List: []junitProperty{
		{"items", render.Visible(itemsText(r))}, {"verdict", string(r.Verdict)}, {"dataset", render.Visible(r.Dataset)},
	}}}
	complete := junitCase{Name: "complete", Class: "run", Out: render.Visible(itemsText(r))}
	for i, why := range r.incomplete() {
		if i == 0 {
			complete.Error = &junitResult{Message: render.Visible(why), Type: string(Incomplete)}
		} else {
			complete.Error.Text += render.Visible(why) + "\n"
		}
	}
	s.Cases = append(s.Cases, complete)
	for _, g := range r.Gates {
		if g.Gate != MaxFailed {
			continue
		}
		c := junitCase{Name: string(g.Gate), Class: "run", Out: g.Text}
		if !g.Passed {
			c.Error = &junitResult{Message: g.Text, Type: string(g.Gate)}
		}
		s.Cases = append(s.Cases, c)
		if g.Passed {
			continue
		}
		for _, b := range r.BadItems {
			s.Cases = append(s.Cases, junitCase{
				Name: render.Visible(where(b.ID, b.Index, b.Line)), Class: "run.items",
				Error: &junitResult{Message: render.Visible(badText(b)), Type: render.Visible(b.ErrorType)},
			})
		}
	}
	return s
}

// junitMetric has the gates of a metric.
func junitMetric(r *Report, m *Metric) junitSuite {
	class := render.Visible(m.FullName())
	s := junitSuite{Name: class, Properties: &junitProperties{List: []junitProperty{
		{"scored", fmt.Sprint(m.Scored)}, {"pass_rate", percent(m.PassRate)}, {"mean", decimal(m.Mean)},
		{"skipped", render.Visible(countsText(m.Skipped))}, {"failed", render.Visible(countsText(m.Failed))},
	}}}
	failed := false
	for _, g := range r.Gates {
		if g.Evaluator != m.Evaluator || g.Metric != m.Name {
			continue
		}
		text := render.Visible(g.Text)
		c := junitCase{Name: string(g.Gate), Class: class, Out: text}
		switch result := (&junitResult{Message: text, Type: string(g.Gate)}); {
		case g.Passed:
		case g.WarnOnly:
			c.Out = "warning: " + text
		case g.Value == nil:
			c.Error = result
		default:
			c.Failure = result
			failed = true
		}
		s.Cases = append(s.Cases, c)
	}
	if len(s.Cases) == 0 {
		c := junitCase{Name: "no gate", Class: class}
		if m.Scored == 0 {
			c.Skipped = &junitResult{Message: "nothing was scored"}
		}
		s.Cases = append(s.Cases, c)
	}
	for i := range m.Worst {
		if c := &m.Worst[i]; failed && !c.Passed {
			s.Cases = append(s.Cases, junitCase{
				Name: render.Visible(where(c.ID, c.Index, c.Line)), Class: class + ".items",
				Failure: &junitResult{
					Message: render.Visible(fmt.Sprintf("score %s %s, %s", render.Rounded(c.Score, 2), c.Label, passMark(m))),
					Type:    "not_passed", Text: render.Visible(caseText(c)),
				},
			})
		}
	}
	return s
}

// caseText is what there is of a case, in lines.
func caseText(c *Case) string {
	text := ""
	for _, part := range []struct{ name, text string }{{"", c.Explanation}, {"input: ", c.Input}, {"output: ", c.Output}} {
		if part.text != "" {
			text += part.name + part.text + "\n"
		}
	}
	return text
}
