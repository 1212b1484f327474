package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func startTestServer(t *testing.T, questions ...question) *modelServer {
	t.Helper()
	server, err := startModelServer(questions)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

// post returns the status and the body of the server's reply.
func post(t *testing.T, server *modelServer, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(server.URL+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(reply)
}

// ask returns a request for the last of the messages.
func ask(t *testing.T, stream bool, texts ...string) string {
	t.Helper()
	request := chatRequest{Model: "m", Stream: stream}
	if stream {
		request.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	for _, text := range texts {
		request.Messages = append(request.Messages, textMessage("user", text))
	}
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestModelServerReplaysTheWholeAnswer(t *testing.T) {
	server := startTestServer(t, question{ID: "a", Text: "Why?", Answer: "Because of that."})
	status, body := post(t, server, ask(t, false, "earlier", "Why?"))
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, body)
	}
	var got chatResponse
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	stop, answer := "stop", "Because of that."
	want := chatResponse{
		ID: "chatcmpl-a", Object: "chat.completion", Created: got.Created, Model: servedModel,
		Choices: []chatChoice{{Message: &chatMessage{Role: "assistant", Content: &answer}, FinishReason: &stop}},
		Usage: &chatUsage{
			PromptTokens: got.Usage.PromptTokens, CompletionTokens: 5, TotalTokens: got.Usage.PromptTokens + 5,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Usage.PromptTokens == 0 {
		t.Error("a prompt has tokens")
	}
}

func TestModelServerAsksForATool(t *testing.T) {
	q := question{ID: "a", Text: "Where?", ToolCall: &toolCall{Name: "find", Arguments: `{"id":1}`}}
	for _, stream := range []bool{false, true} {
		_, body := post(t, startTestServer(t, q), ask(t, stream, "Where?"))
		for _, want := range []string{`"name":"find"`, `"arguments":"{\"id\":1}"`, `"finish_reason":"tool_calls"`} {
			if !strings.Contains(body, want) {
				t.Errorf("stream=%v: %s is missing in %s", stream, want, body)
			}
		}
	}
}

func TestModelServerStreamsWordByWord(t *testing.T) {
	server := startTestServer(t, question{ID: "a", Text: "Why?", Answer: "Because of that.", FinishReason: "length"})
	_, body := post(t, server, ask(t, true, "Why?"))

	var pieces, finishes []string
	var usage int
	events := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	for _, event := range events[:len(events)-1] {
		var chunk chatResponse
		if err := json.Unmarshal([]byte(strings.TrimPrefix(event, "data: ")), &chunk); err != nil {
			t.Fatalf("%q: %v", event, err)
		}
		if chunk.Usage != nil {
			usage++
		}
		for _, c := range chunk.Choices {
			pieces = append(pieces, *c.Delta.Content)
			if c.FinishReason != nil {
				finishes = append(finishes, *c.FinishReason)
			}
		}
	}
	if diff := cmp.Diff([]string{"", "Because ", "of ", "that.", ""}, pieces); diff != "" {
		t.Errorf("pieces: -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"length"}, finishes); diff != "" {
		t.Errorf("finish reasons: -want +got:\n%s", diff)
	}
	if usage != 1 {
		t.Errorf("usage came %d times, want once", usage)
	}
	if last := events[len(events)-1]; last != "data: [DONE]" {
		t.Errorf("the stream ends with %q", last)
	}
}

func TestModelServerRefusesWhatItCannotAnswer(t *testing.T) {
	server := startTestServer(t, question{ID: "a", Text: "Why?", Answer: "So."})
	tests := []struct{ name, body string }{
		{"not JSON", "why"},
		{"no messages", `{"model":"m"}`},
		{"no content", `{"messages":[{"role":"user","content":null}]}`},
		{"unknown question", ask(t, false, "Who?")},
		{"too long", `{"model":"` + strings.Repeat("x", 1<<20) + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, body := post(t, server, tt.body)
			var got chatError
			if err := json.Unmarshal([]byte(body), &got); err != nil {
				t.Fatal(err)
			}
			if status != http.StatusBadRequest || got.Error.Message == "" || got.Error.Type != "invalid_request_error" {
				t.Errorf("status %d, %+v", status, got)
			}
		})
	}
}

func TestReadStreamOfABrokenConnection(t *testing.T) {
	if m, err := readStream(strings.NewReader("data: {\"choices\":[]}\n\n")); err == nil {
		t.Errorf("got %+v without an end mark, want an error", m)
	}
	if m, err := readStream(bytes.NewReader([]byte("data: {\n\ndata: [DONE]\n\n"))); err == nil {
		t.Errorf("got %+v from rubbish, want an error", m)
	}
}
