// Package asking is how evaluators are asked, wherever that is done: what they do
// wrong is contained, what they say is held against their contract, and those that
// ignore the end of their time are left.
//
// [Seat] watches over the calls that one goroutine makes one after the other,
// without a timer, a goroutine or a channel for each: an evaluator that answers
// in a microsecond is asked in little more.
package asking
