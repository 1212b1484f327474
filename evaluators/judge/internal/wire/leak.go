package wire

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// publicHeaders say who asks without proving it, or nothing of the kind.
var publicHeaders = map[string]bool{
	"Content-Type": true, "Accept": true, "User-Agent": true, "Anthropic-Version": true, "Anthropic-Beta": true,
	"Http-Referer": true, "Referer": true, "X-Title": true, "Openai-Organization": true, "Openai-Project": true,
}

// secretHeaders are parts of the names of headers that prove who asks.
var secretHeaders = []string{"auth", "key", "token", "secret", "cookie", "credential", "password", "jwt", "signature"}

// secretHeader reports whether the value of a header is a credential: by the
// header's name, or because it looks like one. Headers also tag requests, with
// words that answers have: to take those out of answers would spoil them, so
// that a value of another header counts only if it is of 16 bytes or more, in one
// piece, with a digit and a letter in it.
func secretHeader(name, value string) bool {
	if publicHeaders[name] {
		return false
	}
	if containsAny(strings.ToLower(name), secretHeaders...) {
		return true
	}
	return len(value) >= 16 && !strings.ContainsAny(value, " \t") &&
		strings.ContainsAny(value, "0123456789") && strings.ContainsFunc(value, unicode.IsLetter)
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
		for _, value := range values {
			if !secretHeader(name, value) {
				continue
			}
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

// redacted is what is written in place of a credential.
const redacted = "[credential]"

// without returns s with every credential replaced, also where s is JSON that
// has it in escapes: they are resolved when the answer is read.
func (c credentials) without(s string) string {
	for _, secret := range c {
		s = strings.ReplaceAll(s, secret, redacted)
		if strings.Contains(s, `\`) {
			s = withoutEscaped(s, secret)
		}
	}
	return s
}

// withoutEscaped returns s with a secret replaced that has escapes in it.
func withoutEscaped(s, secret string) string {
	sought, _ := resolved(secret)
	text, where := resolved(s)
	var b strings.Builder
	kept := 0 // of s
	for from := 0; ; {
		i := strings.Index(text[from:], sought)
		if i < 0 || sought == "" {
			break
		}
		i += from
		from = i + len(sought)
		b.WriteString(s[kept:where[i].from])
		b.WriteString(redacted)
		kept = where[from-1].to
	}
	b.WriteString(s[kept:])
	return b.String()
}

// resolved is s without escapes, and the span in s of each of its bytes.
func resolved(s string) (text string, where []span) {
	b := make([]byte, 0, len(s))
	unescaped(s, func(r rune, from, to int) {
		before := len(b)
		b = utf8.AppendRune(b, r)
		for range len(b) - before {
			where = append(where, span{from, to})
		}
	})
	return string(b), where
}

// clean takes credentials out of an answer.
func (c credentials) clean(r *judge.Response) {
	r.Text, r.Refusal = c.without(r.Text), c.without(r.Refusal)
	r.ID, r.Model = c.without(r.ID), c.without(r.Model)
	c.cleanHeader(r.Header)
}

// cleanError takes credentials out of an error. A code that has one, or is most
// of one, is none.
func (c credentials) cleanError(e *judge.Error) {
	partOf := func(secret string) bool { return len(e.Code) >= minCredential && strings.Contains(secret, e.Code) }
	if e.Code != c.without(e.Code) || slices.ContainsFunc(c, partOf) {
		e.Code = ""
	}
	if body := string(e.Body); body != "" {
		e.Body = []byte(c.without(body))
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
