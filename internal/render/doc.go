// Package render has what reports for people are made of: numbers as text, texts
// that can do no harm on a terminal or a page, columns, and pages that need
// nothing else.
package render
