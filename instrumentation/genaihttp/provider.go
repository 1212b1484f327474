package genaihttp

import (
	"net/url"
	"strconv"
	"strings"
)

// providers maps hosts to gen_ai.provider.name: the conventions' names where
// there is one (v1.41), else the provider's own. A leading dot matches
// subdomains.
var providers = []struct{ host, name string }{
	{"api.openai.com", "openai"},
	{".api.openai.com", "openai"}, // regional: eu.api.openai.com
	{".openai.azure.com", "azure.ai.openai"},
	{".cognitiveservices.azure.com", "azure.ai.openai"},
	{".services.ai.azure.com", "azure.ai.inference"},
	{".models.ai.azure.com", "azure.ai.inference"},
	{"generativelanguage.googleapis.com", "gcp.gemini"},
	{"aiplatform.googleapis.com", "gcp.vertex_ai"},
	{"-aiplatform.googleapis.com", "gcp.vertex_ai"}, // us-central1-aiplatform…
	{"api.anthropic.com", "anthropic"},
	{"api.cohere.com", "cohere"},
	{"api.cohere.ai", "cohere"},
	{"api.deepseek.com", "deepseek"},
	{"api.groq.com", "groq"},
	{"api.mistral.ai", "mistral_ai"},
	{"api.moonshot.ai", "moonshot_ai"},
	{"api.perplexity.ai", "perplexity"},
	{"api.x.ai", "x_ai"},
	{".api.x.ai", "x_ai"},
	{"openrouter.ai", "openrouter"},
}

// providerOf returns the provider behind a host, or "" for one that is not
// known.
func providerOf(host string) string {
	for _, p := range providers {
		if host == p.host || p.host[0] < 'a' && strings.HasSuffix(host, p.host) {
			return p.name
		}
	}
	if strings.HasPrefix(host, "bedrock-runtime.") && strings.HasSuffix(host, ".amazonaws.com") {
		return "aws.bedrock"
	}
	return ""
}

// targetOf says where a request to u goes. provider, when set, wins over what
// the host says.
func targetOf(u *url.URL, provider string) target {
	t := target{
		provider: provider,
		address:  strings.TrimSuffix(strings.ToLower(u.Hostname()), "."),
		path:     u.Path,
	}
	if t.provider == "" {
		t.provider = providerOf(t.address)
	}
	switch p := u.Port(); {
	case p != "":
		t.port, _ = strconv.Atoi(p)
	case u.Scheme == "https":
		t.port = 443
	case u.Scheme == "http":
		t.port = 80
	}
	return t
}
