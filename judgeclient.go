package genaievals

import (
	"context"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// newJudgeClient makes the client that a judge's settings describe, or says why
// there is none. Nothing is sent.
func (s *settings) newJudgeClient(ctx context.Context, name string, j envconfig.Judge) (_ judge.Client, why string) {
	if why := s.env.JudgeLacks(name); why != "" {
		return nil, why
	}
	provider := j.ProviderOf()
	key, withheld := j.Key()
	switch {
	case withheld != "":
		s.logger.WarnContext(ctx, "genaievals: "+provider.KeyVariable+" is not sent to the judge's host, which is not its provider's; set the judge's own key",
			"variable", variable(name, "API_KEY"), "host", withheld)
	case j.APIKey != "" && j.OAuthTokenURL != "":
		s.logger.WarnContext(ctx, "genaievals: the judge's key is not sent: it has an OAuth client, which counts",
			"variable", variable(name, "API_KEY"))
	}
	client, err := dial(j, provider, key, s.callsAtOnce())
	if err != nil {
		return nil, "its settings cannot be used (" + variable(name, "*") + "): " + err.Error()
	}
	return client, ""
}

// dial makes a client for the provider's wire format. The connections are as
// many as there can be calls.
func dial(j envconfig.Judge, provider envconfig.Provider, key string, connections int) (judge.Client, error) {
	if provider.Format == envconfig.FormatAnthropic {
		return client(anthropic.New(anthropic.Config{
			BaseURL: j.Address(), APIKey: key, AuthHeader: j.KeyHeader(), OAuth: oauthClient(j), Headers: j.Headers,
			Model: j.Model, Provider: provider.TelemetryName, MaxConnections: connections,
		}))
	}
	return client(openai.New(openai.Config{
		BaseURL: j.Address(), APIKey: key, AuthHeader: j.KeyHeader(), OAuth: oauthClient(j), Headers: j.Headers,
		Model: j.Model, Provider: provider.TelemetryName, MaxConnections: connections,
	}))
}

// client keeps a nil pointer from becoming an interface that is not nil.
func client[C judge.Client](c C, err error) (judge.Client, error) {
	if err != nil {
		return nil, err
	}
	return c, nil
}

// oauthClient is nil where the judge has a key or nothing.
func oauthClient(j envconfig.Judge) *judge.ClientCredentials {
	if j.OAuthTokenURL == "" {
		return nil
	}
	c := &judge.ClientCredentials{
		TokenURL: j.OAuthTokenURL, ClientID: j.OAuthClientID, ClientSecret: j.OAuthClientSecret,
		Scopes: strings.Fields(j.OAuthScope), AuthMethod: judge.AuthInHeader,
	}
	if j.OAuthAuthMethod == envconfig.AuthPost {
		c.AuthMethod = judge.AuthInBody
	}
	return c
}
