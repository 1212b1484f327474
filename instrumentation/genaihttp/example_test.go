package genaihttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/instrumentation/genaihttp"
)

// Any client that accepts an *http.Client is recorded by giving it one with
// this transport. Here it is net/http alone, and the model a local server.
func ExampleNewTransport() {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"model":"tiny-2026","choices":[{"index":0,"message":{"role":"assistant","content":"Paris."},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`)
	}))
	defer model.Close()

	// The default handler reports to OpenTelemetry; here a callback prints.
	defer instrumentation.Default().Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) {
		fmt.Println(inv.Operation(), inv.RequestModel(), "answered:", inv.Output()[0].Parts[0].Content)
		fmt.Println("tokens:", inv.Usage().InputTokens, "in,", inv.Usage().OutputTokens, "out")
	}))()

	client := &http.Client{Transport: genaihttp.NewTransport(nil)}
	res, err := client.Post(model.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(`{"model":"tiny","messages":[{"role":"user","content":"Capital of France?"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, res.Body)
	// Output:
	// chat tiny answered: Paris.
	// tokens: 7 in, 2 out
}

// A handler of one's own, a provider that the host does not tell, and room for
// requests with large images.
func ExampleWithHandler() {
	handler := instrumentation.NewHandler(
		instrumentation.WithCaptureMessageContent(instrumentation.CaptureSpanOnly))
	client := &http.Client{Transport: genaihttp.NewTransport(http.DefaultTransport,
		genaihttp.WithHandler(handler),
		genaihttp.WithProvider("ollama"),
		genaihttp.WithMaxBody(32<<20),
	)}
	_ = client
}
