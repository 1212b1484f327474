// Package emit turns results into OpenTelemetry: for each an event, a point of
// a score histogram and, while it is being evaluated, a span, all tied to the
// evaluated invocation's span. docs/telemetry.md lists every name.
//
// The event is authoritative. It is written whether or not the evaluated span
// was sampled, after that span has ended, and when the request that it served
// has long been cancelled: nothing here reads the request's context.
//
// Everything is checked on its way out: text is valid UTF-8 and of bounded
// length, numbers are finite, and what the application or an evaluator added
// never takes the place of an attribute of the conventions or of ours.
package emit
