package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
)

const (
	instructions = "You are the assistant of Moor & Mill, a small shop for outdoor clothes. " +
		"Answer from the documents below. If they do not say, say so.\n\n"
	documentsPerQuestion = 3
	questionIDKey        = "quickstart.question.id"
)

// assistant answers customers' questions from what a retriever finds. It is
// written as if nobody evaluated it: what makes it observable is the client's
// transport and the two lines in Answer that pass on the question's id and the
// documents.
type assistant struct {
	client    *http.Client
	baseURL   string
	retriever *retriever
}

// Answer returns the model's text, or the name of the tool that it asks for.
func (a *assistant) Answer(ctx context.Context, q question) (text, tool string, err error) {
	ctx, span := otel.Tracer("quickstart").Start(ctx, "answer question")
	defer span.End()
	ctx = instrumentation.WithProperties(ctx, attribute.String(questionIDKey, q.ID))

	documents := a.retriever.Search(ctx, q.Text, documentsPerQuestion)
	ctx = instrumentation.WithDocuments(ctx, documents...)

	answer, err := a.complete(ctx, messages(q, documents), q.Stream)
	if err != nil {
		return "", "", fmt.Errorf("answer %q: %w", q.ID, err)
	}
	if len(answer.ToolCalls) > 0 {
		return "", answer.ToolCalls[0].Function.Name, nil
	}
	return *answer.Content, "", nil
}

// messages is what the model gets to see: the instructions with the documents,
// the turns before, and the question.
func messages(q question, documents []instrumentation.Document) []chatMessage {
	var system strings.Builder
	system.WriteString(instructions)
	for _, d := range documents {
		fmt.Fprintf(&system, "- %s\n", d.Text)
	}
	out := []chatMessage{textMessage(instrumentation.RoleSystem, system.String())}
	for i, text := range q.Earlier {
		role := instrumentation.RoleUser
		if i%2 == 1 {
			role = instrumentation.RoleAssistant
		}
		out = append(out, textMessage(role, text))
	}
	return append(out, textMessage(instrumentation.RoleUser, q.Text))
}

var tools = []chatTool{{Type: "function", Function: chatToolFunction{
	Name:        "find_order",
	Description: "Says where the parcel of an order is.",
	Parameters:  json.RawMessage(`{"type":"object","properties":{"order_number":{"type":"string"}},"required":["order_number"]}`),
}}}

// complete asks the model and reads its answer to the end. Content of the
// message is never nil.
func (a *assistant) complete(ctx context.Context, messages []chatMessage, stream bool) (chatMessage, error) {
	request := chatRequest{Model: "shop-small", Messages: messages, Tools: tools}
	if stream {
		request.Stream, request.StreamOptions = true, &streamOptions{IncludeUsage: true}
	}
	body, err := json.Marshal(request)
	if err != nil {
		return chatMessage{}, fmt.Errorf("render request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.baseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return chatMessage{}, fmt.Errorf("build request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := a.client.Do(req)
	if err != nil {
		return chatMessage{}, fmt.Errorf("ask the model: %w", err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode != http.StatusOK:
		reason, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // the status says enough
		return chatMessage{}, fmt.Errorf("the model answered %s: %s", resp.Status, reason)
	case stream:
		return readStream(resp.Body)
	}
	return readWhole(resp.Body)
}

func readWhole(r io.Reader) (chatMessage, error) {
	var reply chatResponse
	if err := json.NewDecoder(r).Decode(&reply); err != nil {
		return chatMessage{}, fmt.Errorf("read answer: %w", err)
	}
	if len(reply.Choices) == 0 || reply.Choices[0].Message == nil {
		return chatMessage{}, errors.New("read answer: it has no choice")
	}
	message := *reply.Choices[0].Message
	if message.Content == nil {
		message.Content = new(string)
	}
	return message, nil
}

// readStream puts the pieces of a streamed answer together. The shop's stream
// carries a tool call in one piece.
func readStream(r io.Reader) (chatMessage, error) {
	var text strings.Builder
	message := chatMessage{Role: instrumentation.RoleAssistant}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		data, isData := strings.CutPrefix(lines.Text(), "data: ")
		if !isData {
			continue
		}
		if data == "[DONE]" {
			whole := text.String()
			message.Content = &whole
			return message, nil
		}
		var chunk chatResponse
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return chatMessage{}, fmt.Errorf("read answer's stream: %w", err)
		}
		for _, choice := range chunk.Choices {
			if choice.Delta == nil {
				continue
			}
			if choice.Delta.Content != nil {
				text.WriteString(*choice.Delta.Content)
			}
			message.ToolCalls = append(message.ToolCalls, choice.Delta.ToolCalls...)
		}
	}
	return chatMessage{}, fmt.Errorf("read answer's stream: %w", cmp.Or(lines.Err(), io.ErrUnexpectedEOF))
}
