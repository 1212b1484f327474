package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestAssistantGivesTheModelsAnswers(t *testing.T) {
	server := startTestServer(t, questions...)
	a := &assistant{client: http.DefaultClient, baseURL: server.URL, retriever: newRetriever("shop", knowledge)}
	for _, q := range questions {
		text, tool, err := a.Answer(t.Context(), q)
		if err != nil {
			t.Error(err)
			continue
		}
		wantTool := ""
		if q.ToolCall != nil {
			wantTool = q.ToolCall.Name
		}
		if text != q.Answer || tool != wantTool {
			t.Errorf("%s: got %q and tool %q, want %q and %q", q.ID, text, tool, q.Answer, wantTool)
		}
	}
}

func TestAssistantReportsWhatTheModelRefuses(t *testing.T) {
	server := startTestServer(t)
	a := &assistant{client: http.DefaultClient, baseURL: server.URL, retriever: newRetriever("shop", nil)}
	_, _, err := a.Answer(t.Context(), question{ID: "x", Text: "Who?"})
	if err == nil || !strings.Contains(err.Error(), "400") {
		t.Errorf("got %v, want an error that tells the status", err)
	}
}

func TestMessagesKeepTheTurnsBefore(t *testing.T) {
	got := messages(question{Text: "And sale items?", Earlier: []string{"Bags?", "30 days."}}, knowledge[:1])
	var roles []string
	for _, m := range got {
		roles = append(roles, m.Role)
	}
	if want := "system user assistant user"; strings.Join(roles, " ") != want {
		t.Errorf("roles %v, want %s", roles, want)
	}
	if !strings.Contains(*got[0].Content, knowledge[0].Text) {
		t.Error("the model does not get the document")
	}
}
