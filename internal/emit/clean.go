package emit

import (
	"math"
	"strings"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
)

// maxText is how many bytes of a text leave the process; explanations can be
// as long as a model likes.
const maxText = 4 << 10

const ellipsis = "…"

// cleanText returns s as valid UTF-8 of at most maxText bytes. What is cut off
// is replaced by an ellipsis; no character is cut in two.
func cleanText(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= maxText {
		return s
	}
	cut := maxText - len(ellipsis)
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + ellipsis
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// cleanValue returns v with its texts cleaned; false if it holds a number that
// is not finite, at any depth.
func cleanValue(v attribute.Value) (attribute.Value, bool) {
	switch v.Type() {
	case attribute.STRING:
		return attribute.StringValue(cleanText(v.AsString())), true
	case attribute.STRINGSLICE:
		texts := v.AsStringSlice()
		for i := range texts {
			texts[i] = cleanText(texts[i])
		}
		return attribute.StringSliceValue(texts), true
	case attribute.FLOAT64:
		return v, finite(v.AsFloat64())
	case attribute.FLOAT64SLICE:
		for _, f := range v.AsFloat64Slice() {
			if !finite(f) {
				return v, false
			}
		}
	case attribute.SLICE:
		values := v.AsSlice()
		for i := range values {
			var ok bool
			if values[i], ok = cleanValue(values[i]); !ok {
				return v, false
			}
		}
		return attribute.SliceValue(values...), true
	case attribute.MAP:
		entries := v.AsMap()
		for i := range entries {
			var ok bool
			if entries[i].Value, ok = cleanValue(entries[i].Value); !ok {
				return v, false
			}
			entries[i].Key = attribute.Key(cleanText(string(entries[i].Key)))
		}
		return attribute.MapValue(entries...), true
	}
	return v, true
}
