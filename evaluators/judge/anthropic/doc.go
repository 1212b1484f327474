// Package anthropic asks judges that speak the Anthropic Messages format:
// Anthropic's own server and gateways in front of it. It is net/http and
// nothing else; it opens no spans and adds no headers of tracing.
//
// A call is one HTTP request: there is no retry in here. What a model does not
// take is learned from its refusals, never guessed from its name: whether it
// takes a temperature, which is sent only where one is configured, and whether
// the schema of a tool can be enforced. A refusal that taught something has
// [judge.Error].Adapted set, one that is about the format of the answer
// FormatRefused.
//
// The answer is the text of a message, or the input of the tool when the format
// is one; never its thinking. A model that ran out of its context window is
// judge_input_too_long, since no output budget would help.
package anthropic
