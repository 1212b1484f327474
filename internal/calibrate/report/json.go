package report

import (
	"io"

	"github.com/genaievals/genaievals/internal/calibrate"
	"github.com/genaievals/genaievals/internal/render"
)

// JSON writes a report as one indented document; docs/calibration.md describes
// the fields. Numbers have all their digits.
func JSON(w io.Writer, r *calibrate.Report) error { return render.JSON(w, r) }
