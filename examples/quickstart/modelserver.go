package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const servedModel = "shop-small-2026-10-01"

// modelServer speaks the OpenAI-compatible chat completions format on loopback
// and replays the answers of the questions it was given: a model that costs
// nothing, needs no key and always answers the same.
type modelServer struct {
	URL     string // the base URL, as in OPENAI_BASE_URL
	answers map[string]question
	server  *http.Server
}

// startModelServer listens on a free port of 127.0.0.1 until Close.
func startModelServer(questions []question) (*modelServer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start model server: %w", err)
	}
	s := &modelServer{
		URL:     fmt.Sprintf("http://%s/v1", listener.Addr()),
		answers: make(map[string]question, len(questions)),
	}
	for _, q := range questions {
		s.answers[q.Text] = q
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

// Close ends the server and the requests that it is answering.
func (s *modelServer) Close() error { return s.server.Close() }

func (s *modelServer) complete(w http.ResponseWriter, r *http.Request) {
	var request chatRequest
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		refuse(w, fmt.Errorf("unreadable request: %w", err))
		return
	}
	if len(request.Messages) == 0 || request.Messages[len(request.Messages)-1].Content == nil {
		refuse(w, errors.New("the last message has no content"))
		return
	}
	q, ok := s.answers[*request.Messages[len(request.Messages)-1].Content]
	if !ok {
		refuse(w, errors.New("no recorded answer to this question"))
		return
	}
	reply := replyTo(q, len(body))
	if request.Stream {
		stream(w, reply, request.StreamOptions != nil && request.StreamOptions.IncludeUsage)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply) // the client has gone
}

func refuse(w http.ResponseWriter, err error) {
	var e chatError
	e.Error.Message, e.Error.Type = err.Error(), "invalid_request_error"
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(e) // the client has gone
}

// replyTo is the whole answer to a question. Tokens are counted as four bytes
// each, which is close enough for English.
func replyTo(q question, promptBytes int) chatResponse {
	message := chatMessage{Role: "assistant"}
	finish := "stop"
	if q.ToolCall != nil {
		finish = "tool_calls"
		message.ToolCalls = []chatToolCall{{
			ID:       "call_" + q.ID,
			Type:     "function",
			Function: chatFunction(*q.ToolCall),
		}}
	} else {
		message.Content = &q.Answer
	}
	if q.FinishReason != "" {
		finish = q.FinishReason
	}
	usage := chatUsage{PromptTokens: promptBytes / 4, CompletionTokens: len(q.Answer)/4 + 1}
	usage.TotalTokens = usage.PromptTokens + usage.CompletionTokens
	return chatResponse{
		ID:      "chatcmpl-" + q.ID,
		Object:  "chat.completion",
		Created: time.Now().Unix(),
		Model:   servedModel,
		Choices: []chatChoice{{Message: &message, FinishReason: &finish}},
		Usage:   &usage,
	}
}

// stream sends a reply as server-sent events: the role, the text word by word,
// the finish reason, the usage when asked for, and the end mark.
func stream(w http.ResponseWriter, reply chatResponse, includeUsage bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w).Flush
	send := func(choices []chatChoice, usage *chatUsage) {
		chunk := reply
		chunk.Object, chunk.Choices, chunk.Usage = "chat.completion.chunk", choices, usage
		data, err := json.Marshal(chunk)
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data) // the client has gone
		_ = flush()
	}
	delta := func(m chatMessage, finish *string) {
		send([]chatChoice{{Delta: &m, FinishReason: finish}}, nil)
	}

	message, finish := reply.Choices[0].Message, reply.Choices[0].FinishReason
	delta(chatMessage{Role: "assistant", Content: new(string), ToolCalls: message.ToolCalls}, nil)
	if message.Content != nil {
		for _, word := range strings.SplitAfter(*message.Content, " ") {
			delta(chatMessage{Content: &word}, nil)
		}
	}
	delta(chatMessage{Content: new(string)}, finish)
	if includeUsage {
		send([]chatChoice{}, reply.Usage)
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
	_ = flush()
}
