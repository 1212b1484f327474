package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/internal/render"
)

//go:embed page.html.tmpl
var pageText string

//go:embed page.css
var ownStyle string

//go:embed page.js
var pageScript string

var pageStyle = render.Style + ownStyle

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"plain": render.Visible, "grouped": render.Grouped, "duration": render.Duration,
	"percent": percent, "decimal": decimal, "two": twoDecimals, "total": total,
	"percents":  func(e *Estimate) string { return interval(e, render.Percent) },
	"decimals":  func(e *Estimate) string { return interval(e, twoDecimals) },
	"number":    func(x float64) string { return render.Rounded(x, 2) },
	"join":      func(list []string) string { return strings.Join(list, ", ") },
	"itemsText": itemsText, "timeText": timeText, "spentText": spentText,
	"evaluatorText": evaluatorText, "passMark": passMark, "counts": countsText, "latency": latencyText, "usage": usageText,
	"gateMark": func(g GateResult) string { return gateMark(g).utf8 },
}).Parse(pageText))

// page is what the template sees.
type page struct {
	*Report
	Title               string
	VerdictText         string
	VerdictBad, Content bool
	// Why are the reasons that are not told by a gate.
	Why                   []string
	Style                 template.CSS
	Script                template.JS
	StyleHash, ScriptHash string
	Sections              []section
	Cases                 []pageCase
}

// section is a metric with what is computed for its pictures.
type section struct {
	*Metric
	Anchor   string
	Lower    bool
	Plot     *plot
	labelled int64
}

// pageCase is a worst case with its metric.
type pageCase struct {
	*Case
	Anchor, Metric string
}

// HTML writes a report as one page that needs nothing else: distributions, worst
// cases to sort and filter, statistics of each evaluator. Texts are escaped, and
// the page's own policy forbids whatever they could want; it can be read without
// its script.
func HTML(w io.Writer, r *Report) error {
	p := page{
		Report: r, Title: "Evaluation", VerdictText: "No gates were held against this run",
		Style:     template.CSS(pageStyle), //nolint:gosec // embedded
		Script:    template.JS(pageScript), //nolint:gosec // embedded
		StyleHash: render.Hash(pageStyle), ScriptHash: render.Hash(pageScript),
	}
	if r.Run != "" {
		p.Title = render.Visible(r.Run)
	}
	if m, text := verdictText(r); text != "" {
		verdict, _, _ := strings.Cut(text, ":")
		p.VerdictText = m.utf8 + " " + strings.ToUpper(verdict[:1]) + verdict[1:]
	}
	p.VerdictBad = r.Incomplete != "" || (r.Verdict != "" && r.Verdict != Passed)
	for _, reason := range r.Reasons {
		if !slices.ContainsFunc(r.Gates, func(g GateResult) bool { return g.Text == reason }) {
			p.Why = append(p.Why, reason)
		}
	}
	for i := range r.Metrics {
		s := newSection(&r.Metrics[i], i)
		p.Sections = append(p.Sections, s)
		for j := range s.Worst {
			c := pageCase{&s.Worst[j], s.Anchor, s.FullName()}
			p.Content = p.Content || c.Input != "" || c.Output != ""
			p.Cases = append(p.Cases, c)
		}
	}
	return render.Page(w, pageTemplate, p)
}

func newSection(m *Metric, at int) section {
	s := section{Metric: m, Anchor: "m" + strconv.Itoa(at+1), Lower: lowerIsBetter(m.Direction), Plot: newPlot(m)}
	s.labelled = total(m.LabelCounts)
	return s
}

// LabelShare is how many of the labelled have a label.
func (s section) LabelShare(n int64) string {
	if s.labelled == 0 {
		return render.None
	}
	return render.Percent(new(float64(n) / float64(s.labelled)))
}

// LabelWidth is that share as the width of a bar, in percent.
func (s section) LabelWidth(n int64) string {
	return render.Rounded(100*float64(n)/float64(max(1, s.labelled)), 1)
}

// plot is a histogram ready to be drawn: a bar each 40 units from 10 to 410, up
// from 140.
type plot struct {
	Bars        []bar
	Ticks       []tick
	Threshold   float64
	Left, Right string
	// Summary says in words what the picture shows.
	Summary string
}

type bar struct {
	X, Y, Height, Middle, TextY float64
	Count                       int64
	Text                        string
	// Out are scores that do not pass, all of them.
	Out bool
}

type tick struct {
	X    float64
	Text string
}

func newPlot(m *Metric) *plot {
	if m.Scored == 0 {
		return nil
	}
	lower := lowerIsBetter(m.Direction)
	p := &plot{Threshold: 10 + 400*m.Threshold, Left: "worse", Right: "better"}
	if lower {
		p.Left, p.Right = p.Right, p.Left
	}
	var highest int64
	for _, n := range m.Histogram {
		highest = max(highest, n)
	}
	var parts []string
	for i, n := range m.Histogram {
		const tallest = 118.0
		height := tallest * float64(n) / float64(highest)
		if n > 0 {
			height = max(height, 1.5)
			parts = append(parts, fmt.Sprintf("%s from %s", render.Grouped(n), render.Rounded(float64(i)/10, 1)))
		}
		x := 12 + 40*float64(i)
		p.Bars = append(p.Bars, bar{
			X: x, Y: 140 - height, Height: height, Middle: x + 18, TextY: 136 - height, Count: n, Text: short(n),
			Out: (lower && float64(i)/10 > m.Threshold) || (!lower && float64(i+1)/10 <= m.Threshold),
		})
	}
	for i := 0; i <= 10; i += 2 {
		p.Ticks = append(p.Ticks, tick{10 + 40*float64(i), render.Rounded(float64(i)/10, 1)})
	}
	p.Summary = strings.Join(parts, ", ")
	return p
}

// short writes a count in the width of a bar.
func short(n int64) string {
	switch {
	case n < 10_000:
		return strconv.FormatInt(n, 10)
	case n < 1_000_000:
		return render.Rounded(float64(n)/1e3, 0) + "k"
	}
	return render.Rounded(float64(n)/1e6, 1) + "M"
}
