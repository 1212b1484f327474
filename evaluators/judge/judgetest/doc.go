// Package judgetest has judges for tests: yours, this project's, examples and
// benchmarks. None needs a network, a key or a *testing.T.
//
//   - [Judge] is a scripted [judge.Client]: no HTTP, at home in a
//     testing/synctest bubble.
//   - [Server] speaks the OpenAI chat completions format over real HTTP on
//     loopback, and fails in every way that real servers do.
//
// Both keep limits in the ways in which providers do (see [Policy]), with or
// without headers that tell of them, and both can be changed while they run: a
// provider that changes its mind, a storm of refusals, an outage. Both log when
// every call arrived, in a few bytes each, so that a rate can be counted where
// it matters. A [Server] holds ten thousand connections; where its memory is
// not to be measured with yours, run it in a process of its own.
//
// Both play the same [Answer] values, metric by metric, and answer validly
// where nothing is scripted: with the first option that the question offers,
// which is the harmless one, or with one supported claim. Both count what is
// in flight, so that a test can tell how many calls ran side by side.
package judgetest
