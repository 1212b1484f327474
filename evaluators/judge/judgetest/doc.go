// Package judgetest has judges for tests: yours, this project's, examples and
// benchmarks. None needs a network, a key or a *testing.T.
//
//   - [Judge] is a scripted [judge.Client]: no HTTP, at home in a
//     testing/synctest bubble.
//   - [Server] speaks the OpenAI chat completions and the Anthropic messages
//     format over real HTTP on loopback. It refuses what the real servers
//     refuse, in their words, and fails in every way that real servers do.
//
// # Answers
//
// Both play the same [Answer] values, metric by metric, and answer validly
// where nothing is scripted: with the first option that the question offers,
// which is the harmless one, with one supported claim, or with the lower end of
// the scale. Where one request asks several metrics, the verdicts scripted for
// each compose into one answer.
//
// An answer can be a verdict ([Label], [Claims], [Score]), wrapped or cut by
// its methods, any text, a failure by its error.type ([Fail]), a raw reply
// ([HTTP]), or a [Fault] that is known of real servers.
//
// # Judges that can do little, and judges that misbehave
//
// [WithFormats], [WithUnsupported] and [WithWordings] make a server that knows
// only some of what can be asked, [WithFormatIgnored] one that says nothing and
// does not keep to it, and [WithContextLength] one that takes short prompts
// only. [WithChaos] makes a model that answers at random: verdicts in all forms
// that can be read, and everything that must not be. What every call was given
// is in [Played], so that a test can check that nothing was misread.
//
// # Limits
//
// Both keep limits in the ways in which providers do (see [Policy]), with or
// without headers that tell of them, and both can be changed while they run: a
// provider that changes its mind, a storm of refusals, an outage. Both log when
// every call arrived, in a few bytes each, so that a rate can be counted where
// it matters, and both count what is in flight, so that a test can tell how
// many calls ran side by side. A [Server] holds ten thousand connections; where
// its memory is not to be measured with yours, run it in a process of its own.
package judgetest
