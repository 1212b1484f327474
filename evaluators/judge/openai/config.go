package openai

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/internal/wire"
)

const (
	// DefaultBaseURL is OpenAI's own.
	DefaultBaseURL = "https://api.openai.com/v1"
	// DefaultMaxConnections is how many idle connections are kept by default.
	DefaultMaxConnections = wire.DefaultMaxConnections
	// DefaultProvider is the default gen_ai.provider.name.
	DefaultProvider = "openai"
)

// Config says where and as whom to ask. Only Model is required; without a
// BaseURL so is APIKey or OAuth. Printing a Config leaves its credentials out.
type Config struct {
	// BaseURL is what comes before /chat/completions; a URL that already ends
	// so is taken as it is, and a query, such as Azure's api-version, is kept.
	// The default is DefaultBaseURL.
	BaseURL string
	// APIKey is sent as "Authorization: Bearer …". Servers without keys need
	// none.
	APIKey string `json:"-"`
	// AuthHeader is a header that takes the key, or the token, as it is, instead
	// of Authorization: api-key for Azure.
	AuthHeader string
	// OAuth fetches tokens, which are sent in place of APIKey. One of the two can
	// be set.
	OAuth *judge.ClientCredentials
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
	return fmt.Sprintf("openai.Config{BaseURL: %q, Model: %q}", wire.Address(c.BaseURL), c.Model)
}

// GoString leaves the credentials out.
func (c Config) GoString() string { return c.String() }

// LogValue leaves the credentials out.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// New returns a client. The error says which field is missing or unusable; it
// never holds a credential. Nothing is sent.
func New(cfg Config) (*Client, error) {
	conn, err := wire.New(wire.Settings{
		Package:         "openai",
		BaseURL:         cfg.BaseURL,
		DefaultBaseURL:  DefaultBaseURL,
		Path:            "/chat/completions",
		APIKey:          cfg.APIKey,
		KeyHeader:       wire.Authorization,
		AuthHeader:      cfg.AuthHeader,
		OAuth:           cfg.OAuth,
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
