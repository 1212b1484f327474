package judgetest

import (
	"encoding/json"
	"strings"
)

// Verdict is what an answer says about one metric.
type Verdict struct {
	Metric string
	Reason string
	// Label, Score or Claims, by what was asked.
	Label  string
	Score  int
	Claims []Claim
}

// Claim is one claim of an answer to a question for claims.
type Claim struct {
	Text    string `json:"claim"`
	Reason  string `json:"reason"`
	Verdict string `json:"verdict"`
}

// said is a verdict in the form in which it is given, of whatever metric.
type said struct {
	form    form
	verdict Verdict
}

// json renders the object that says it.
func (s said) json() string {
	switch s.form {
	case formClaims:
		claims := s.verdict.Claims
		if claims == nil {
			claims = []Claim{}
		}
		return encode(struct {
			Claims []Claim `json:"claims"`
		}{claims})
	case formScore:
		return encode(struct {
			Reason string `json:"reason"`
			Score  int    `json:"score"`
		}{s.verdict.Reason, s.verdict.Score})
	}
	return encode(struct {
		Reason string `json:"reason"`
		Label  string `json:"label"`
	}{s.verdict.Reason, s.verdict.Label})
}

// first answers a single question with the first option, or the lower end of
// the scale.
func (q Question) first() said {
	const reason = "Scripted."
	option := ""
	if len(q.Options) > 0 {
		option = q.Options[0]
	}
	s := said{form: q.form()}
	switch s.form {
	case formClaims:
		s.verdict.Claims = []Claim{{"A claim.", reason, option}}
	case formScore:
		s.verdict.Reason, s.verdict.Score = reason, q.Min
		if q.Min == q.Max { // not known
			s.verdict.Score = 1
		}
	default:
		s.verdict.Reason, s.verdict.Label = reason, option
	}
	return s
}

// compose answers a question part by part, and returns what each of its metrics
// was given. Say answers one part.
func (q Question) compose(say func(i int, part Question) said) (text string, verdicts []Verdict) {
	add := func(s said, metrics []string) {
		for _, m := range metrics {
			s.verdict.Metric = m
			verdicts = append(verdicts, s.verdict)
		}
	}
	if len(q.Parts) == 0 {
		s := say(0, q)
		add(s, q.Metrics)
		return s.json(), verdicts
	}
	var b strings.Builder
	separator := "{"
	for i, part := range q.Parts {
		s := say(i, part)
		add(s, part.Metrics)
		b.WriteString(separator + encode(part.Metric) + ":" + s.json())
		separator = ","
	}
	b.WriteByte('}')
	return b.String(), verdicts
}

// encode renders a value that always can be.
func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // as servers and models do
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}
