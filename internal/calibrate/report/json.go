package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/genaievals/genaievals/internal/calibrate"
)

// JSON writes a report as one indented document; docs/calibration.md describes
// the fields. Numbers have all their digits.
func JSON(w io.Writer, r *calibrate.Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
