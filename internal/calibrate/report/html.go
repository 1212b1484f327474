package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
)

//go:embed page.html.tmpl
var pageText string

//go:embed page.css
var pageStyle string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": percent, "decimal": decimal, "threshold": threshold, "duration": duration, "cost": cost,
	"counts": counts, "figures": figures, "advice": advice, "none": func() string { return none },
	"number": func(x float64) string { return decimal(&x) },
	"share":  func(x float64) string { return percent(&x) },
	"plain":  visible,
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
	sum := sha256.Sum256([]byte(pageStyle))
	p := page{
		Report:    r,
		Style:     template.CSS(pageStyle), //nolint:gosec // embedded
		StyleHash: "sha256-" + base64.StdEncoding.EncodeToString(sum[:]),
	}
	for i := range r.Metrics {
		p.Sections = append(p.Sections, newSection(&r.Metrics[i]))
	}
	for _, errorType := range slices.Sorted(maps.Keys(r.FailureCauses)) {
		p.Causes = append(p.Causes, cause{errorType, r.FailureCauses[errorType]})
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func newSection(m *calibrate.Metric) section {
	s := section{Metric: m, Plot: newPlot(m.Curve, advice(m))}
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

// visible shows what could hide in a text, line breaks apart.
func visible(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = plain(lines[i])
	}
	return strings.Join(lines, "\n")
}
