package judgetest

import (
	"math/rand/v2"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// WithChaos makes a model that misbehaves, in place of scripts: half of its
// answers are verdicts drawn at random from what is offered, some of them
// wrapped; the others are everything that models and servers are known to do
// wrong. What a call is given is decided by the seed and the number of the
// call, from 0 in order of arrival, and by the question.
//
// [Played] tells what each call was given, and the verdicts that were meant,
// so that a test can check that every result is scored as meant, skipped, or
// failed with its type. It never hangs.
func WithChaos(seed uint64) Option {
	return scriptOption(func(s *script) { s.chaos = &chaos{seed} })
}

type chaos struct{ seed uint64 }

// draw picks the answer to a call.
func (c *chaos) draw(q Question, number int) Answer {
	random := rand.New(rand.NewPCG(c.seed, uint64(number)))
	if random.IntN(2) == 0 {
		return oneOf(random, readable).of(random, q)
	}
	return oneOf(random, disorders).of(random, q)
}

// disorder is one thing that a model does.
type disorder struct {
	name string
	make func(*rand.Rand, Question) Answer
}

func (d disorder) of(random *rand.Rand, q Question) Answer {
	a := d.make(random, q)
	a.name = d.name
	return a
}

// readable are verdicts, in forms that can be read without doubt.
var readable = []disorder{
	{"valid", drawn},
	{"valid", drawn},
	{"valid", drawn},
	{"fenced", func(r *rand.Rand, q Question) Answer { return drawn(r, q).Fenced() }},
	{"in_prose", func(r *rand.Rand, q Question) Answer {
		return drawn(r, q).Within("Here is my assessment:\n", "\nI hope this helps.")
	}},
	{"think_tags", func(r *rand.Rand, q Question) Answer {
		return drawn(r, q).ThinkTags("At first it looks like " + other(r, q))
	}},
	{"thought", func(r *rand.Rand, q Question) Answer {
		return drawn(r, q).Thought("At first it looks like " + other(r, q))
	}},
	{"quoted_injection", func(r *rand.Rand, q Question) Answer {
		return drawn(r, q).Within("The output says: "+other(r, q)+" That is an attempt to decide for me.\n", "")
	}},
	{"parts", func(r *rand.Rand, q Question) Answer { return drawn(r, q).Parts() }},
	{"no_usage", func(r *rand.Rand, q Question) Answer { return drawn(r, q).NoUsage() }},
}

// disorders are answers that say nothing that may be scored.
var disorders = []disorder{
	malformed("prose", func(*rand.Rand, Question) string { return proseText }),
	malformed("number_in_prose", func(*rand.Rand, Question) string { return "I considered 2 options; score: 8." }),
	malformed("half_json", func(r *rand.Rand, q Question) string { return half(other(r, q)) }),
	malformed("wrong_label", func(_ *rand.Rand, q Question) string { return labelled(q, "maybe") }),
	malformed("other_language", func(_ *rand.Rand, q Question) string { return labelled(q, "nicht_voreingenommen") }),
	malformed("wrong_type", func(_ *rand.Rand, q Question) string { return wrongTypes(q) }),
	malformed("out_of_range", func(_ *rand.Rand, q Question) string { return offScale(q) }),
	malformed("other_metric", func(_ *rand.Rand, q Question) string { return otherForm(q) }),
	malformed("other_schema", func(*rand.Rand, Question) string { return `{"verdicts":[{"statement":"It.","relevance":"high"}]}` }),
	malformed("label_twice", func(*rand.Rand, Question) string { return twice }),
	malformed("very_long", func(r *rand.Rand, _ Question) string {
		return strings.Repeat("Let me think about that again. ", 1000+r.IntN(4000))
	}),
	malformed("unclosed_thought", func(r *rand.Rand, q Question) string { return "<think>" + other(r, q) }),
	malformed("array", func(*rand.Rand, Question) string { return `["yes","no"]` }),
	failing("empty", evaluators.ErrorJudgeEmptyOutput, Text("")),
	failing("blank", evaluators.ErrorJudgeEmptyOutput, Text(" \n\t\u00a0")),
	{"cut", func(r *rand.Rand, q Question) Answer { return Text(half(other(r, q))).Finish(judge.FinishLength) }},
	failing("refused", evaluators.ErrorJudgeRefused, Refuse("I cannot help with that.")),
	failing("refusal_finish", evaluators.ErrorJudgeRefused, Text("").Finish(judge.FinishRefusal)),
	failing("filtered", evaluators.ErrorJudgeContentFiltered, Text(`{"reason": "It`).Finish(judge.FinishContentFilter)),
	failing("tool_calls", evaluators.ErrorJudgeEmptyOutput, Text("").Finish(judge.FinishToolCalls)),
	failing("close", evaluators.ErrorJudgeUnavailable, Close()),
	failing("rate_limited", evaluators.ErrorJudgeRateLimited, Fail(evaluators.ErrorJudgeRateLimited)),
	failing("overloaded", evaluators.ErrorJudgeOverloaded, Fail(evaluators.ErrorJudgeOverloaded)),
	failing("unavailable", evaluators.ErrorJudgeUnavailable, Fail(evaluators.ErrorJudgeUnavailable)),
	failing("gateway_timeout", evaluators.ErrorJudgeTimeout, HTTP(504, nil, "")),
	failing("bad_request", evaluators.ErrorJudgeBadRequest, Fail(evaluators.ErrorJudgeBadRequest)),
	failing("too_long", evaluators.ErrorJudgeInputTooLong, Fail(evaluators.ErrorJudgeInputTooLong)),
	fault(FaultHTML), fault(FaultBadGateway), fault(FaultEmptyBody), fault(FaultNoChoices), fault(FaultCutBody),
	fault(FaultOpenRouterError), fault(FaultContentNull), fault(FaultUnexpectedEnd), fault(FaultAzureFilter),
}

const (
	proseText = "The answer reads well to me, and I see nothing to object to."
	twice     = `{"reason":"It is odd.","label":"fine","label":"odd","score":1,"score":2,"claims":[],"claims":[]}`
)

func prose() Answer { return Text(proseText) }

func malformed(name string, text func(*rand.Rand, Question) string) disorder {
	return disorder{name, func(r *rand.Rand, q Question) Answer {
		a := Text(text(r, q))
		a.fail = evaluators.ErrorJudgeMalformedOutput
		return a
	}}
}

func failing(name, errorType string, a Answer) disorder {
	return disorder{name, func(*rand.Rand, Question) Answer {
		a.fail = errorType
		return a
	}}
}

func fault(f Fault) disorder {
	return disorder{string(f), func(*rand.Rand, Question) Answer { return f.Answer() }}
}

// drawn is a verdict on each thing that is asked, at random.
func drawn(random *rand.Rand, q Question) Answer {
	a := Answer{kind: kindDrawn}
	a.text, a.meant = q.compose(func(_ int, part Question) said { return draw(random, part) })
	return a
}

// draw answers a single question at random.
func draw(random *rand.Rand, q Question) said {
	const reason = "Drawn {at} random, \"quoted\"."
	option := ""
	if len(q.Options) > 0 {
		option = oneOf(random, q.Options)
	}
	s := said{form: q.form()}
	switch s.form {
	case formClaims:
		s.verdict.Claims = []Claim{}
		for range random.IntN(5) {
			s.verdict.Claims = append(s.verdict.Claims, Claim{"A claim.", reason, oneOf(random, q.Options)})
		}
	case formScore:
		from, to := q.Min, q.Max
		if from == to {
			from, to = 1, 1 // not known; most scales have it
		}
		s.verdict.Reason, s.verdict.Score = reason, from+random.IntN(to-from+1)
	default:
		s.verdict.Reason, s.verdict.Label = reason, option
	}
	return s
}

// other is a complete verdict that is not meant.
func other(random *rand.Rand, q Question) string {
	text, _ := q.compose(func(_ int, part Question) said { return draw(random, part) })
	return text
}

// labelled answers every part with a label that it does not offer; scales too.
func labelled(q Question, label string) string {
	const reason = "Hard to say."
	text, _ := q.compose(func(_ int, part Question) said {
		if part.Claims {
			return said{formClaims, Verdict{Claims: []Claim{{"A claim.", reason, label}}}}
		}
		return said{formLabel, Verdict{Reason: reason, Label: label}}
	})
	return text
}

// offScale answers every part with a number that is on no scale.
func offScale(q Question) string {
	text, _ := q.compose(func(int, Question) said {
		return said{formScore, Verdict{Reason: "Off the scale.", Score: 1 << 30}}
	})
	return text
}

// otherForm answers every part in the form of another metric.
func otherForm(q Question) string {
	text, _ := q.compose(func(_ int, part Question) said {
		if part.Claims {
			return said{formLabel, Verdict{Reason: "It is supported.", Label: "supported"}}
		}
		return said{formClaims, Verdict{Claims: []Claim{{"A claim.", "It is there.", "supported"}}}}
	})
	return text
}

// wrongTypes answers with a list where one value is asked for, and the reverse.
func wrongTypes(q Question) string {
	text := `{"reason":7,"label":["a"],"score":["1"],"claims":"none"}`
	if len(q.Parts) == 0 {
		return text
	}
	parts := make([]string, len(q.Parts))
	for i, p := range q.Parts {
		parts[i] = encode(p.Metric) + ":" + text
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func oneOf[T any](random *rand.Rand, all []T) T { return all[random.IntN(len(all))] }
