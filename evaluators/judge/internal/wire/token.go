package wire

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

const (
	// tokenTimeout is how long a token endpoint may take.
	tokenTimeout = 15 * time.Second
	// A token is not used in the last part of its life, a fifth of it and at most
	// tokenMargin, so that it does not expire under way.
	tokenMargin = time.Minute
	tokenShare  = 5
	// tokensKnown is how many tokens are looked for in what a judge says.
	tokensKnown = 8
)

// tokens fetches tokens and keeps the last one. A fetch has a goroutine, which
// those who wait for it own together: the last to give up calls it off.
type tokens struct {
	config    clientcredentials.Config // not changed
	client    *http.Client
	newHeader func(token string) http.Header

	mu       sync.Mutex
	current  *token
	fetching *fetch
	doubted  bool // the last token was refused
	sent     []string
}

// token is one access token and the header that has it.
type token struct {
	header   http.Header // not changed
	until    time.Time   // zero where nobody said
	accepted atomic.Bool
	// instead of one that was refused: if it is refused as well, a third would
	// be no better.
	instead bool
}

// fetch is a request for a token.
type fetch struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	token   *token
	failure *judge.Error
}

func newTokens(c judge.ClientCredentials, client *http.Client, newHeader func(string) http.Header) (*tokens, error) {
	if _, err := parseURL("Config.OAuth.TokenURL", c.TokenURL); err != nil {
		return nil, err
	}
	if c.ClientID == "" || c.ClientSecret == "" {
		return nil, errors.New("Config.OAuth needs a ClientID and a ClientSecret")
	}
	cfg := clientcredentials.Config{
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: c.TokenURL,
		Scopes: slices.Clone(c.Scopes), EndpointParams: url.Values{},
	}
	switch c.AuthMethod {
	case "", judge.AuthInHeader:
		cfg.AuthStyle = oauth2.AuthStyleInHeader
	case judge.AuthInBody:
		cfg.AuthStyle = oauth2.AuthStyleInParams
	default:
		return nil, fmt.Errorf("Config.OAuth.AuthMethod is %q: it is header or body", c.AuthMethod)
	}
	for name, value := range maps.All(c.Params) {
		switch name {
		case "grant_type", "scope", "client_id", "client_secret":
			return nil, fmt.Errorf("Config.OAuth.Params has %s, which the other fields say", name)
		}
		cfg.EndpointParams.Set(name, value)
	}
	return &tokens{config: cfg, client: client, newHeader: newHeader}, nil
}

// get returns the token, and waits for one if there is none.
func (t *tokens) get(ctx context.Context) (*token, *judge.Error) {
	t.mu.Lock()
	if t.current != nil && (t.current.until.IsZero() || time.Now().Before(t.current.until)) {
		defer t.mu.Unlock()
		return t.current, nil
	}
	if ctx.Err() != nil {
		t.mu.Unlock()
		return nil, connectionError(ctx, ctx.Err())
	}
	f := t.fetching
	if f == nil {
		f = t.begin(ctx)
	}
	f.waiting++
	t.mu.Unlock()
	select {
	case <-f.done:
		return f.token, f.failure
	case <-ctx.Done():
		t.leave(f)
		return nil, connectionError(ctx, ctx.Err())
	}
}

// begin starts a fetch, below the suppression that ctx has. The caller holds
// the lock.
func (t *tokens) begin(ctx context.Context) *fetch {
	f := &fetch{done: make(chan struct{})}
	ctx, f.cancel = context.WithTimeout(context.WithoutCancel(ctx), tokenTimeout)
	t.fetching = f
	go func() {
		defer close(f.done)
		defer f.cancel()
		t.end(f, t.request(ctx))
	}()
	return f
}

// leave is called by who waits no more.
func (t *tokens) leave(f *fetch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel()
		if t.fetching == f {
			t.fetching = nil // who comes now needs another
		}
	}
}

// issued is what a token endpoint gave.
type issued struct {
	token   *oauth2.Token
	took    time.Time // when it was asked for
	failure *judge.Error
}

func (t *tokens) end(f *fetch, got issued) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fetching == f {
		t.fetching = nil
	}
	if f.failure = got.failure; f.failure != nil {
		return
	}
	f.token = &token{header: t.newHeader(got.token.AccessToken), instead: t.doubted}
	if at := got.token.Expiry; !at.IsZero() {
		f.token.until = at.Add(-min(tokenMargin, at.Sub(got.took)/tokenShare))
	}
	t.current = f.token
	if t.sent = append(t.sent, got.token.AccessToken); len(t.sent) > tokensKnown {
		t.sent = slices.Clone(t.sent[1:])
	}
}

// refused lets go of a token that the judge did not take, and reports whether
// another may be better.
func (t *tokens) refused(was *token) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == was {
		t.current, t.doubted = nil, true
	}
	return !was.instead || was.accepted.Load()
}

// took notes that the judge took a token.
func (t *tokens) took(was *token) {
	if was.accepted.Swap(true) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current == was {
		t.doubted = false
	}
}

// known are the tokens that a judge was sent lately.
func (t *tokens) known() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sent)
}

// request asks the token endpoint once.
func (t *tokens) request(ctx context.Context) issued {
	got := issued{took: time.Now()}
	// A copy: the package keeps state in its Config.
	cfg := clientcredentials.Config{
		ClientID: t.config.ClientID, ClientSecret: t.config.ClientSecret, TokenURL: t.config.TokenURL,
		Scopes: t.config.Scopes, EndpointParams: t.config.EndpointParams, AuthStyle: t.config.AuthStyle,
	}
	var err error
	got.token, err = cfg.Token(context.WithValue(ctx, oauth2.HTTPClient, t.client))
	switch {
	case err != nil:
		got.failure = tokenError(ctx, err)
	case !validHeader(Authorization, got.token.AccessToken):
		got.failure = &judge.Error{Type: evaluators.ErrorJudgeAuth, Err: errors.New("token endpoint: a token that no header can have")}
	}
	return got
}

// tokenError says why there is no token, with nothing of what the endpoint
// said but the error codes of RFC 6749, 5.2. Its status is not the judge's and
// is in the text only.
func tokenError(ctx context.Context, err error) *judge.Error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil {
		status := refused.Response.StatusCode
		e := &judge.Error{Type: evaluators.ErrorJudgeAuth, Err: fmt.Errorf("token endpoint: status %d", status)}
		switch status {
		case http.StatusRequestTimeout, http.StatusGatewayTimeout:
			e.Type = evaluators.ErrorJudgeTimeout
		case http.StatusTooManyRequests:
			e.Type = evaluators.ErrorJudgeUnavailable
		default:
			if status >= 500 {
				e.Type = evaluators.ErrorJudgeUnavailable
			}
		}
		switch refused.ErrorCode {
		case "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope":
			e.Code = refused.ErrorCode
		}
		return e
	}
	var sending *url.Error
	cut := strings.HasPrefix(err.Error(), "oauth2: cannot fetch token") // which wraps nothing
	if cut || errors.As(err, &sending) || ctx.Err() != nil {
		e := connectionError(ctx, err)
		e.Err = fmt.Errorf("token endpoint: %w", e.Err)
		return e
	}
	return &judge.Error{Type: evaluators.ErrorJudgeAuth, Err: errors.New("token endpoint: a reply without a token")}
}
