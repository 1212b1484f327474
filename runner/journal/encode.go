package journal

import (
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/jsonscan"
	"github.com/genaievals/genaievals/runner"
)

// appendRecord writes a record as one line.
func appendRecord(b []byte, r *runner.Record) []byte {
	kind := typeResults
	if r.Evaluator == "" {
		kind = typeItem
	}
	b = append(b, `{"type":"`...)
	b = append(b, kind...)
	b = append(b, `","id":`...)
	b = appendString(b, r.ID)
	b = append(b, `,"index":`...)
	b = strconv.AppendInt(b, r.Index, 10)
	b = appendInt(b, `,"line":`, int64(r.Line))
	b = append(b, `,"sum":"`...)
	b = appendSum(b, r.Sum)
	b = append(b, '"')
	if y := r.At.Year(); !r.At.IsZero() && y > 0 && y < 10_000 {
		b = append(b, `,"at":"`...)
		b = r.At.UTC().AppendFormat(b, time.RFC3339Nano)
		b = append(b, '"')
	}
	if r.Evaluator != "" {
		b = append(b, `,"evaluator":`...)
		b = appendString(b, r.Evaluator)
		b = append(b, `,"results":[`...)
		for i := range r.Results {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendResult(b, &r.Results[i])
		}
		b = append(b, ']')
	}
	b = appendText(b, `,"error_type":`, r.ErrorType)
	b = appendText(b, `,"error":`, r.Error)
	b = appendText(b, `,"input":`, r.Input)
	if r.HasOutput || r.Output != "" {
		b = append(b, `,"output":`...)
		b = appendString(b, r.Output)
	}
	if len(r.Metadata) > 0 {
		b = append(b, `,"metadata":{`...)
		names := make([]string, 0, len(r.Metadata))
		for name := range r.Metadata {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, name)
			b = append(b, ':')
			b = appendString(b, r.Metadata[name])
		}
		b = append(b, '}')
	}
	return append(b, '}', '\n')
}

// appendResult writes one result. A score that is no number, which a run does not
// let through, is written as the failure that it is.
func appendResult(b []byte, r *evaluators.Result) []byte {
	outcome, errorType, text := r.Outcome, r.ErrorType, ""
	if r.Err != nil {
		text = r.Err.Error()
	}
	if outcome == evaluators.OutcomeScored && !r.Finite() || outcome.String() == "" {
		outcome, errorType, text = evaluators.OutcomeFailed, evaluators.ErrorEvaluatorBadResult, "no score"
	}
	b = append(b, `{"metric":`...)
	b = appendString(b, r.Metric)
	b = append(b, `,"outcome":"`...)
	b = append(b, outcome.String()...)
	b = append(b, '"')
	switch outcome {
	case evaluators.OutcomeScored:
		b = append(b, `,"score":`...)
		b = strconv.AppendFloat(b, r.Score, 'g', -1, 64)
		b = appendText(b, `,"label":`, r.Label)
		b = append(b, `,"passed":`...)
		b = strconv.AppendBool(b, r.Passed)
	case evaluators.OutcomeSkipped:
		b = appendText(b, `,"reason":`, r.Reason)
	case evaluators.OutcomeFailed:
		b = appendText(b, `,"error_type":`, errorType)
		b = appendText(b, `,"error":`, text)
	}
	b = appendText(b, `,"explanation":`, r.Explanation)
	b = appendText(b, `,"judge_model":`, r.JudgeModel)
	b = appendInt(b, `,"attempts":`, int64(r.Attempts))
	b = appendInt(b, `,"input_tokens":`, r.InputTokens)
	b = appendInt(b, `,"output_tokens":`, r.OutputTokens)
	if r.HasCost && finite(r.Cost) {
		b = append(b, `,"cost_usd":`...)
		b = strconv.AppendFloat(b, r.Cost, 'g', -1, 64)
	}
	b = appendInt(b, `,"input_cut":`, r.InputCut)
	b = appendInt(b, `,"duration_ns":`, int64(r.Duration))
	b = appendInt(b, `,"wait_ns":`, int64(r.LimitWait))
	if len(r.Attributes) > 0 {
		b = append(b, `,"attributes":{`...)
		for i, kv := range r.Attributes {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, string(kv.Key))
			b = append(b, ':')
			b = appendValue(b, kv.Value)
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// appendValue writes an attribute's value. Floats have a point or an exponent, so
// that they are read as floats; what JSON has no word for is text.
func appendValue(b []byte, v attribute.Value) []byte {
	switch v.Type() {
	case attribute.BOOL:
		return strconv.AppendBool(b, v.AsBool())
	case attribute.INT64:
		return strconv.AppendInt(b, v.AsInt64(), 10)
	case attribute.FLOAT64:
		return appendFloat(b, v.AsFloat64())
	case attribute.STRING:
		return appendString(b, v.AsString())
	case attribute.BOOLSLICE:
		return appendList(b, v.AsBoolSlice(), strconv.AppendBool)
	case attribute.INT64SLICE:
		return appendList(b, v.AsInt64Slice(), func(b []byte, i int64) []byte { return strconv.AppendInt(b, i, 10) })
	case attribute.FLOAT64SLICE:
		return appendList(b, v.AsFloat64Slice(), appendFloat)
	case attribute.STRINGSLICE:
		return appendList(b, v.AsStringSlice(), appendString)
	}
	return appendString(b, v.String())
}

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, v)
	}
	return append(b, ']')
}

func appendFloat(b []byte, f float64) []byte {
	if !finite(f) {
		return appendString(b, strconv.FormatFloat(f, 'g', -1, 64))
	}
	start := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	for _, c := range b[start:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, '.', '0')
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func appendInt(b []byte, name string, v int64) []byte {
	if v == 0 {
		return b
	}
	return strconv.AppendInt(append(b, name...), v, 10)
}

func appendText(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendString(append(b, name...), text)
}

const hexDigits = "0123456789abcdef"

func appendSum(b []byte, sum uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[sum>>shift&0xf])
	}
	return b
}

// appendString writes a JSON string; what is not UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if jsonscan.Plain(c) {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}
