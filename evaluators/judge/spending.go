package judge

import (
	"time"

	"github.com/genaievals/genaievals/evaluators"
)

// spending is what calls took: those of one conversation, or of all that went
// into one result. The zero spending is nothing.
type spending struct {
	attempts      int
	answers       int   // and failures that took tokens
	input, output int64 // tokens
	cost          float64
	unpriced      bool // what an answer cost is not known
	limitWait     time.Duration
	model         string // that answered
}

// add accounts for an answer. It costs what the provider says, else what its
// tokens do where both are known.
func (s *spending) add(r *Response, p price) {
	s.use(r.Usage, p)
	if r.Model != "" {
		s.model = clip(r.Model, maxNameLength)
	}
}

// fail accounts for a call that failed and was paid for nevertheless, as its
// reply says: an answer that was broken off, or that there was no room for. A
// request that was turned down says nothing and cost nothing.
func (s *spending) fail(e *Error, p price) {
	if e.Usage.saysAnything() {
		s.use(e.Usage, p)
	}
}

func (s *spending) use(u Usage, p price) {
	s.answers++
	s.input += tokens(u.InputTokens)
	s.output += tokens(u.OutputTokens)
	cost, known := p.cost(u)
	s.cost += cost
	s.unpriced = s.unpriced || !known
}

// share is the part of one of n results that the same calls served. Tokens and
// cost are divided, so that all parts together are what was spent; the first
// part takes what is left over. The calls themselves, and the waiting, are each
// result's.
func (s spending) share(part, n int) spending {
	divide := func(tokens int64) int64 {
		each := tokens / int64(n)
		if part == 0 {
			each += tokens % int64(n)
		}
		return each
	}
	s.input, s.output = divide(s.input), divide(s.output)
	s.cost /= float64(n)
	return s
}

// plus is both.
func (s spending) plus(t spending) spending {
	t.attempts += s.attempts
	t.answers += s.answers
	t.input += s.input
	t.output += s.output
	t.cost += s.cost
	t.unpriced = t.unpriced || s.unpriced
	t.limitWait += s.limitWait
	if t.model == "" {
		t.model = s.model
	}
	return t
}

// account puts it onto a result. Where no answer said what it used, or nobody
// what that costs, there is no cost rather than none to pay.
func (s spending) account(r *evaluators.Result, asked string) {
	r.Attempts = s.attempts
	r.InputTokens, r.OutputTokens = s.input, s.output
	if s.answers > 0 && !s.unpriced {
		r.Cost, r.HasCost = s.cost, true
	}
	r.LimitWait = s.limitWait
	if r.JudgeModel = s.model; r.JudgeModel == "" {
		r.JudgeModel = asked
	}
}
