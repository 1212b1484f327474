package judgetest

import (
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// asking is what an answer depends on.
type asking struct {
	question Question
	format   judge.Format
	budget   int // output tokens; 0 is no bound
	wire     wire
}

// turn is what the script has for one call: one answer for the whole of it, or
// for a combined question one for each part.
type turn struct {
	answer Answer
	parts  []Answer
}

// join makes one turn of verdicts on the parts. How they are told is as the
// first says, after the longest of their delays.
func join(parts []Answer) turn {
	t := turn{answer: parts[0], parts: parts}
	for _, a := range parts {
		t.answer.delay = max(t.answer.delay, a.delay)
	}
	return t
}

// resolve turns what is scripted into what is sent: an answer with a message
// has it in text.
func (t *turn) resolve(to asking) (Answer, Played) {
	a := t.answer
	p := Played{Kind: a.name, ErrorType: a.fail}
	if a.verdict() {
		a.text, p.Verdicts = to.question.compose(func(i int, part Question) said {
			say := a
			if t.parts != nil {
				say = t.parts[i]
			}
			if say.kind == kindVerdict {
				return say.said
			}
			return part.first()
		})
		a.kind = kindText
		if p.Verdicts == nil { // not one of ours
			p.Verdicts = []Verdict{}
		}
	}
	if a.kind == kindDrawn {
		a.kind, p.Verdicts = kindText, a.meant
		if p.Verdicts == nil {
			p.Verdicts = []Verdict{}
		}
	}
	if a.kind == kindText {
		a.tell(to, &p)
	}
	if p.Kind == "" {
		p.Kind = a.kindName()
		if p.Verdicts != nil {
			p.Kind = "valid"
		}
	}
	return a, p
}

// tell wraps the message, moves it into the thought, and cuts it.
func (a *Answer) tell(to asking, p *Played) {
	a.text = a.before + a.text + a.after
	if a.thoughtOnly {
		a.thought, a.text = a.text, ""
		p.Verdicts, p.ErrorType = nil, evaluators.ErrorJudgeEmptyOutput
	}
	if a.until > 0 && to.budget > 0 && to.budget < a.until {
		a.finish = judge.FinishLength
		a.text = half(a.text)
		p.Kind = "cut"
	}
	switch a.finish {
	case judge.FinishLength:
		p.Verdicts, p.ErrorType = nil, evaluators.ErrorJudgeTruncated
	case judge.FinishContentFilter:
		p.Verdicts, p.ErrorType = nil, evaluators.ErrorJudgeContentFiltered
		if to.wire != nil && to.wire.api() == Anthropic { // which has no such reason
			p.ErrorType = evaluators.ErrorJudgeRefused
		}
	case judge.FinishRefusal:
		p.Verdicts, p.ErrorType = nil, evaluators.ErrorJudgeRefused
	}
	if p.Verdicts != nil {
		p.ErrorType = ""
	}
}

func (a Answer) kindName() string {
	switch a.kind {
	case kindRefusal:
		return "refusal"
	case kindFail:
		return "failure"
	case kindHTTP:
		return "http"
	case kindHang:
		return "hang"
	case kindClose:
		return "close"
	}
	return "text"
}

// half cuts a text between two runes.
func half(s string) string {
	n := len(s) / 2
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
