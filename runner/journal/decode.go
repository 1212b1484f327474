package journal

import (
	"errors"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/jsonscan"
	"github.com/genaievals/genaievals/runner"
)

var errSyntax = errors.New("not the JSON of a record")

// decoder reads lines. What a header says of an evaluator and a metric it fills in.
// It is for one goroutine.
type decoder struct {
	jsonscan.Scanner
	metrics map[[2]string]*asked
	record  *runner.Record
	last    lastAsked
}

// asked is what all results of a metric have in common.
type asked struct {
	version, kind string
	metric        Metric
}

// lastAsked remembers the place of the metric that was looked up last.
type lastAsked struct {
	evaluator, metric string
	asked             *asked
}

func newDecoder(h *Header) *decoder {
	d := &decoder{metrics: make(map[[2]string]*asked)}
	for _, e := range h.Evaluators {
		for _, m := range e.Metrics {
			d.metrics[[2]string{e.Name, m.Name}] = &asked{version: e.Version, kind: e.Type, metric: m}
		}
	}
	return d
}

// typeOf returns what kind of line it is. Where that stands first, as it does in
// lines of this package, only that is looked at: the rest may be anything.
func (d *decoder) typeOf(line []byte) string {
	d.Reset(line)
	kind := ""
	d.Members(func(s *jsonscan.Scanner, name []byte) {
		if string(name) != "type" || s.Peek() != '"' {
			s.Skip()
			return
		}
		kind = s.Word()
		s.Fail() // no more of it
	})
	return kind
}

// recordOf reads a line of type results or item.
func (d *decoder) recordOf(line []byte) (*runner.Record, error) {
	d.Reset(line)
	r := &runner.Record{}
	d.record = r
	d.Members(d.field)
	d.record = nil
	if !d.End() {
		return nil, errSyntax
	}
	for i := range r.Results {
		d.complete(r, &r.Results[i])
	}
	return r, nil
}

func (d *decoder) field(s *jsonscan.Scanner, name []byte) {
	r := d.record
	switch string(name) {
	case "id":
		r.ID = s.Str()
	case "index":
		r.Index = s.Int()
	case "line":
		r.Line = int(s.Int())
	case "sum":
		r.Sum = sumOf(s)
	case "at":
		r.At = timeOf(s)
	case "evaluator":
		r.Evaluator = s.Word()
	case "results":
		if s.Null() {
			return
		}
		r.Results = r.Results[:0]
		s.Elements(d.result)
	case "error_type":
		r.ErrorType = s.Word()
	case "error":
		r.Error = s.Str()
	case "input":
		r.Input = s.Str()
	case "output":
		r.HasOutput = s.Peek() == '"'
		r.Output = s.Str()
	case "metadata":
		if s.Null() {
			return
		}
		r.Metadata = make(map[string]string)
		s.Members(func(s *jsonscan.Scanner, name []byte) {
			key := string(name)
			r.Metadata[key] = s.Str()
		})
	default:
		s.Skip()
	}
}

func (d *decoder) result(s *jsonscan.Scanner) {
	d.record.Results = append(d.record.Results, evaluators.Result{})
	r := &d.record.Results[len(d.record.Results)-1]
	hasScore := false
	s.Members(func(s *jsonscan.Scanner, name []byte) {
		switch string(name) {
		case "metric":
			r.Metric = s.Word()
		case "outcome":
			r.Outcome = outcomeOf(s.Word())
		case "score":
			hasScore = s.Peek() != 'n'
			r.Score = s.Float()
		case "label":
			r.Label = s.Word()
		case "passed":
			r.Passed = s.Bool()
		case "explanation":
			r.Explanation = s.Str()
		case "reason":
			r.Reason = s.Word()
		case "error_type":
			r.ErrorType = s.Word()
		case "error":
			if text := s.Str(); text != "" {
				r.Err = errors.New(text)
			}
		case "judge_model":
			r.JudgeModel = s.Word()
		case "attempts":
			r.Attempts = int(s.Int())
		case "input_tokens":
			r.InputTokens = s.Int()
		case "output_tokens":
			r.OutputTokens = s.Int()
		case "cost_usd":
			r.HasCost = s.Peek() != 'n'
			r.Cost = s.Float()
		case "input_cut":
			r.InputCut = s.Int()
		case "duration_ns":
			r.Duration = time.Duration(s.Int())
		case "wait_ns":
			r.LimitWait = time.Duration(s.Int())
		case "attributes":
			if s.Null() {
				return
			}
			r.Attributes = nil
			s.Members(func(s *jsonscan.Scanner, name []byte) {
				kv := attribute.KeyValue{Key: attribute.Key(s.Shared(name))}
				kv.Value = valueOf(s)
				r.Attributes = append(r.Attributes, kv)
			})
		default:
			s.Skip()
		}
	})
	if r.Outcome == 0 || r.Outcome == evaluators.OutcomeScored && !hasScore {
		s.Fail() // nothing is scored 0 because something went wrong
	}
}

// complete fills in what is not in every line.
func (d *decoder) complete(r *runner.Record, result *evaluators.Result) {
	if l := &d.last; l.asked == nil || l.metric != result.Metric || l.evaluator != r.Evaluator {
		a, ok := d.metrics[[2]string{r.Evaluator, result.Metric}]
		if !ok {
			a = &asked{}
		}
		*l = lastAsked{evaluator: r.Evaluator, metric: result.Metric, asked: a}
	}
	a := d.last.asked
	result.Evaluator, result.EvaluatorVersion, result.EvaluatorType = r.Evaluator, a.version, a.kind
	result.Threshold, result.Direction = a.metric.Threshold, a.metric.Direction
}

func outcomeOf(word string) evaluators.Outcome {
	for _, o := range []evaluators.Outcome{evaluators.OutcomeScored, evaluators.OutcomeSkipped, evaluators.OutcomeFailed} {
		if o.String() == word {
			return o
		}
	}
	return 0
}

func sumOf(s *jsonscan.Scanner) uint64 {
	if s.Null() {
		return 0
	}
	text := s.Text()
	if len(text) != 16 {
		s.Fail()
		return 0
	}
	sum, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil {
		s.Fail()
	}
	return sum
}

func timeOf(s *jsonscan.Scanner) time.Time {
	var t time.Time
	if s.Null() {
		return t
	}
	if t.UnmarshalText(s.Text()) != nil {
		s.Fail()
	}
	return t
}

// valueOf reads an attribute's value: what is no scalar or list of one kind of
// scalars is text.
func valueOf(s *jsonscan.Scanner) attribute.Value {
	switch c := s.Peek(); {
	case c == '"':
		return attribute.StringValue(s.Str())
	case c == 't' || c == 'f':
		return attribute.BoolValue(s.Bool())
	case c == '[':
		return listOf(s)
	case c == '{' || c == 'n':
		start := s.At()
		s.Skip()
		return attribute.StringValue(string(s.Since(start)))
	}
	start := s.At()
	for _, c := range s.Number() {
		if c == '.' || c == 'e' || c == 'E' {
			s.Back(start)
			return attribute.Float64Value(s.Float())
		}
	}
	if s.Bad() {
		return attribute.Value{}
	}
	s.Back(start)
	return attribute.Int64Value(s.Int())
}

func listOf(s *jsonscan.Scanner) attribute.Value {
	start := s.At()
	var all []attribute.Value
	s.Elements(func(s *jsonscan.Scanner) { all = append(all, valueOf(s)) })
	if s.Bad() {
		return attribute.Value{}
	}
	kind := attribute.STRING
	if len(all) > 0 {
		kind = all[0].Type()
	}
	for _, v := range all {
		if v.Type() != kind {
			return attribute.StringValue(string(s.Since(start)))
		}
	}
	switch kind {
	case attribute.BOOL:
		return attribute.BoolSliceValue(each(all, attribute.Value.AsBool))
	case attribute.INT64:
		return attribute.Int64SliceValue(each(all, attribute.Value.AsInt64))
	case attribute.FLOAT64:
		return attribute.Float64SliceValue(each(all, attribute.Value.AsFloat64))
	case attribute.STRING:
		return attribute.StringSliceValue(each(all, attribute.Value.AsString))
	}
	return attribute.StringValue(string(s.Since(start)))
}

func each[T any](values []attribute.Value, of func(attribute.Value) T) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = of(v)
	}
	return out
}
