package report

import "io"

// Terminal is what a table is written for. The zero value is a pipe: no colour,
// UTF-8, width 100.
type Terminal struct {
	// Width in columns; 0 is 100, less than 60 is 60.
	Width int
	Color bool
	// ASCII writes marks and rules without other characters; texts stay as they are.
	ASCII bool
}

// Table writes a report for a terminal.
func Table(w io.Writer, r *Report, t Terminal) error { return nil }

// JSON writes a report as one indented document.
func JSON(w io.Writer, r *Report) error { return nil }

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
