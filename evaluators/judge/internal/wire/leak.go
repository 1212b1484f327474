package wire

import (
	"bytes"
	"net/http"
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

// credentialsOf are those of a header, with and without a scheme such as
// Bearer before them.
func credentialsOf(h http.Header) (c credentials) {
	for name, values := range h {
		switch name {
		case "Content-Type", "Accept", "User-Agent", "Anthropic-Version":
			continue
		}
		for _, value := range values {
			if _, token, ok := strings.Cut(value, " "); ok && len(token) >= minCredential {
				c = append(c, token)
			}
			if len(value) >= minCredential {
				c = append(c, value)
			}
		}
	}
	return c.sorted()
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
