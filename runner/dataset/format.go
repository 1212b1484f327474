package dataset

import (
	"bufio"
	"bytes"
	"path/filepath"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

// The formats.
const (
	JSONL = "jsonl"
	JSON  = "json"
	CSV   = "csv"
	TSV   = "tsv"
	OTLP  = "otlp"
)

// Formats returns the names of the formats.
func Formats() []string { return []string{JSONL, JSON, CSV, TSV, OTLP} }

// wrappers are names of an array that is the first member of an object.
var wrappers = []string{"items", "samples", "examples", "rows"}

// recognise returns a file's format, and how it is cut into rows.
func recognise(in *bufio.Reader, name, format string) (string, rows.Syntax) {
	if format = strings.ToLower(format); format == "" {
		format = formatNamed(name)
	}
	start := rows.StartOf(in)
	object := start.First == '{' || start.First == '['
	if format == "" && !object {
		switch header := firstLine(in); {
		case bytes.IndexByte(header, '\t') >= 0:
			format = TSV
		default:
			format = CSV
		}
	}
	switch format {
	case TSV:
		return format, rows.Tab
	case CSV:
		if header := firstLine(in); bytes.IndexByte(header, ';') >= 0 && bytes.IndexByte(header, ',') < 0 {
			return format, rows.Semicolon
		}
		return format, rows.Comma
	case OTLP:
		return format, rows.Objects
	}
	switch start.Key {
	case "resourceSpans", "resource_spans", "resourceLogs", "resourceMetrics":
		return OTLP, rows.Objects
	}
	if start.First == '[' {
		return JSON, rows.Objects
	}
	return JSONL, rows.Objects
}

// formatNamed goes by the end of a name; it is empty where that says nothing.
func formatNamed(name string) string {
	name = strings.ToLower(name)
	name = strings.TrimSuffix(name, ".gz")
	switch filepath.Ext(name) {
	case ".csv":
		return CSV
	case ".tsv", ".tab":
		return TSV
	case ".jsonl", ".ndjson":
		return JSONL
	case ".json":
		return JSON
	}
	return ""
}

// firstLine looks at the first line, as far as it fits, and reads nothing of it.
func firstLine(in *bufio.Reader) []byte {
	for n := 1; ; n = in.Buffered() + 1 {
		_, err := in.Peek(n)
		start, _ := in.Peek(in.Buffered())
		line, _, found := bytes.Cut(start, []byte("\n"))
		if found || err != nil || n >= in.Size() {
			return line
		}
	}
}
