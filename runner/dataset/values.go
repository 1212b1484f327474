package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// documentsOf reads the field context. Blank texts are left out.
func documentsOf(value json.RawMessage, inObject bool) ([]instrumentation.Document, error) {
	const what = "a text, or a list of texts or of objects with text, content or page_content"
	value = inCell(value, inObject)
	switch typeOf(value) {
	case typeText:
		text, err := textOf(value)
		if err != nil || evaluators.Blank(text) {
			return nil, err
		}
		return []instrumentation.Document{{Text: text}}, nil
	case typeList:
	default:
		return nil, expected(what, value)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, expected(what, value)
	}
	var docs []instrumentation.Document
	for i, element := range list {
		doc, err := documentOf(element)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		if !evaluators.Blank(doc.Text) {
			docs = append(docs, doc)
		}
	}
	return docs, nil
}

func documentOf(element json.RawMessage) (doc instrumentation.Document, err error) {
	switch typeOf(element) {
	case typeText:
		doc.Text, err = textOf(element)
		return doc, err
	case typeObject:
	default:
		return doc, expected("a text, or an object with text, content or page_content", element)
	}
	var o struct {
		ID          json.RawMessage `json:"id"`
		Title       json.RawMessage `json:"title"`
		Text        json.RawMessage `json:"text"`
		Content     json.RawMessage `json:"content"`
		PageContent json.RawMessage `json:"page_content"`
	}
	if err := json.Unmarshal(element, &o); err != nil {
		return doc, expected("an object", element)
	}
	found := false
	for _, text := range []json.RawMessage{o.Text, o.Content, o.PageContent} {
		if !found && present(text) {
			found = true
			if doc.Text, err = textOf(text); err != nil {
				return doc, err
			}
		}
	}
	if !found {
		return doc, fmt.Errorf("expected an object with text, content or page_content, found one without")
	}
	if title, err := textOf(o.Title); err == nil && !evaluators.Blank(title) {
		doc.Text = title + "\n" + doc.Text
	}
	if present(o.ID) {
		doc.ID = scalar(o.ID)
	}
	return doc, nil
}

func present(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// scalar is a value as text: a text's content, JSON otherwise.
func scalar(value json.RawMessage) string {
	if text, err := textOf(value); err == nil {
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return valid(string(value))
	}
	return valid(b.String())
}

func metadataOf(value json.RawMessage, inObject bool) (map[string]string, error) {
	value = inCell(value, inObject)
	if !inObject && typeOf(value) == typeText {
		text, err := textOf(value)
		if err != nil || text == "" {
			return nil, err
		}
		return map[string]string{fieldMetadata: text}, nil
	}
	if typeOf(value) != typeObject {
		return nil, expected(typeObject, value)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, expected(typeObject, value)
	}
	metadata := make(map[string]string, len(members))
	for name, v := range members {
		if present(v) {
			metadata[name] = scalar(v)
		}
	}
	return metadata, nil
}

// namesOf reads the field evaluators; blank names are left out.
func namesOf(value json.RawMessage) ([]string, error) {
	const what = "a list of names, or names separated by commas"
	var list []string
	if text, err := textOf(value); err == nil {
		if in := inCell(value, false); typeOf(in) != typeList {
			list = strings.Split(text, ",")
		} else if json.Unmarshal(in, &list) != nil {
			return nil, fmt.Errorf("expected %s", what)
		}
	} else if typeOf(value) != typeList {
		return nil, expected(what, value)
	} else if json.Unmarshal(value, &list) != nil {
		return nil, fmt.Errorf("expected %s, found a list of something else", what)
	}
	var names []string
	for _, name := range list {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}
