// Package judge is the evaluator that asks a language model.
//
// Each metric is one question put to the judge about one case. The rubric is
// the system message; the evaluated text is one JSON document in the user
// message, so that nothing in it can end the data and begin instructions. The
// judge writes its reason, then a label out of a fixed set (or a verdict on
// each claim), and Go computes the score from that.
//
// Metrics of your own are asked in the same way: see [Rubric], [WithRubrics]
// and [LoadRubrics]. A rubric has labels, or a scale of whole numbers that Go
// turns into a score.
//
// A result is scored only when the answer is complete and says one thing. An
// unreadable answer is asked for once more; an answer cut short is asked for
// once more with twice the room. Everything else is a failed result with its
// error.type. Nothing is scored by default, rounded into range, or taken from
// a model's train of thought.
//
// The [Evaluator] sends through a [Client]: package openai has one for every
// server that speaks the chat completions format, package anthropic one for the
// Messages format, and package judgetest has a scripted one for tests. Every send, whether the first or a repeated one,
// passes the gate of package limit, tells it how it went, and has a CLIENT span
// of its own, made by the provider of the span in the context.
//
// What did not get through (no connection, 408, 409, 425, 429, 5xx but 501 and
// 505) is sent again up to twice, a call that timed out once, after a random
// wait of up to 1 s and then 2 s, on top of what the judge itself asks for; not
// where that goes beyond the deadline, nor where the gate has seen too many
// retries. Quotas, credentials, unknown models and everything else that the
// judge means are not sent again. A gate whose circuit is open fails the metric
// with judge_circuit_open, one whose budget is spent skips it.
package judge
