// Package instrumentation records an application's GenAI operations as
// OpenTelemetry telemetry and offers each one, when it ends, to the callbacks
// that evaluate it.
//
// A [Handler] starts an [Invocation] of one of six kinds (a model call, an
// agent's or a workflow's run, a tool's execution, an embeddings call, a
// search); the application sets what it learns and calls End or Fail:
//
//	ctx, inv := instrumentation.Default().StartInference(ctx, instrumentation.Inference{
//		Provider: "openai", Model: "gpt-5", Input: messages,
//	})
//	reply, err := call(ctx)
//	if err != nil {
//		inv.Fail(err)
//		return err
//	}
//	inv.SetOutput(instrumentation.AssistantMessage(reply))
//	inv.End()
//
// # What is emitted
//
// Names are those of the GenAI semantic conventions as of v1.41. Every
// invocation is a span, and a point of gen_ai.client.operation.duration. Model
// calls and embeddings add gen_ai.client.token.usage (agents and workflows do
// not: their tokens are those of the calls below them). Streams add
// gen_ai.client.operation.time_to_first_chunk and time_per_output_chunk. The
// status of a span stays unset on success and is Error, with error.type, on
// failure. A cancelled invocation is not a failed one: its status stays unset
// and it carries genaievals.cancelled.
//
// Properties ([WithProperties]) and the name of the enclosing agent are on
// every span below; neither is on a metric.
//
// # Content
//
// Prompts and answers are left out of telemetry unless
// OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT or
// [WithCaptureMessageContent] asks for them, see [CaptureMode]. Callbacks see
// content whatever the mode. The text of an error can quote a prompt, so it is
// content, too: it becomes the span's status description only when spans carry
// content.
//
// Recorded text is valid UTF-8; invalid bytes become U+FFFD when they are
// recorded, since one of them makes an OTLP exporter lose its whole batch.
//
// # Without an OpenTelemetry SDK
//
// Everything works: invocations are recorded and offered to the callbacks,
// and nothing is exported. Handlers made before the application sets its
// providers use them once they are set.
package instrumentation
