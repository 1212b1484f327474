package builtin

import (
	"context"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

const (
	labelExpectedLanguage = "Expected Language"
	labelOtherLanguage    = "Other Language"

	// sameAsInput in expect stands for the language of the input.
	sameAsInput = "input"
)

// prepareLanguage reads expect: languages as ISO 639-1 codes, of which any is
// right, or input.
func prepareLanguage(s *settings) judging {
	s.wantOneOf("expect")
	const want = "input, or ISO 639-1 codes of languages that can be told, such as en or de|fr"
	expect := s.names("expect", want, func(code string) bool {
		return code == sameAsInput || knownLanguage(baseLanguage(code))
	})
	for i, code := range expect {
		expect[i] = oneOfNorwegian(baseLanguage(code))
	}
	asInput := slices.Contains(expect, sameAsInput)
	if asInput && len(expect) > 1 {
		s.refuse("expect", want, nil)
	}
	if asInput {
		s.needs |= evaluators.NeedInput
	}
	return func(ctx context.Context, s *subject) (evaluators.Result, error) {
		return judgeLanguage(ctx, s, expect, asInput)
	}
}

// baseLanguage takes the region away: pt-BR is pt.
func baseLanguage(code string) string {
	base, _, _ := strings.Cut(code, "-")
	return strings.TrimSpace(base)
}

// judgeLanguage compares the language of what was read of the output with those
// wanted. Where it is not sure of one, or two that are alike would differ, it
// says nothing.
func judgeLanguage(ctx context.Context, s *subject, expect []string, asInput bool) (evaluators.Result, error) {
	p := s.output()
	if p.code {
		return needsJudge("mostly code or data"), nil
	}
	got, why := detect(p)
	if why != "" {
		return needsJudge("the output: " + why), nil
	}
	if err := ctx.Err(); err != nil {
		return evaluators.Result{}, err
	}
	if asInput {
		in := read(s.c.Input, s.limits.maxOutput)
		s.truncated = s.truncated || in.cut
		language, why := detect(&in)
		if in.code {
			why = "mostly code or data"
		}
		if why != "" {
			return needsJudge("the input: " + why), nil
		}
		expect = []string{language}
	}
	wanted := strings.Join(expect, " or ")
	if slices.Contains(expect, got) {
		return evaluators.Scored("", 1, labelExpectedLanguage, "is "+got), nil
	}
	for _, e := range expect {
		if confusable(e, got) {
			return needsJudge("looks like " + got + ", which is easily taken for " + e), nil
		}
	}
	return evaluators.Scored("", 0, labelOtherLanguage, "is "+got+", expected "+wanted), nil
}
