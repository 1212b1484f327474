package judge

import (
	"fmt"
	"log/slog"
)

// ClientCredentials say how a client gets the token that it sends in place of a
// fixed key: by the client credentials grant of OAuth 2.0 (RFC 6749, 4.4). The
// clients of packages openai and anthropic take one. Printing it leaves the
// secret and the parameters out.
//
// The first call fetches a token. It is kept until shortly before it expires,
// one fetch serves all calls that wait, and a judge that refuses a token is
// asked once more with a new one. A fetch that fails is judge_auth,
// judge_timeout or judge_unavailable. It is no send: no limit counts it.
type ClientCredentials struct {
	// TokenURL is the token endpoint. Required, as ClientID and ClientSecret are.
	TokenURL string
	ClientID string
	// ClientSecret is sent to the token endpoint and nowhere else.
	ClientSecret string `json:"-"`
	// Scopes are asked for; none asks for what the server gives by default.
	Scopes []string
	// AuthMethod is how id and secret are sent. Empty is AuthInHeader.
	AuthMethod AuthMethod
	// Params are further parameters of the token request, such as audience or
	// resource. They can hold secrets.
	Params map[string]string `json:"-"`
}

// AuthMethod is how a client tells a token endpoint who it is.
type AuthMethod string

// The methods: HTTP Basic, which every server has to know, or the parameters
// client_id and client_secret.
const (
	AuthInHeader AuthMethod = "header"
	AuthInBody   AuthMethod = "body"
)

// String names the endpoint and the client and leaves the secrets out.
func (c ClientCredentials) String() string {
	return fmt.Sprintf("judge.ClientCredentials{TokenURL: %q, ClientID: %q, Scopes: %q}", c.TokenURL, c.ClientID, c.Scopes)
}

// GoString leaves the secrets out.
func (c ClientCredentials) GoString() string { return c.String() }

// LogValue leaves the secrets out.
func (c ClientCredentials) LogValue() slog.Value { return slog.StringValue(c.String()) }
