package envconfig

import "github.com/genaievals/genaievals/limit"

// Limits are those that one judge is under. Zero values are none.
type Limits struct {
	Rate, Tokens limit.Rate
	Budget       limit.Budget
}

// LimitsOf returns the limits of a judge: its own (JUDGE_RATE_LIMIT,
// JUDGE_FAST_RATE_LIMIT), else those that name it (RATE_LIMIT=fast=60/min),
// else those that name nobody, which hold for every judge for itself.
func (c *Config) LimitsOf(judge string) Limits {
	var own Judge
	if plainName(judge) == JudgeName {
		own = c.Judge
	} else if named := c.OwnOfJudge(judge); named != nil {
		own = *named
	}
	return Limits{
		Rate:   limitOf(own.RateLimit, c.RateLimit, judge),
		Tokens: limitOf(own.TokenLimit, c.TokenLimit, judge),
		Budget: limitOf(own.Budget, c.Budget, judge),
	}
}

// LimitsNaming returns the limits that name an evaluator which is no judge.
func (c *Config) LimitsNaming(evaluator string) Limits {
	var l Limits
	l.Rate, _ = naming(c.RateLimit, evaluator)
	l.Tokens, _ = naming(c.TokenLimit, evaluator)
	l.Budget, _ = naming(c.Budget, evaluator)
	return l
}

func limitOf[T any](own *T, shared map[string]T, judge string) T {
	if own != nil {
		return *own
	}
	if one, ok := naming(shared, judge); ok {
		return one
	}
	return shared[""]
}

func naming[T any](shared map[string]T, evaluator string) (one T, ok bool) {
	for name, one := range shared {
		if name != "" && plainName(name) == plainName(evaluator) {
			return one, true
		}
	}
	return one, false
}
