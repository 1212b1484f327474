package samples

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/rows"
)

// own is the format of the user's files and of the bundled set.
var own = &mapping{
	Format: Format{
		Name:    "samples",
		Set:     "your own answers, labelled; also the bundled set",
		Columns: []string{"metric", "label", "output"},
		Doc: "Fields id, metric, label, input, output, documents or context, history, expected, note, hard; others are ignored. " +
			"label is what the metric emits, in any case and spacing, or 1 or true where the fault is there and 0 or false where it is not; an own metric's is one of its labels, or 1 or 0 where one label says so. " +
			"documents is a text, a list of texts, or a list of objects with text and id; history a list of objects with role and text or content; in a table these cells hold JSON or one text.",
	},
	syntax:  rows.Comma,
	id:      "id",
	samples: ownSample,
}

func ownSample(r rows.Row) ([]Sample, error) {
	s := Sample{Metric: metricNamed(r.Text("metric")), Note: strings.TrimSpace(r.Text("note"))}
	if s.Metric == "" {
		return nil, errors.New("no metric, expected the name of one, as bias")
	}
	var err error
	if s.Label, err = labelNamed(s.Metric, r.Text("label")); err != nil {
		return nil, err
	}
	if text := r.Word("hard"); text != "" {
		if s.Hard, err = strconv.ParseBool(text); err != nil {
			return nil, fmt.Errorf("hard is %q, expected true or false", shortened(text))
		}
	}
	s.Case.Input, s.Case.Output, s.Case.Expected = r.Text("input"), r.Text("output"), r.Text("expected")
	for _, name := range []string{"documents", "context"} {
		docs, err := ownDocuments(r, name)
		if err != nil {
			return nil, err
		}
		s.Case.Documents = append(s.Case.Documents, docs...)
	}
	if s.Case.History, err = ownHistory(r); err != nil {
		return nil, err
	}
	return []Sample{s}, nil
}

// passage is a document of a list: a text, or an object with one.
type passage struct{ ID, Text string }

func (p *passage) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Text)
	}
	var o struct{ ID, Text *string }
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	if o.Text == nil {
		return errors.New("no text")
	}
	p.Text = *o.Text
	if o.ID != nil {
		p.ID = *o.ID
	}
	return nil
}

func ownDocuments(r rows.Row, name string) ([]instrumentation.Document, error) {
	text := r.Text(name)
	list := strings.HasPrefix(strings.TrimSpace(text), "[")
	switch inObject := r.IsObject(); {
	case inObject && isString(r.Value(name)), text == "":
		return documents(text), nil
	case !inObject && !list:
		return documents(text), nil
	case !list:
		return nil, fmt.Errorf("%s: expected a text, or a list of texts or of objects with text", name)
	}
	var passages []passage
	if err := r.Decode(name, &passages); err != nil {
		if !r.IsObject() && !json.Valid([]byte(text)) {
			return documents(text), nil // a text that begins with a bracket
		}
		return nil, fmt.Errorf("expected a text, or a list of texts or of objects with text: %w", err)
	}
	var docs []instrumentation.Document
	for _, p := range passages {
		if !evaluators.Blank(p.Text) {
			docs = append(docs, instrumentation.Document{ID: p.ID, Text: p.Text})
		}
	}
	return docs, nil
}

func isString(v json.RawMessage) bool { return len(v) > 0 && v[0] == '"' }

func ownHistory(r rows.Row) ([]evaluators.Turn, error) {
	var turns []struct{ Role, Text, Content string }
	if err := r.Decode("history", &turns); err != nil {
		return nil, fmt.Errorf("expected a list of objects with role and text: %w", err)
	}
	var history []evaluators.Turn
	for _, t := range turns {
		if t.Text == "" {
			t.Text = t.Content
		}
		if evaluators.Blank(t.Text) {
			continue
		}
		history = append(history, evaluators.Turn{Role: t.Role, Text: t.Text})
	}
	return history, nil
}
