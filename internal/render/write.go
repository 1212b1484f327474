package render

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
)

// Style is what all pages look like, but for their colours: the page sets bg, card,
// fg, muted, line, accent, good and bad.
//
//go:embed page.css
var Style string

// Write hands a finished report on.
func Write(w io.Writer, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// JSON writes a report as one indented document. Numbers have all their digits.
func JSON(w io.Writer, report any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(report); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return Write(w, b.Bytes())
}

// Page writes a page; nothing is written where the template fails.
func Page(w io.Writer, t *template.Template, data any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return Write(w, b.Bytes())
}

// Hash is how a policy names a style or a script that it allows.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
