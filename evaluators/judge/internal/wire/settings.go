package wire

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// Settings are what the configurations of all clients come to.
type Settings struct {
	// Package begins the text of errors.
	Package string
	// BaseURL is what comes before Prefix and Path, either of which it can have
	// already; DefaultBaseURL when empty.
	BaseURL, DefaultBaseURL, Prefix, Path string
	// APIKey goes into KeyHeader, unless AuthHeader names another.
	APIKey, KeyHeader, AuthHeader string
	OAuth                         *judge.ClientCredentials
	// Own are headers of the format, Headers those of the user.
	Own, Headers              map[string]string
	Model                     string
	Provider, DefaultProvider string
	MaxConnections            int
	HTTPClient                *http.Client
}

// New returns a connection. The error names the field of the client's Config
// and never quotes a credential. Nothing is sent.
func New(s Settings) (*Conn, error) {
	c, err := s.conn()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Package, err)
	}
	return c, nil
}

func (s *Settings) conn() (*Conn, error) {
	if s.Model == "" {
		return nil, errors.New("Config.Model is empty")
	}
	if s.MaxConnections < 0 {
		return nil, fmt.Errorf("Config.MaxConnections is %d", s.MaxConnections)
	}
	if s.APIKey != "" && s.OAuth != nil {
		return nil, errors.New("Config.APIKey and Config.OAuth are both set: one of them is sent")
	}
	header, err := s.header()
	if err != nil {
		return nil, err
	}
	if s.BaseURL == "" && s.OAuth == nil && header.Get(Authorization) == "" && header.Get(s.keyHeader()) == "" {
		return nil, errors.New("Config.APIKey is empty, and so is Config.BaseURL: the provider's own server needs a key")
	}
	target, err := s.target()
	if err != nil {
		return nil, err
	}
	c := &Conn{url: target.String(), header: header, endpoint: s.endpoint(target), secrets: credentialsOf(header, target)}
	if s.HTTPClient != nil {
		custom := *s.HTTPClient
		custom.CheckRedirect = notFollowed
		c.custom = &custom
	} else {
		c.transport = newTransport(s.MaxConnections)
	}
	if s.OAuth != nil {
		if c.tokens, err = newTokens(*s.OAuth, c.tokenClient(), s.withToken(header)); err != nil {
			return nil, err
		}
		c.secrets = c.secrets.with(s.OAuth.ClientSecret)
	}
	return c, nil
}

// target is the URL that requests go to.
func (s *Settings) target() (*url.URL, error) {
	base := s.BaseURL
	if base == "" {
		base = s.DefaultBaseURL
	}
	u, err := parseURL("Config.BaseURL", base)
	if err != nil {
		return nil, err
	}
	switch path := strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(path, s.Prefix+s.Path):
	case strings.HasSuffix(path, s.Prefix):
		u = u.JoinPath(s.Path)
	default:
		u = u.JoinPath(s.Prefix, s.Path)
	}
	return u, nil
}

// parseURL reads the address of a server. Its errors do not quote it.
func parseURL(field, address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New(field + " is not a URL") // the error quotes it
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New(field + " must begin with https:// or http://")
	case u.Hostname() == "":
		return nil, errors.New(field + " has no host")
	case u.User != nil:
		return nil, errors.New(field + " has credentials in it: there are other fields for them, APIKey or Headers")
	}
	u.Fragment = ""
	return u, nil
}

func (s *Settings) endpoint(target *url.URL) judge.Endpoint {
	e := judge.Endpoint{Provider: s.Provider, Model: s.Model, Address: target.Hostname()}
	if e.Provider == "" {
		e.Provider = s.DefaultProvider
	}
	switch port := target.Port(); {
	case port != "":
		e.Port, _ = strconv.Atoi(port)
	case target.Scheme == "https":
		e.Port = 443
	default:
		e.Port = 80
	}
	return e
}
