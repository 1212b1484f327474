// Package genaihttp records the GenAI calls of any Go client that accepts an
// [http.Client]:
//
//	client := &http.Client{Transport: genaihttp.NewTransport(nil)}
//
// # What is recorded
//
// POST requests with a JSON body whose path ends in /chat/completions: the
// OpenAI chat completions format, which most providers and local servers
// speak, Azure's /openai/deployments/NAME/chat/completions included. Of the
// request: provider, model, server, sampling parameters, messages with text,
// images, audio, files, tool calls and tool answers, and the tools offered. Of
// the response, streamed or not: id, model, every choice with text, reasoning,
// refusal and tool calls, finish reasons, token usage, time to the first
// chunk. System and developer messages are part of the history in this format,
// so they are recorded as input messages of role system; the conventions keep
// system instructions for what is given apart from the history. Media are
// recorded by type and size.
//
// An HTTP status of 400 and more, and an error object in the body or in the
// stream, are failures with the provider's code as error.type, see
// [ResponseError]; an unreadable answer is one ([ErrMalformed]), so is a stream
// that breaks off ([ErrIncomplete]), and so are the base transport's errors. A
// cancelled context, and a body closed before the answer was complete, are
// cancellations. The invocation ends when the answer does: at [DONE], at the
// body's end or error, at Close, or when the request's context ends. Close
// response bodies, as net/http asks for anyway.
//
// # What is not touched
//
// Every byte of the request and of the response passes through unchanged.
// Response bytes are handed on as they arrive, before which our copy of them
// is read; nothing is read ahead. The request's body is read before it is
// sent, at most [DefaultMaxBody] bytes of it, since the span that travels with
// the request has to know what is asked; with Expect: 100-continue, which asks
// the server first, it is read as it is sent, and of the request only the model
// and the messages are recorded. Other requests, and all requests
// below [instrumentation.Suppress], go straight to the base transport. A panic
// of the base transport or of a body goes on to the application.
//
// # Bounds
//
// [WithMaxBody] bounds what is kept of a request, of a response, and of one
// event in a stream. What lies beyond it passes through and is missing from the
// record. Of a longer request the media are left out but for their sizes, so
// that the text around them fits. Where messages are missing all the same (more
// text than the bound, more than 16384 messages, parts and tool calls, a
// compressed body over the bound or in a coding that is not known), the
// invocation says so ([instrumentation.Invocation.InputTruncated]), and metrics
// that need the input are not asked. An answer that is not kept whole, be it
// for its size, its coding, or more than 128 choices, parts or tool calls, is
// not evaluated at all. A response that is still compressed when it gets here,
// because the application asked for that with its own Accept-Encoding, is
// recorded when the coding is gzip, and without content otherwise.
//
// # Adding a format
//
// Implement format and reply (format.go) in a file named for the wire format,
// add it to formats, and its bodies to the fuzz targets' seeds. HTTP, SSE,
// bounds, endings and cancellation are done by the package.
package genaihttp
