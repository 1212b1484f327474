package envconfig

import (
	"fmt"
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
	case "PROVIDER":
		if d.judge != "" {
			return definitionNamed(first + short)
		}
	case "BASE_URL":
		if d.judge != "" && fallsBackOnAddress(c.named[d.judge], &c.Judge) {
			return definitionNamed(first + short)
		}
	}
	return nil
}

// fallsBackOnAddress reports whether a further judge that has no address of its
// own is asked at the first one's.
func fallsBackOnAddress(own, first *Judge) bool {
	return own.Provider == "" || own.sameProvider(first)
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
