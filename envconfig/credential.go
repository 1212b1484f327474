package envconfig

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Values of [Judge.OAuthAuthMethod].
const (
	AuthBasic = "basic" // client id and secret in the Authorization header
	AuthPost  = "post"  // in the form
)

// Key returns the key to send, empty for none: the judge's own, or else that of
// its provider's variable where that is safe. A provider's key is sent to the
// provider (see [Provider.KeyHosts], by https) and to servers on this machine,
// and to nobody else: withheld then names who does not get it. A judge that
// signs in by OAuth has no key.
func (j *Judge) Key() (key, withheld string) {
	provider := j.ProviderOf()
	switch {
	case j.OAuthTokenURL != "":
		return "", ""
	case j.APIKey != "":
		return j.APIKey, ""
	case provider.key == nil:
		return "", ""
	}
	key = provider.key(j)
	if key == "" {
		return "", ""
	}
	if j.Address() == "" {
		return "", "an address that is not set"
	}
	u, err := url.Parse(j.Address())
	if err != nil {
		return "", "an unreadable address"
	}
	host := strings.ToLower(u.Hostname())
	if isLoopback(host) || u.Scheme == "https" && provider.owns(host) {
		return key, ""
	}
	return "", host
}

// usesOAuth reports whether any part of an OAuth client is set.
func (j *Judge) usesOAuth() bool {
	return j.OAuthTokenURL != "" || j.OAuthClientID != "" || j.OAuthClientSecret != ""
}

// KeyHeader is the header that takes the key or the token as it is; empty is
// the format's own. A provider's header is for its keys: tokens go where
// RFC 6750 says unless AuthHeader says otherwise.
func (j *Judge) KeyHeader() string {
	if j.AuthHeader == "" && j.OAuthTokenURL == "" {
		return j.ProviderOf().AuthHeader
	}
	return j.AuthHeader
}

// owns reports whether the provider's key may go to a host, in lower case.
func (p *Provider) owns(host string) bool {
	for _, own := range p.KeyHosts {
		if host == own || strings.HasSuffix(host, "."+own) {
			return true
		}
	}
	return false
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// JudgeLacks says what keeps a judge from being asked, naming the variable:
// a model, an address, a key or a part of the OAuth client; empty when nothing
// is missing. A judge with a client of the application's own needs none of
// these.
func (c *Config) JudgeLacks(name string) string {
	j := c.JudgeNamed(name)
	variable := func(suffix string) string {
		if plainName(name) == JudgeName {
			return Prefix + "JUDGE_" + suffix
		}
		return JudgePrefix(name) + suffix
	}
	missing := func(suffix string) string { return variable(suffix) + " is not set" }
	provider := j.ProviderOf()
	switch {
	case j.Model == "":
		return missing("MODEL")
	case j.Address() == "":
		return missing("BASE_URL") + ", and the provider " + provider.Name + " has no address of its own"
	case j.usesOAuth() && j.OAuthTokenURL == "":
		return missing("OAUTH_TOKEN_URL") + ", and the OAuth client is"
	case j.usesOAuth() && j.OAuthClientID == "":
		return missing("OAUTH_CLIENT_ID") + ", and OAUTH_TOKEN_URL is"
	case j.usesOAuth() && j.OAuthClientSecret == "":
		return missing("OAUTH_CLIENT_SECRET") + ", and OAUTH_TOKEN_URL is"
	case j.usesOAuth() || j.sendsCredential() || !j.needsKey():
		return ""
	}
	switch key, _ := j.Key(); {
	case key != "":
		return ""
	case provider.KeyVariable != "":
		return "neither " + variable("API_KEY") + " nor " + provider.KeyVariable + " is set"
	}
	return missing("API_KEY")
}

// needsKey reports whether the judge is at an address that takes nobody without
// a key: its provider's own.
func (j *Judge) needsKey() bool {
	host, provider := hostOf(j.Address()), j.ProviderOf()
	return j.BaseURL == "" && !isLoopback(host) || provider.owns(host)
}

// sendsCredential reports whether one of the further headers is one that keys
// are sent in.
func (j *Judge) sendsCredential() bool {
	for name := range j.Headers {
		for _, known := range []string{"Authorization", "x-api-key", "api-key", j.AuthHeader} {
			if strings.EqualFold(name, known) {
				return true
			}
		}
	}
	return false
}

// hostOf is the host of an address in lower case; empty if it cannot be read.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// decodeTokenURL reads the address of a token endpoint, which is sent a secret:
// by https, or on this machine. As with decodeURL a failure has no detail.
func decodeTokenURL(text string) (any, error) {
	v, err := decodeURL(text)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(strings.ToLower(text), "https:") && !isLoopback(hostOf(text)) {
		return nil, strconv.ErrSyntax
	}
	return v, nil
}

// decodeAuthMethod reads what RFC 6749, 2.3.1 calls client_secret_basic and
// client_secret_post; header and body say the same.
func decodeAuthMethod(text string) (any, error) {
	switch strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(text), "-", "_"), "client_secret_") {
	case AuthBasic, "header":
		return AuthBasic, nil
	case AuthPost, "body":
		return AuthPost, nil
	}
	return nil, strconv.ErrSyntax
}

// sameOrigin reports whether two judges are asked at one scheme, host and port.
func sameOrigin(a, b *Judge) bool {
	one, ok := originOfURL(a.Address())
	other, ok2 := originOfURL(b.Address())
	return ok && ok2 && one == other
}

func originOfURL(address string) (string, bool) {
	u, err := url.Parse(address)
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
