// Package judgetest has judges for tests: yours, this project's, examples and
// benchmarks. None needs a network, a key or a *testing.T.
//
//   - [Judge] is a scripted [judge.Client]: no HTTP, at home in a
//     testing/synctest bubble.
//   - [Server] speaks the OpenAI chat completions format over real HTTP on
//     loopback, and fails in every way that real servers do.
//
// Both play the same [Answer] values, metric by metric, and answer validly
// where nothing is scripted: with the first option that the question offers,
// which is the harmless one, or with one supported claim. Both count what is
// in flight, so that a test can tell how many calls ran side by side.
package judgetest
