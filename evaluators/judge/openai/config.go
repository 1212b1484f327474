package openai

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge"
)

const (
	// DefaultBaseURL is OpenAI's own.
	DefaultBaseURL = "https://api.openai.com/v1"
	// DefaultMaxConnections is how many idle connections are kept by default.
	DefaultMaxConnections = 64
	// DefaultProvider is the default gen_ai.provider.name.
	DefaultProvider = "openai"
)

// Config says where and as whom to ask. Only Model is required; without a
// BaseURL so is APIKey. Printing a Config leaves its credentials out.
type Config struct {
	// BaseURL is what comes before /chat/completions; a URL that already ends
	// so is taken as it is, and a query, such as Azure's api-version, is kept.
	// The default is DefaultBaseURL.
	BaseURL string
	// APIKey is sent as "Authorization: Bearer …". Servers without keys need
	// none.
	APIKey string `json:"-"`
	// AuthHeader is a header that takes the key as it is, instead of
	// Authorization: api-key for Azure.
	AuthHeader string
	// Headers are sent with every request, over any of the client's own.
	Headers map[string]string `json:"-"`
	// Model is asked unless a request names another.
	Model string
	// Provider is gen_ai.provider.name on the calls' spans. The default is
	// DefaultProvider.
	Provider string
	// MaxConnections is how many idle connections are kept for reuse: as many
	// as calls run at once, or each burst opens new ones. It limits nothing; the
	// gate does. The default is DefaultMaxConnections. It has no effect on
	// HTTPClient.
	MaxConnections int
	// HTTPClient replaces the client's own, which takes proxies from the usual
	// environment variables. It is copied, and redirects are not followed either
	// way: they would carry the key to wherever they lead.
	HTTPClient *http.Client `json:"-"`
}

// String leaves the credentials out.
func (c Config) String() string {
	return fmt.Sprintf("openai.Config{BaseURL: %q, Model: %q}", c.BaseURL, c.Model)
}

// GoString leaves the credentials out.
func (c Config) GoString() string { return c.String() }

// LogValue leaves the credentials out.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// New returns a client. The error says which field is missing or unusable; it
// never holds a credential. Nothing is sent.
func New(cfg Config) (*Client, error) {
	if cfg.Model == "" {
		return nil, errors.New("openai: Config.Model is empty")
	}
	if cfg.MaxConnections < 0 {
		return nil, fmt.Errorf("openai: Config.MaxConnections is %d", cfg.MaxConnections)
	}
	header, err := cfg.header()
	if err != nil {
		return nil, err
	}
	if cfg.BaseURL == "" && cfg.APIKey == "" && header.Get("Authorization") == "" {
		return nil, errors.New("openai: Config.APIKey is empty, and so is Config.BaseURL: OpenAI's own server needs a key")
	}
	target, err := cfg.target()
	if err != nil {
		return nil, err
	}
	c := &Client{url: target.String(), header: header, endpoint: cfg.endpoint(target), secrets: credentialsOf(header)}
	if cfg.HTTPClient != nil {
		custom := *cfg.HTTPClient
		custom.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		c.custom = &custom
	} else {
		c.transport = cfg.transport()
	}
	return c, nil
}

// target is the URL of chat completions.
func (c Config) target() (*url.URL, error) {
	base := c.BaseURL
	if base == "" {
		base = DefaultBaseURL
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return nil, errors.New("openai: Config.BaseURL is not a URL") // the error quotes it
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("openai: Config.BaseURL must begin with https:// or http://")
	case u.Hostname() == "":
		return nil, errors.New("openai: Config.BaseURL has no host")
	case u.User != nil:
		return nil, errors.New("openai: Config.BaseURL has credentials in it: use APIKey or Headers")
	}
	u.Fragment = ""
	const path = "/chat/completions"
	if !strings.HasSuffix(strings.TrimRight(u.Path, "/"), path) {
		u = u.JoinPath(path)
	}
	return u, nil
}

// header is what every request carries.
func (c Config) header() (http.Header, error) {
	h := http.Header{
		"Content-Type": {"application/json"},
		"Accept":       {"application/json"},
		"User-Agent":   {"genaievals"},
	}
	if c.APIKey != "" {
		name, value := "Authorization", "Bearer "+c.APIKey
		if c.AuthHeader != "" && !strings.EqualFold(c.AuthHeader, name) {
			name, value = c.AuthHeader, c.APIKey
		}
		if !validHeader(name, value) {
			return nil, errors.New("openai: Config.APIKey or AuthHeader has a character that no header may have")
		}
		h.Set(name, value)
	}
	for name, value := range maps.All(c.Headers) {
		if !validHeader(name, value) {
			return nil, fmt.Errorf("openai: Config.Headers has an entry %q that no header may be", name)
		}
		h.Set(name, value)
	}
	return h, nil
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

// connectionBuffer is the size of the two buffers that each connection has.
// Bodies are read and written past them; with the default of 4 KiB they are
// most of what a waiting call holds.
const connectionBuffer = 512

func (c Config) transport() *http.Transport {
	idle := c.MaxConnections
	if idle == 0 {
		idle = DefaultMaxConnections
	}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          idle,
		MaxIdleConnsPerHost:   idle,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true, // answers are short
		// A few kB are usual; net/http would read 10 MB.
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         connectionBuffer,
		WriteBufferSize:        connectionBuffer,
	}
}

func (c Config) endpoint(target *url.URL) judge.Endpoint {
	e := judge.Endpoint{Provider: c.Provider, Model: c.Model, Address: target.Hostname()}
	if e.Provider == "" {
		e.Provider = DefaultProvider
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
