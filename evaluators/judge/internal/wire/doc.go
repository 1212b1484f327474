// Package wire is what the clients of judges over HTTP have in common: where to
// send and as whom, a connection that carries what is sent and nothing else,
// bodies that are let go of once they are on their way, replies read up to a
// bound, failures classified, and nothing secret in what leaves.
//
// A client is a format around it: it encodes a request into an [Exchange] and
// decodes a [Reply].
package wire
