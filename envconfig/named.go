package envconfig

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// JudgeName is the name of the first judge, which JUDGE_* set.
const JudgeName = "judge"

// reservedNames cannot be those of further judges, without their underscores.
var reservedNames = []string{JudgeName, "deepeval", "builtin", "none", "off", "false"}

var validJudgeName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// JudgePrefix begins the variables of a further judge.
func JudgePrefix(name string) string { return Prefix + "JUDGE_" + strings.ToUpper(name) + "_" }

// plainName is what is compared when names of evaluators are.
func plainName(name string) string {
	name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	if name == "deepeval" {
		return JudgeName
	}
	return name
}

// judgeDefinitions are those of the fields that a further judge has: all of
// [Judge] but the key that is everybody's.
var judgeDefinitions = sync.OnceValue(func() []definition {
	var out []definition
	for _, d := range define(reflect.TypeFor[Judge](), nil, "") {
		if strings.HasPrefix(d.name, Prefix) {
			out = append(out, d)
		}
	}
	return out
})

// definitionsOf are those of one further judge. None has a default or an older
// name: what is not set falls back as [Config.JudgeNamed] says.
func definitionsOf(judge string) []definition {
	out := slices.Clone(judgeDefinitions())
	for i := range out {
		d := &out[i]
		d.name = JudgePrefix(judge) + strings.TrimPrefix(d.name, Prefix+"JUDGE_")
		d.judge, d.group = judge, "The judge "+judge
		d.dflt, d.old, d.shown = "", nil, ""
		if d.guard != "" {
			d.guard = fmt.Sprintf("the judge %s stays off", judge)
		}
	}
	return out
}

func namesOfJudge(judge string) []string {
	var names []string
	for _, d := range definitionsOf(judge) {
		names = append(names, d.name)
	}
	return names
}

// judgeMeant is the further judge whose variable a name seems to be.
func judgeMeant(name string) string {
	rest, ok := strings.CutPrefix(name, Prefix+"JUDGE_")
	for _, d := range judgeDefinitions() {
		judge, isIt := strings.CutSuffix(rest, "_"+strings.TrimPrefix(d.name, Prefix+"JUDGE_"))
		if judge = strings.ToLower(judge); ok && isIt && checkJudgeName(judge) == nil {
			return judge
		}
	}
	return ""
}

// definitions are those of all fields of this configuration.
func (c *Config) definitions() []definition {
	all := slices.Clone(definitions())
	for _, judge := range c.Judges {
		if c.named[judge] != nil {
			all = append(all, definitionsOf(judge)...)
		}
	}
	return all
}

func checkJudgeName(name string) error {
	switch {
	case !validJudgeName.MatchString(name):
		return fmt.Errorf("the name %q of a judge is not of lower case letters, digits and underscores", name)
	case slices.Contains(reservedNames, plainName(name)):
		return fmt.Errorf("the name %q is taken", name)
	}
	return nil
}

// decodeNames reads names of judges. Hyphens count as underscores, as they do
// in plans.
func decodeNames(text string) (any, error) {
	if word := strings.ToLower(text); word == "none" || word == "off" {
		return []string(nil), nil
	}
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
		same := func(other string) bool { return plainName(other) == plainName(name) }
		switch {
		case slices.Contains(names, name):
			continue
		case slices.ContainsFunc(names, same):
			return nil, fmt.Errorf("the name %q is taken", name)
		}
		if err := checkJudgeName(name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func encodeNames(value any) string {
	if names := value.([]string); len(names) > 0 {
		return strings.Join(names, ",")
	}
	return "none"
}

// AddJudge adds a further judge by name, with what the environment sets for
// it, and returns its own settings, to be changed; warnings are as those of
// [Load]. It returns those of a judge that is there already. An error says
// that the name cannot be one: it wraps [ErrConfig].
func (c *Config) AddJudge(name string) (*Judge, []Warning, error) {
	names, err := decodeNames(name)
	if list, _ := names.([]string); err == nil && len(list) == 1 {
		name = list[0]
	} else {
		err = errors.Join(err, checkJudgeName(name))
	}
	if _, taken := decodeNames(strings.Join(append(slices.Clone(c.Judges), name), ",")); err == nil {
		err = taken
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if j := c.named[name]; j != nil && slices.Contains(c.Judges, name) {
		return j, nil, nil
	}
	if !slices.Contains(c.Judges, name) {
		c.Judges = append(slices.Clone(c.Judges), name)
	}
	l := loader{config: *c}
	l.judges([]string{name})
	l.unknown(setNames(os.Environ()), slices.Concat(knownNames(), namesOfJudge(name)), JudgePrefix(name))
	*c = l.config
	return c.named[name], l.warnings, nil
}

// OwnOfJudge returns what is set for a further judge itself, nil when there is
// none of that name.
func (c *Config) OwnOfJudge(name string) *Judge {
	if !slices.Contains(c.Judges, name) {
		return nil
	}
	return c.named[name]
}

// judges reads the variables of further judges.
func (l *loader) judges(names []string) {
	named := make(map[string]*Judge, len(names)) // a new one: configurations are copied
	maps.Copy(named, l.config.named)
	l.config.named = named
	for _, name := range names {
		named[name] = &Judge{}
		texts, err := readTexts(namesOfJudge(name))
		if err != nil {
			l.warn(JudgePrefix(name)+"*", "the environment cannot be read, defaults are used: %v", err)
		}
		l.texts = texts
		for _, d := range definitionsOf(name) {
			l.field(&d)
		}
	}
}

// JudgeNamed returns the settings of a judge as they come to count: those of
// the first for [JudgeName], and for a further judge its own and, where they
// are not set, these:
//
//   - JUDGE_PROVIDER, JUDGE_MODE, JUDGE_TIMEOUT, JUDGE_MAX_INPUT_TOKENS and
//     JUDGE_MAX_OUTPUT_TOKENS.
//   - JUDGE_BASE_URL, if both judges have the same provider.
//   - JUDGE_API_KEY, JUDGE_AUTH_HEADER, JUDGE_HEADERS and JUDGE_OAUTH_* only
//     where both judges are asked at one scheme, host and port: a credential
//     does not go to another host. Of the key and the OAuth client, both or
//     none: a judge with one of its own has neither of the first's.
//   - OPENAI_API_KEY and the other providers' keys, see [Judge.Key].
//
// The model, the temperature, the price and the limits are each judge's own;
// for the limits see [Config.LimitsOf]. A name that is not known has the zero
// Judge.
func (c *Config) JudgeNamed(name string) Judge {
	first := c.Judge
	if plainName(name) == JudgeName {
		return first
	}
	own := c.OwnOfJudge(name)
	if own == nil {
		return Judge{}
	}
	j := *own
	fallBack(&j.Provider, first.Provider)
	if j.sameProvider(&first) {
		fallBack(&j.BaseURL, first.BaseURL)
	}
	fallBack(&j.Mode, first.Mode)
	fallBack(&j.Timeout, first.Timeout)
	fallBack(&j.MaxInputTokens, first.MaxInputTokens)
	fallBack(&j.MaxOutputTokens, first.MaxOutputTokens)
	j.OpenAIAPIKey, j.AzureOpenAIAPIKey = first.OpenAIAPIKey, first.AzureOpenAIAPIKey
	j.AnthropicAPIKey, j.GeminiAPIKey = first.AnthropicAPIKey, first.GeminiAPIKey
	if !sameOrigin(&j, &first) {
		return j
	}
	fallBack(&j.AuthHeader, first.AuthHeader)
	if len(j.Headers) == 0 {
		j.Headers = first.Headers
	}
	if j.APIKey == "" && !j.usesOAuth() {
		j.APIKey = first.APIKey
		j.OAuthTokenURL, j.OAuthClientID, j.OAuthClientSecret = first.OAuthTokenURL, first.OAuthClientID, first.OAuthClientSecret
		fallBack(&j.OAuthScope, first.OAuthScope)
		fallBack(&j.OAuthAuthMethod, first.OAuthAuthMethod)
	}
	return j
}

func fallBack[T comparable](own *T, first T) {
	var unset T
	if *own == unset {
		*own = first
	}
}
