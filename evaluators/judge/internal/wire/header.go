package wire

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
)

// Authorization is the header that takes a key or a token with "Bearer" before
// it; any other takes it as it is.
const Authorization = "Authorization"

// header is what every request carries, but for a token.
func (s *Settings) header() (http.Header, error) {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json"},
		"User-Agent":   {"genaievals"},
	}
	for name, value := range maps.All(s.Own) {
		if !validHeader(name, value) {
			return nil, fmt.Errorf("the value of %s has a character that no header may have", name)
		}
		h.Set(name, value)
	}
	name := s.keyHeader()
	if !validHeader(name, credential(name, s.APIKey)) {
		return nil, errors.New("Config.APIKey or AuthHeader has a character that no header may have")
	}
	if s.APIKey != "" {
		h.Set(name, credential(name, s.APIKey))
	}
	for name, value := range maps.All(s.Headers) {
		if !validHeader(name, value) {
			return nil, fmt.Errorf("Config.Headers has an entry %q that no header may be", name)
		}
		h.Set(name, value)
	}
	return h, nil
}

// keyHeader is the header that says who asks.
func (s *Settings) keyHeader() string {
	switch {
	case s.AuthHeader != "":
		return http.CanonicalHeaderKey(s.AuthHeader)
	case s.OAuth != nil: // a bearer token by its nature
		return Authorization
	}
	return http.CanonicalHeaderKey(s.KeyHeader)
}

// withToken returns what makes a header with a token of the one without.
func (s *Settings) withToken(header http.Header) func(token string) http.Header {
	name := s.keyHeader()
	return func(token string) http.Header {
		h := header.Clone()
		h.Set(name, credential(name, token))
		return h
	}
}

// credential is the value of the header that has a key.
func credential(name, key string) string {
	if strings.EqualFold(name, Authorization) {
		return "Bearer " + key
	}
	return key
}

// validHeader reports whether a name is a token and a value has no control
// characters (RFC 9110, 5.1 and 5.5).
func validHeader(name, value string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		alphanumeric := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !alphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F })
}
