package judgetest

import (
	"net"
	"time"
)

// JudgeOption configures a [Judge].
type JudgeOption interface{ applyJudge(*Judge) }

// ServerOption configures a [Server].
type ServerOption interface{ applyServer(*Server) }

// Option configures either.
type Option interface {
	JudgeOption
	ServerOption
}

type scriptOption func(*script)

func (o scriptOption) applyJudge(j *Judge)   { o(&j.script) }
func (o scriptOption) applyServer(s *Server) { o(&s.script) }

type serverOption func(*Server)

func (o serverOption) applyServer(s *Server) { o(s) }

// WithAnswers scripts the answers to one metric, or to all that have no script
// of their own when the metric is "". They are given in order and the last one
// from then on; end with [Valid] to come back to normal.
//
// A request for several metrics at once is given a verdict for each, composed;
// the first metric whose next answer is none has that played for the whole
// call, and the others keep theirs. An answer that serves two metrics is that of
// the first of them with a script.
func WithAnswers(metric string, answers ...Answer) Option {
	return scriptOption(func(s *script) { s.answers[metric] = answers })
}

// WithDelay delays every answer.
func WithDelay(d time.Duration) Option {
	return WithDelays(func(int) time.Duration { return d })
}

// WithDelays delays the answer to each call by what delay says for its number,
// from 0 in order of arrival. It is called with a lock held.
func WithDelays(delay func(call int) time.Duration) Option {
	return scriptOption(func(s *script) { s.delay = delay })
}

// WithPolicies sets the limits, all of which are kept: a call that one of them
// refuses is answered 429, and counted by none.
func WithPolicies(policies ...Policy) Option {
	return scriptOption(func(s *script) { s.setPolicies(policies) })
}

// WithLimitHeaders sets what is told about the limits; the default is
// HeaderRetryAfter|HeaderRetryAfterMs.
func WithLimitHeaders(h Headers) Option {
	return scriptOption(func(s *script) { s.headers = h })
}

// WithRecordLimit sets how many calls are kept to be looked at, the first ones;
// the default is 4096. Counters, and the log of arrivals up to 4 million, go on
// beyond it.
func WithRecordLimit(n int) Option {
	return scriptOption(func(s *script) { s.recordLimit = n })
}

// WithRateLimit refuses calls beyond n in any window. It is
// [WithPolicies] with a [SlidingWindow].
func WithRateLimit(n int, window time.Duration) Option {
	return WithPolicies(SlidingWindow(n, window))
}

// WithAPIKey answers 401 to requests that do not carry the key where their
// format has it: as a bearer token or in an api-key header, or for Anthropic in
// x-api-key.
func WithAPIKey(key string) ServerOption {
	return serverOption(func(s *Server) { s.key = key })
}

// WithUnsupported answers 400, as [WithWordings] says, to requests that have
// one of these parameters, such as max_tokens, temperature or response_format.
func WithUnsupported(params ...string) ServerOption {
	return serverOption(func(s *Server) { s.unsupported = append(s.unsupported, params...) })
}

// WithLenient takes requests that the real servers refuse. By default these
// are answered 400 or 401, in the words of their format: a parameter that is
// unknown, misplaced, missing, of the wrong type or out of range; a
// combination that is not allowed, such as both names of the output budget, or
// json_object without the word JSON in the messages; a schema that breaks the
// rules of strict mode, where those are what all providers have in common; a
// tool_choice without its tool; a missing anthropic-version; a content type that
// is not JSON; a key in the other format's header.
func WithLenient() ServerOption {
	return serverOption(func(s *Server) { s.lenient = true })
}

// WithListener serves on l in place of a free port on 127.0.0.1. The server
// closes it.
func WithListener(l net.Listener) ServerOption {
	return serverOption(func(s *Server) { s.listener = l })
}
