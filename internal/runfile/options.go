package runfile

import (
	"fmt"
	"strings"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
)

// Options are the file's settings of evaluators, judges and limits, to be laid
// over the environment. warn is told of what the file keeps from being used.
func (f *File) Options(env *envconfig.Config, warn func(string)) ([]genaievals.Option, error) {
	var out []genaievals.Option
	if f.Plan != "" {
		out = append(out, genaievals.WithEvaluators(f.Plan))
	}
	if f.Rubrics != "" {
		out = append(out, genaievals.WithRubricsFile(f.Rubrics))
	}
	for _, j := range f.Judges {
		change := func(settings *envconfig.Judge) {
			if warning := j.lay(settings); warning != "" {
				warn(warning)
			}
		}
		if j.Name == envconfig.JudgeName {
			out = append(out, genaievals.WithJudge(change))
		} else {
			out = append(out, genaievals.WithNamedJudge(j.Name, change))
		}
	}
	rates, err := f.rates(env)
	if err != nil {
		return nil, err
	}
	if rates != "" {
		out = append(out, genaievals.WithRateLimit(rates))
	}
	if f.TokenLimit != "" {
		out = append(out, genaievals.WithTokenLimit(f.TokenLimit))
	}
	if f.Budget != "" {
		out = append(out, genaievals.WithBudget(f.Budget))
	}
	if f.Adaptive != nil {
		out = append(out, genaievals.WithAdaptive(*f.Adaptive))
	}
	if f.Timeout > 0 {
		out = append(out, genaievals.WithTimeout(f.Timeout))
	}
	return out, nil
}

// rates are the file's limits of calls: rate_limit, or what the environment says
// where there is none, and those of the evaluators' list.
func (f *File) rates(env *envconfig.Config) (string, error) {
	text := f.RateLimit
	if len(f.Rates) == 0 {
		return text, nil
	}
	if text == "" {
		if env.RateLimitUnreadable() {
			return "", fmt.Errorf("%sRATE_LIMIT cannot be read, and %s does not replace it", envconfig.Prefix, f.Path)
		}
		for _, v := range env.Variables() {
			if v.Name == envconfig.Prefix+"RATE_LIMIT" {
				text = v.Value
			}
		}
	}
	var entries []string
	for entry := range strings.SplitSeq(text, ";") {
		one, err := envconfig.ParseRateLimits(entry)
		if err != nil || len(one) == 0 { // none
			continue
		}
		if !f.namesRate(one) {
			entries = append(entries, entry)
		}
	}
	for _, r := range f.Rates {
		entries = append(entries, r.Evaluator+"="+r.Rate)
	}
	return strings.Join(entries, ";"), nil
}

// namesRate reports whether the list of evaluators has a rate for one that is
// named here.
func (f *File) namesRate(limits map[string]limit.Rate) bool {
	for _, r := range f.Rates {
		for name := range limits {
			if evaluators.NormalizeName(name) == evaluators.NormalizeName(r.Evaluator) {
				return true
			}
		}
	}
	return false
}

// lay puts what the file says over a judge's settings. A judge that the file sends
// to another server than the environment does gets none of the credentials that
// are there for that one, and a warning says so.
func (j *Judge) lay(settings *envconfig.Judge) (warning string) {
	moved := *settings
	j.apply(&moved)
	if j.moves && !moved.SameServer(settings) && (settings.APIKey != "" || len(settings.Headers) > 0 || settings.OAuthClientSecret != "") {
		*settings = settings.WithoutCredentials()
		warning = j.Place + ": the judge is on another server than the environment says, and gets no credentials from there; api_key_env names the variable of its key"
	}
	j.apply(settings)
	return warning
}

func (j *Judge) apply(settings *envconfig.Judge) {
	for _, s := range j.settings {
		_ = settings.Set(s.key, s.text) // it was tried when it was read
	}
}
