package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/render"
)

//go:embed page.html.tmpl
var pageText string

//go:embed page.css
var ownStyle string

var pageStyle = render.Style + ownStyle

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": render.Percent, "decimal": render.Decimal, "threshold": render.Threshold, "duration": render.Duration, "cost": cost,
	"counts": render.Counts, "tokens": tokens, "passMark": passMark, "partly": partly, "join": strings.Join,
	"figures": figures, "advice": advice, "none": func() string { return render.None },
	"number":   func(x float64) string { return render.Decimal(&x) },
	"share":    func(x float64) string { return render.Percent(&x) },
	"plain":    render.Visible,
	"percents": func(low, high *float64) string { return render.Between(low, high, render.Percent) },
	"decimals": func(low, high *float64) string { return render.Between(low, high, render.Decimal) },
}).Parse(pageText))

// page is what the template sees.
type page struct {
	*calibrate.Report
	Style template.CSS
	// StyleHash lets the browser use that style and no other.
	StyleHash string
	Sections  []section
	Causes    []cause
}

type cause struct{ Type, Text string }

// section is a metric with what is computed for its pictures.
type section struct {
	*calibrate.Metric
	Rows []matrixRow
	Plot *plot
	// Curve has the points as a table; More is how many of them are left out.
	Points []agreement.Point
	More   int
}

type matrixRow struct {
	Class string
	Cells []matrixCell
}

// matrixCell has the share of its row in tenths, by which it is shaded.
type matrixCell struct {
	Count, Shade int
	Same         bool
}

// HTML writes a report as one page that needs nothing else: no script, no font,
// no address. Texts of samples are escaped, and the page's own policy forbids
// whatever they could want.
func HTML(w io.Writer, r *calibrate.Report) error {
	p := page{
		Report:    r,
		Style:     template.CSS(pageStyle), //nolint:gosec // embedded
		StyleHash: render.Hash(pageStyle),
	}
	for i := range r.Metrics {
		p.Sections = append(p.Sections, newSection(&r.Metrics[i]))
	}
	for _, errorType := range slices.Sorted(maps.Keys(r.FailureCauses)) {
		p.Causes = append(p.Causes, cause{errorType, r.FailureCauses[errorType]})
	}
	return render.Page(w, pageTemplate, p)
}

func newSection(m *calibrate.Metric) section {
	s := section{Metric: m, Plot: newPlot(m.Curve, advice(m))}
	if s.Plot != nil {
		s.Plot.BestIs = best(m)
	}
	for i, class := range m.Classes {
		row := matrixRow{Class: class}
		total := 0
		for _, count := range m.Matrix[i] {
			total += count
		}
		for j, count := range m.Matrix[i] {
			row.Cells = append(row.Cells, matrixCell{count, 10 * count / cmp.Or(total, 1), i == j})
		}
		s.Rows = append(s.Rows, row)
	}
	const most = 50
	if m.Curve != nil {
		s.Points = m.Curve.Points[:min(most, len(m.Curve.Points))]
		s.More = len(m.Curve.Points) - len(s.Points)
	}
	return s
}
