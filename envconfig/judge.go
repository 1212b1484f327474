package envconfig

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// JudgeOff says why a judge must not run, naming the variable; empty when it
// may. That is so when a variable cannot be read and its default would be
// worse than no judge (a limit, the address, what the server speaks), as long
// as no option has replaced it. Unlimited is never a fallback, and neither is
// another server. One judge's own variables turn only that judge off. So does
// a budget in money where the price is not known.
func (c *Config) JudgeOff(name string) string {
	if why := c.firstUnreadable(c.ownDefinitions(name)); why != "" {
		return why
	}
	if b := c.LimitsOf(name).Budget; b.Amount > 0 && !b.Tokens && c.JudgeNamed(name).Price == nil {
		return fmt.Sprintf("its budget (%v) is in money and %s, its price, is not set", b, c.priceVariable(name))
	}
	return ""
}

func (c *Config) priceVariable(name string) string {
	if c.OwnOfJudge(name) != nil {
		return JudgePrefix(name) + "PRICE"
	}
	return Prefix + "JUDGE_PRICE"
}

// firstUnreadable says which of a judge's own variables cannot be read, or of
// those that count where they are not set.
func (c *Config) firstUnreadable(own []definition) string {
	for _, d := range own {
		if why := c.unreadable(&d); why != "" {
			return why
		}
		if behind := c.behind(&d); behind != nil && d.of(c).IsZero() {
			if why := c.unreadable(behind); why != "" {
				return why
			}
		}
	}
	return ""
}

// ownDefinitions are those of a judge's own variables; none for a name that is
// not known.
func (c *Config) ownDefinitions(name string) []definition {
	switch {
	case plainName(name) == JudgeName:
		return slices.DeleteFunc(slices.Clone(definitions()), func(d definition) bool {
			return !strings.HasPrefix(d.name, Prefix+"JUDGE_")
		})
	case c.OwnOfJudge(name) != nil:
		return definitionsOf(name)
	}
	return nil
}

// behind is the variable that counts where a judge's own is not set, of those
// that can turn judges off; nil when there is none.
func (c *Config) behind(d *definition) *definition {
	first := Prefix + "JUDGE_"
	short := strings.TrimPrefix(d.name, first)
	if d.judge != "" {
		short = strings.TrimPrefix(d.name, JudgePrefix(d.judge))
	}
	switch short {
	case "RATE_LIMIT", "TOKEN_LIMIT", "BUDGET":
		return definitionNamed(Prefix + short)
	case "PROVIDER", "BASE_URL":
		if d.judge != "" {
			return definitionNamed(first + short)
		}
	}
	return nil
}

func definitionNamed(name string) *definition {
	for _, d := range definitions() {
		if d.name == name {
			return &d
		}
	}
	return nil
}

// unreadable says that a variable was set to something that cannot be read and
// that no option has replaced; empty otherwise.
func (c *Config) unreadable(d *definition) string {
	if o, changed := c.originOf(d); o.unreadable && !changed {
		return fmt.Sprintf("%s cannot be read; it takes %s", o.from, d.accepts)
	}
	return ""
}

// LimitsOff says which of the limits that a judge may be under cannot be read;
// empty when all can. It is for a judge that the application made itself: the
// others are covered by [Config.JudgeOff].
func (c *Config) LimitsOff(name string) string {
	own := slices.DeleteFunc(c.ownDefinitions(name), func(d definition) bool {
		behind := c.behind(&d)
		return behind == nil || strings.HasPrefix(behind.name, Prefix+"JUDGE_")
	})
	if len(own) > 0 {
		return c.firstUnreadable(own)
	}
	for _, short := range []string{"RATE_LIMIT", "TOKEN_LIMIT", "BUDGET"} {
		if why := c.unreadable(definitionNamed(Prefix + short)); why != "" {
			return why
		}
	}
	return ""
}

// RateLimitUnreadable reports whether RATE_LIMIT is set to something that
// cannot be read, and no option has replaced it. Nobody that it could have been
// meant for may run: unlimited is never a fallback.
func (c *Config) RateLimitUnreadable() bool {
	return c.unreadable(definitionNamed(rateLimitName)) != ""
}

// Key returns the key to send, empty for none: the judge's own, or else
// OpenAI's where that is safe. A key that belongs to OpenAI is sent to OpenAI
// (BaseURL empty, or a host of openai.com by https) and to servers on this
// machine, and to nobody else: withheld then names who does not get it.
func (j *Judge) Key() (key, withheld string) {
	if j.APIKey != "" || j.OpenAIAPIKey == "" || j.BaseURL == "" {
		if j.APIKey != "" {
			return j.APIKey, ""
		}
		return j.OpenAIAPIKey, ""
	}
	u, err := url.Parse(j.BaseURL)
	if err != nil {
		return "", "an unreadable address"
	}
	host := strings.ToLower(u.Hostname())
	ip := net.ParseIP(host)
	switch {
	case u.Scheme == "https" && (host == "openai.com" || strings.HasSuffix(host, ".openai.com")),
		host == "localhost", ip != nil && ip.IsLoopback():
		return j.OpenAIAPIKey, ""
	}
	return "", host
}

// openAIOrigin is where a judge is that has no address.
const openAIOrigin = "https://api.openai.com"

// sameOrigin reports whether two addresses have scheme, host and port in
// common. One that is empty is OpenAI's.
func sameOrigin(a, b string) bool {
	one, ok := originOfURL(a)
	other, ok2 := originOfURL(b)
	return ok && ok2 && one == other
}

func originOfURL(address string) (string, bool) {
	u, err := url.Parse(cmp.Or(address, openAIOrigin))
	if err != nil || u.Hostname() == "" {
		return "", false
	}
	scheme := strings.ToLower(u.Scheme)
	port := u.Port()
	switch {
	case port != "":
	case scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port), true
}
