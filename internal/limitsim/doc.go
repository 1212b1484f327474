// Package limitsim plays a client's gate against servers with limits: an exact
// simulation of events, seeded, without goroutines and real time. It counts what
// the server let in of what it permits, and what it refused.
//
// The servers' policies are in [Policies], the clients in [Clients]: the
// learner of package adaptive, and the usual rules beside it.
package limitsim
