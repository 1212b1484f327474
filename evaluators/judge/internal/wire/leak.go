package wire

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// A judge is sent a key and evaluated text, and can say anything back: in its
// answer, in the codes of an error, in a status line or a header that net/http
// quotes when it cannot read it. What leaves this package goes through here.

// credentials are the values that a client sends to say who it is.
type credentials []string

// minCredential is the least length of what is looked for: shorter values
// would be found in ordinary words.
const minCredential = 8

// publicHeaders say who asks without proving it, or nothing of the kind; their
// values can be words that answers have.
var publicHeaders = map[string]bool{
	"Content-Type": true, "Accept": true, "User-Agent": true, "Anthropic-Version": true, "Anthropic-Beta": true,
	"Http-Referer": true, "Referer": true, "X-Title": true, "Openai-Organization": true, "Openai-Project": true,
}

// schemes come before a credential in a header.
var schemes = map[string]bool{"bearer": true, "basic": true, "token": true, "apikey": true, "key": true}

// secretParams are the names of credentials in the query of an address.
var secretParams = map[string]bool{
	"key": true, "apikey": true, "api_key": true, "api-key": true, "subscription-key": true, "code": true,
	"token": true, "access_token": true, "sig": true, "signature": true,
}

// credentialsOf are those of a header, with and without a scheme such as
// Bearer before them, and of an address.
func credentialsOf(h http.Header, u *url.URL) credentials {
	var found []string
	for name, values := range h {
		if publicHeaders[name] {
			continue
		}
		for _, value := range values {
			found = append(found, value)
			if scheme, token, ok := strings.Cut(value, " "); ok && schemes[strings.ToLower(scheme)] {
				found = append(found, token)
			}
		}
	}
	for name, values := range u.Query() {
		if secretParams[strings.ToLower(name)] {
			found = append(found, values...)
		}
	}
	return credentials(nil).with(found...)
}

// with are these and others.
func (c credentials) with(others ...string) credentials {
	c = slices.Clone(c)
	for _, secret := range others {
		if len(secret) >= minCredential {
			c = append(c, secret)
		}
	}
	return c.sorted()
}

// sorted puts the longest first, so that no part of one is left over.
func (c credentials) sorted() credentials {
	slices.SortFunc(c, func(a, b string) int { return len(b) - len(a) })
	return c
}

// without returns s with every credential replaced.
func (c credentials) without(s string) string {
	for _, secret := range c {
		s = strings.ReplaceAll(s, secret, "[credential]")
	}
	return s
}

// clean takes credentials out of an answer.
func (c credentials) clean(r *judge.Response) {
	r.Text, r.Refusal = c.without(r.Text), c.without(r.Refusal)
	r.ID, r.Model = c.without(r.ID), c.without(r.Model)
	c.cleanHeader(r.Header)
}

// cleanError takes credentials out of an error. A code that has one is none.
func (c credentials) cleanError(e *judge.Error) {
	if e.Code != c.without(e.Code) {
		e.Code = ""
	}
	for _, secret := range c {
		if bytes.Contains(e.Body, []byte(secret)) {
			e.Body = bytes.ReplaceAll(e.Body, []byte(secret), []byte("[credential]"))
		}
	}
	c.cleanHeader(e.Header)
}

func (c credentials) cleanHeader(h http.Header) {
	for _, values := range h {
		for i, v := range values {
			values[i] = c.without(v)
		}
	}
}

// Address is an address to be printed: what can be a credential is left out.
func Address(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// maxCodeDigits in a code: model names have a few, keys have more.
const maxCodeDigits = 4

// shortName returns s if it looks like the name of an error, else nothing:
// what goes into an error's text must be neither prose nor a key.
func shortName(s string) string {
	digits := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	if digits > maxCodeDigits || !shortNamePattern.MatchString(s) {
		return ""
	}
	return s
}

var shortNamePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.\-]{0,63}$`)
