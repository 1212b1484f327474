package wire_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// settings are what the tests set of a client's Config.
type settings struct {
	url, key, authHeader string
	headers              map[string]string
	oauth                *judge.ClientCredentials
	http                 *http.Client
}

// client is one of the clients that this package is for.
type client struct {
	name string
	new  func(settings) (judge.Client, error)
	// answer is a reply that says so, with what is given as id, model and text.
	answer func(id, model, text string) string
	// refusal is one in which the model declines in these words.
	refusal func(text string) string
	path    string
}

var clients = []client{
	{
		name: "openai",
		new: func(s settings) (judge.Client, error) {
			return openai.New(openai.Config{
				Model: "m", BaseURL: s.url, APIKey: s.key, AuthHeader: s.authHeader, Headers: s.headers, OAuth: s.oauth, HTTPClient: s.http,
			})
		},
		answer: func(id, model, text string) string {
			return `{"id":"` + id + `","model":"` + model + `","choices":[{"finish_reason":"stop","message":{"content":"` + text + `"}}]}`
		},
		refusal: func(text string) string { return `{"choices":[{"message":{"refusal":"` + text + `"}}]}` },
		path:    "/chat/completions",
	},
	{
		name: "anthropic",
		new: func(s settings) (judge.Client, error) {
			return anthropic.New(anthropic.Config{
				Model: "m", BaseURL: s.url, APIKey: s.key, AuthHeader: s.authHeader, Headers: s.headers, OAuth: s.oauth, HTTPClient: s.http,
			})
		},
		answer: func(id, model, text string) string {
			return `{"id":"` + id + `","type":"message","model":"` + model + `","stop_reason":"end_turn","content":[{"type":"text","text":"` + text + `"}]}`
		},
		refusal: func(text string) string {
			return `{"type":"message","stop_reason":"refusal","content":[{"type":"text","text":"` + text + `"}]}`
		},
		path: "/v1/messages",
	},
}

// each runs a test for every client.
func each(t *testing.T, test func(t *testing.T, c client)) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) { test(t, c) })
	}
}

// make returns a client that is closed after the test.
func (c client) make(t *testing.T, s settings) judge.Client {
	t.Helper()
	made, err := c.new(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.(interface{ CloseIdleConnections() }).CloseIdleConnections)
	return made
}

var request = judge.Request{Metrics: []string{"bias"}, Messages: []judge.Message{{Role: judge.RoleSystem, Text: "s"}, {Role: judge.RoleUser, Text: "u"}}}

func asError(t *testing.T, err error) *judge.Error {
	t.Helper()
	var e *judge.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is no *judge.Error", err)
	}
	return e
}
