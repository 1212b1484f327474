package report

import (
	"io"

	"github.com/genaievals/genaievals/internal/render"
)

// JSON writes a report as one indented document; docs/datasets.md describes the
// fields. Numbers have all their digits.
func JSON(w io.Writer, r *Report) error { return render.JSON(w, r) }
