package journal

import (
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/runner"
)

// decoder reads lines. What a header says of an evaluator and a metric it fills in.
// It is for one goroutine.
type decoder struct {
	scanner
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
	d.reset(line)
	kind := ""
	d.members(func(s *scanner, name []byte) {
		if string(name) != "type" || s.peek() != '"' {
			s.skip()
			return
		}
		kind = s.word()
		s.i = len(s.b) // no more of it
		s.bad = true
	})
	return kind
}

func (d *decoder) reset(line []byte) {
	d.b, d.i, d.depth, d.bad = line, 0, 0, false
}

// recordOf reads a line of type results or item.
func (d *decoder) recordOf(line []byte) (*runner.Record, error) {
	d.reset(line)
	r := &runner.Record{}
	d.record = r
	d.members(d.field)
	d.record = nil
	if !d.end() {
		return nil, errSyntax
	}
	for i := range r.Results {
		d.complete(r, &r.Results[i])
	}
	return r, nil
}

func (d *decoder) field(s *scanner, name []byte) {
	r := d.record
	switch string(name) {
	case "id":
		r.ID = s.string()
	case "index":
		r.Index = s.int()
	case "line":
		r.Line = int(s.int())
	case "sum":
		r.Sum = s.sum()
	case "at":
		r.At = s.time()
	case "evaluator":
		r.Evaluator = s.word()
	case "results":
		if s.null() {
			return
		}
		r.Results = r.Results[:0]
		s.elements(d.result)
	case "error_type":
		r.ErrorType = s.word()
	case "error":
		r.Error = s.string()
	case "input":
		r.Input = s.string()
	case "output":
		r.HasOutput = s.peek() == '"'
		r.Output = s.string()
	case "metadata":
		if s.null() {
			return
		}
		r.Metadata = make(map[string]string)
		s.members(func(s *scanner, name []byte) {
			key := string(name)
			r.Metadata[key] = s.string()
		})
	default:
		s.skip()
	}
}

func (d *decoder) result(s *scanner) {
	d.record.Results = append(d.record.Results, evaluators.Result{})
	r := &d.record.Results[len(d.record.Results)-1]
	hasScore := false
	s.members(func(s *scanner, name []byte) {
		switch string(name) {
		case "metric":
			r.Metric = s.word()
		case "outcome":
			r.Outcome = outcomeOf(s.word())
		case "score":
			hasScore = s.peek() != 'n'
			r.Score = s.float()
		case "label":
			r.Label = s.word()
		case "passed":
			r.Passed = s.bool()
		case "explanation":
			r.Explanation = s.string()
		case "reason":
			r.Reason = s.word()
		case "error_type":
			r.ErrorType = s.word()
		case "error":
			if text := s.string(); text != "" {
				r.Err = errors.New(text)
			}
		case "judge_model":
			r.JudgeModel = s.word()
		case "attempts":
			r.Attempts = int(s.int())
		case "input_tokens":
			r.InputTokens = s.int()
		case "output_tokens":
			r.OutputTokens = s.int()
		case "cost_usd":
			r.HasCost = s.peek() != 'n'
			r.Cost = s.float()
		case "input_cut":
			r.InputCut = s.int()
		case "duration_ns":
			r.Duration = time.Duration(s.int())
		case "wait_ns":
			r.LimitWait = time.Duration(s.int())
		case "attributes":
			if s.null() {
				return
			}
			r.Attributes = nil
			s.members(func(s *scanner, name []byte) {
				kv := attribute.KeyValue{Key: attribute.Key(s.shared(name))}
				kv.Value = s.value()
				r.Attributes = append(r.Attributes, kv)
			})
		default:
			s.skip()
		}
	})
	if r.Outcome == 0 || r.Outcome == evaluators.OutcomeScored && !hasScore {
		s.fail() // nothing is scored 0 because something went wrong
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

func (s *scanner) sum() uint64 {
	if s.null() {
		return 0
	}
	text := s.text()
	if len(text) != 16 {
		s.fail()
		return 0
	}
	var sum uint64
	for _, c := range text {
		v, ok := hexValue(c)
		if !ok {
			s.fail()
			return 0
		}
		sum = sum<<4 | uint64(v)
	}
	return sum
}

func (s *scanner) time() time.Time {
	var t time.Time
	if s.null() {
		return t
	}
	if t.UnmarshalText(s.text()) != nil {
		s.fail()
	}
	return t
}

// value reads an attribute's value: what is no scalar or list of one kind of
// scalars is text.
func (s *scanner) value() attribute.Value {
	switch c := s.peek(); {
	case c == '"':
		return attribute.StringValue(s.string())
	case c == 't' || c == 'f':
		return attribute.BoolValue(s.bool())
	case c == '[':
		return s.list()
	case c == '{' || c == 'n':
		start := s.i
		s.skip()
		return attribute.StringValue(string(s.b[start:s.i]))
	}
	start := s.i
	for _, c := range s.number() {
		if c == '.' || c == 'e' || c == 'E' {
			s.i = min(s.i, start)
			return attribute.Float64Value(s.float())
		}
	}
	if s.bad {
		return attribute.Value{}
	}
	s.i = start
	return attribute.Int64Value(s.int())
}

func (s *scanner) list() attribute.Value {
	start := s.i
	var all []attribute.Value
	s.elements(func(s *scanner) { all = append(all, s.value()) })
	if s.bad {
		return attribute.Value{}
	}
	kind := attribute.STRING
	if len(all) > 0 {
		kind = all[0].Type()
	}
	for _, v := range all {
		if v.Type() != kind {
			return attribute.StringValue(string(s.b[start:s.i]))
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
	return attribute.StringValue(string(s.b[start:s.i]))
}

func each[T any](values []attribute.Value, of func(attribute.Value) T) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = of(v)
	}
	return out
}
