package envconfig

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/internal/dashboard/address"
	"github.com/genaievals/genaievals/limit"
)

// codec is how the text of one kind of field is read and written.
type codec struct {
	// decode reads a text that is trimmed and not empty.
	decode func(text string) (any, error)
	// encode writes a value so that decode reads it again, but for secrets.
	encode func(value any) string
	// compare orders two values; nil where there is no order, and no range.
	compare func(a, b any) int
	// accepts describes the texts in general.
	accepts string
}

// saturated is the error of a number that is readable but beyond what its type
// holds; the value beside it is the nearest there is.
var saturated = strconv.ErrRange

var codecs = map[string]codec{
	"bool":     {decode: decodeBool, encode: encodeAny, accepts: "true or false"},
	"otelbool": {decode: decodeOTelBool, encode: encodeAny, accepts: "true or false"},
	"int":      {decode: decodeInt, encode: encodeAny, compare: compareAs[int], accepts: "a whole number"},
	"float64":  {decode: decodeFloat, encode: encodeAny, compare: compareAs[float64], accepts: "a number"},
	"*float64": {decode: decodeFloatPointer, encode: encodeFloatPointer, compare: compareFloatPointers, accepts: "a number"},
	"duration": {decode: decodeDuration, encode: encodeDuration, compare: compareAs[time.Duration], accepts: "a duration"},
	"size":     {decode: decodeSize, encode: encodeSize, compare: compareAs[int64], accepts: "a size"},
	"text":     {decode: decodeText, encode: encodeAny},
	"url":      {decode: decodeURL, encode: encodeURL, accepts: "an https or http URL without credentials"},
	"tokenurl": {decode: decodeTokenURL, encode: encodeURL, accepts: "an https URL without credentials, or an http one on this machine"},
	"address":  {decode: decodeAddress, encode: encodeAny},
	"traceurl": {decode: decodeTraceURL, encode: encodeAny},
	"names":    {decode: decodeNames, encode: encodeNames},
	"price":    {decode: decodePrice, encode: encodePrice},

	"rates":      {decode: decodeByName(limit.ParseRate), encode: encodeByName[limit.Rate]},
	"rate":       {decode: decodePointer(limit.ParseRate), encode: encodeLimit[limit.Rate]},
	"tokenrates": {decode: decodeByName(parseTokenRate), encode: encodeByName[limit.Rate]},
	"budgets":    {decode: decodeByName(limit.ParseBudget), encode: encodeByName[limit.Budget]},
	"budget":     {decode: decodePointer(limit.ParseBudget), encode: encodeLimit[limit.Budget]},
	"tokenrate":  {decode: decodePointer(parseTokenRate), encode: encodeLimit[limit.Rate]},

	"headers":    {decode: decodeHeaders, encode: encodeAny},
	"provider":   providerCodec(),
	"authmethod": {decode: decodeAuthMethod, encode: encodeAny, accepts: "basic or post"},
}

func encodeAny(value any) string { return fmt.Sprint(value) }

func compareAs[T cmp.Ordered](a, b any) int { return cmp.Compare(a.(T), b.(T)) }

func decodeText(text string) (any, error) { return text, nil }

func decodeBool(text string) (any, error) {
	switch strings.ToLower(text) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return nil, strconv.ErrSyntax
}

// decodeOTelBool follows the OTel specification's environment variables page:
// true is true, whatever its case, and all else is false.
func decodeOTelBool(text string) (any, error) {
	if strings.EqualFold(text, "true") || strings.EqualFold(text, "false") {
		return strings.EqualFold(text, "true"), nil
	}
	return nil, strconv.ErrSyntax
}

func decodeInt(text string) (any, error) {
	n, err := strconv.ParseInt(text, 10, strconv.IntSize)
	return int(n), errors.Unwrap(err)
}

func decodeFloat(text string) (any, error) {
	f, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(f) || (err == nil && math.IsInf(f, 0)) {
		return nil, strconv.ErrSyntax
	}
	return f, errors.Unwrap(err)
}

func decodeFloatPointer(text string) (any, error) {
	v, err := decodeFloat(text)
	f, ok := v.(float64)
	if !ok {
		return nil, err
	}
	return &f, err
}

func encodeFloatPointer(value any) string {
	if f := value.(*float64); f != nil {
		return fmt.Sprint(*f)
	}
	return ""
}

func compareFloatPointers(a, b any) int { return cmp.Compare(*a.(*float64), *b.(*float64)) }

func decodeDuration(text string) (any, error) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, nil
	}
	v, err := decodeFloat(text)
	seconds, ok := v.(float64)
	switch limit := math.MaxInt64 / float64(time.Second); {
	case !ok || (err != nil && !errors.Is(err, saturated)):
		return nil, strconv.ErrSyntax
	case seconds >= limit:
		return time.Duration(math.MaxInt64), saturated
	case seconds <= -limit:
		return time.Duration(math.MinInt64), saturated
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

// encodeDuration leaves out zero minutes and seconds at the end: 1h, not 1h0m0s.
func encodeDuration(value any) string {
	text := value.(time.Duration).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// sizeUnits are powers of 1000 and, with an i, of 1024.
var sizeUnits = map[string]float64{
	"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
	"ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "ti": 1 << 40,
}

func decodeSize(text string) (any, error) {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit, ok := sizeUnits[strings.TrimSuffix(strings.ToLower(text[len(number):]), "b")]
	v, err := decodeFloat(strings.TrimSpace(number))
	f, isFloat := v.(float64)
	switch {
	case !ok || !isFloat || (err != nil && !errors.Is(err, saturated)):
		return nil, strconv.ErrSyntax
	case f*unit >= math.MaxInt64:
		return int64(math.MaxInt64), saturated
	case f*unit <= math.MinInt64:
		return int64(math.MinInt64), saturated
	}
	return int64(f * unit), nil
}

func encodeSize(value any) string {
	n := value.(int64)
	for _, unit := range []string{"ti", "gi", "mi", "ki"} {
		if size := int64(sizeUnits[unit]); n != 0 && n%size == 0 {
			return fmt.Sprintf("%d%siB", n/size, strings.ToUpper(unit[:1]))
		}
	}
	return strconv.FormatInt(n, 10)
}

// decodeURL gives no detail on failure: the text can hold a credential.
func decodeURL(text string) (any, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil {
		return nil, strconv.ErrSyntax
	}
	return text, nil
}

func decodeAddress(text string) (any, error) {
	addr, err := address.Parse(text)
	return addr, err
}

func decodeTraceURL(text string) (any, error) { return text, address.CheckTraceURL(text) }

// encodeURL leaves out credentials and the values of the query.
func encodeURL(value any) string {
	text := value.(string)
	u, err := url.Parse(text)
	if err != nil {
		return "(unreadable)"
	}
	if u.User != nil {
		u.User = url.User("xxxxx")
	}
	if query := u.Query(); len(query) > 0 {
		for name := range query {
			query.Set(name, "xxxxx")
		}
		u.RawQuery = query.Encode()
	}
	return u.String()
}

// decodeHeaders reads a JSON object of strings, or name=value pairs as in
// OTEL_EXPORTER_OTLP_HEADERS. It gives no detail on failure: values are
// secret.
func decodeHeaders(text string) (any, error) {
	headers := map[string]string{}
	if strings.HasPrefix(text, "{") {
		if json.Unmarshal([]byte(text), &headers) != nil {
			return nil, strconv.ErrSyntax
		}
		return headers, nil
	}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t:") {
			return nil, strconv.ErrSyntax
		}
		headers[name] = strings.TrimSpace(value)
	}
	return headers, nil
}
