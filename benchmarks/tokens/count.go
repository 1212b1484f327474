package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// counter counts tokens as the models with the o200k_base vocabulary do.
type counter struct{ codec tokenizer.Codec }

func newCounter() (counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return counter{}, fmt.Errorf("load vocabulary: %w", err)
	}
	return counter{codec}, nil
}

func (c counter) tokens(text string) ([]uint, error) {
	ids, _, err := c.codec.Encode(text)
	if err != nil {
		return nil, fmt.Errorf("count tokens: %w", err)
	}
	return ids, nil
}

// prompt is what one request takes, in tokens.
type prompt struct {
	system, schema int
	// document is the JSON around the content: keys, punctuation, escapes.
	document int
}

func (p prompt) beyond() int { return p.system + p.schema + p.document }

// of counts a request. A repaired one has more messages and is not one that
// every metric takes.
func (c counter) of(r judge.Request) (prompt, error) {
	if len(r.Messages) != 2 || r.Messages[0].Role != judge.RoleSystem || r.Messages[1].Role != judge.RoleUser {
		return prompt{}, fmt.Errorf("%s: %d messages, not a system and a user message", strings.Join(r.Metrics, ", "), len(r.Messages))
	}
	content, err := contentOf(r.Messages[1].Text)
	if err != nil {
		return prompt{}, err
	}
	var p prompt
	for _, part := range []struct {
		text string
		sum  *int
		sign int
	}{
		{r.Messages[0].Text, &p.system, 1},
		{string(r.Schema), &p.schema, 1},
		{r.Messages[1].Text, &p.document, 1},
	} {
		ids, err := c.tokens(part.text)
		if err != nil {
			return prompt{}, err
		}
		*part.sum += part.sign * len(ids)
	}
	for _, text := range content {
		ids, err := c.tokens(text)
		if err != nil {
			return prompt{}, err
		}
		p.document -= len(ids)
	}
	return p, nil
}

// contentOf returns the evaluated text in a user message: all its strings but
// the roles of turns.
func contentOf(document string) ([]string, error) {
	var value any
	if err := json.Unmarshal([]byte(document), &value); err != nil {
		return nil, fmt.Errorf("user message: %w", err)
	}
	var texts []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for key, item := range v {
				if key != "role" {
					walk(item)
				}
			}
		}
	}
	walk(value)
	return texts, nil
}
