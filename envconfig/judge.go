package envconfig

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// JudgeOff says why the judge must not run, naming the variable; empty when it
// may. That is so when a variable cannot be read and its default would be
// worse than no judge (a limit, the address, what the server speaks), as long
// as no option has replaced it; and when a limit is set that this version does
// not keep. Unlimited is never a fallback, and neither is another server.
func (c *Config) JudgeOff() string {
	for _, d := range definitions() {
		o, changed := c.originOf(&d)
		if o.unreadable && !changed {
			return fmt.Sprintf("%s cannot be read; it takes %s", o.from, d.accepts)
		}
	}
	if len(c.UnkeptLimits) > 0 {
		return fmt.Sprintf("this version does not keep the limit in %s", strings.Join(c.UnkeptLimits, ", "))
	}
	return ""
}

// RateLimitUnreadable reports whether RATE_LIMIT is set to something that
// cannot be read, and no option has replaced it. Nobody that it could have been
// meant for may run: unlimited is never a fallback.
func (c *Config) RateLimitUnreadable() bool {
	for _, d := range definitions() {
		if o, changed := c.originOf(&d); d.name == Prefix+"RATE_LIMIT" {
			return o.unreadable && !changed
		}
	}
	return false
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
