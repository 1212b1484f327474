package anthropic

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

const (
	// DefaultBaseURL is Anthropic's own.
	DefaultBaseURL = "https://api.anthropic.com"
	// DefaultVersion is the anthropic-version that is sent by default, that of
	// Anthropic's own SDK for Go since its version 2.
	DefaultVersion = "2026-10-21"
	// DefaultMaxConnections is how many idle connections are kept by default.
	DefaultMaxConnections = wire.DefaultMaxConnections
	// DefaultProvider is the default gen_ai.provider.name.
	DefaultProvider = "anthropic"
)

// Config says where and as whom to ask. Only Model is required; without a
// BaseURL so is APIKey or OAuth. Printing a Config leaves its credentials out.
type Config struct {
	// BaseURL is what comes before /v1/messages, with or without the /v1; a URL
	// that already ends in /v1/messages is taken as it is, and a query is kept.
	// The default is DefaultBaseURL.
	BaseURL string
	// APIKey is sent as x-api-key.
	APIKey string `json:"-"`
	// AuthHeader is a header that takes the key, or the token, instead:
	// Authorization takes it with "Bearer" before it, any other as it is.
	AuthHeader string
	// OAuth fetches tokens, which are sent in Authorization in place of APIKey.
	// One of the two can be set.
	OAuth *judge.ClientCredentials
	// Version is the anthropic-version. The default is DefaultVersion; a gateway
	// may know an older one only.
	Version string
	// Headers are sent with every request, over any of the client's own but that
	// of a token.
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
	return fmt.Sprintf("anthropic.Config{BaseURL: %q, Model: %q}", wire.Address(c.BaseURL), c.Model)
}

// GoString leaves the credentials out.
func (c Config) GoString() string { return c.String() }

// LogValue leaves the credentials out.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// New returns a client. The error says which field is missing or unusable; it
// never holds a credential. Nothing is sent.
func New(cfg Config) (*Client, error) {
	version := cfg.Version
	if version == "" {
		version = DefaultVersion
	}
	conn, err := wire.New(wire.Settings{
		Package:         "anthropic",
		BaseURL:         cfg.BaseURL,
		DefaultBaseURL:  DefaultBaseURL,
		Prefix:          "/v1",
		Path:            "/messages",
		APIKey:          cfg.APIKey,
		KeyHeader:       "x-api-key",
		AuthHeader:      cfg.AuthHeader,
		OAuth:           cfg.OAuth,
		Own:             map[string]string{"anthropic-version": version},
		Headers:         cfg.Headers,
		Model:           cfg.Model,
		Provider:        cfg.Provider,
		DefaultProvider: DefaultProvider,
		MaxConnections:  cfg.MaxConnections,
		HTTPClient:      cfg.HTTPClient,
	})
	if err != nil {
		return nil, err
	}
	return &Client{conn: conn}, nil
}
