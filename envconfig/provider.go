package envconfig

import (
	"cmp"
	"fmt"
	"strings"
)

// Format is how a judge's server is spoken to.
type Format string

// The formats.
const (
	FormatOpenAI    Format = "openai"    // chat completions
	FormatAnthropic Format = "anthropic" // messages
)

// Provider is what a value of JUDGE_PROVIDER stands for. It says how to reach a
// server and what to call it, and nothing about what the server or a model can
// do: that is learned from its answers.
type Provider struct {
	// Name is the value of JUDGE_PROVIDER.
	Name   string
	Format Format
	// BaseURL is where the judge is when JUDGE_BASE_URL is not set; empty where
	// only the user knows.
	BaseURL string
	// KeyVariable is the variable of the provider's own key, which is read when
	// JUDGE_API_KEY is not set; empty for none. KeyHosts are the hosts to which
	// that key goes, with all below them.
	KeyVariable string
	KeyHosts    []string
	// AuthHeader takes the key as it is; empty is the format's own.
	AuthHeader string
	// TelemetryName is gen_ai.provider.name: OpenTelemetry's where it has one.
	TelemetryName string

	key func(*Judge) string // the value of KeyVariable; nil for none
}

// ProviderOpenAI is the default of JUDGE_PROVIDER.
const ProviderOpenAI = "openai"

// providers are all that JUDGE_PROVIDER takes.
//
// Azure's hosts are those of its own services in its three clouds, and not
// azure-api.net, where a gateway of anybody's can be. The ports are those on
// which the local servers listen by default.
var providers = []Provider{
	{
		Name: ProviderOpenAI, Format: FormatOpenAI, BaseURL: "https://api.openai.com/v1", TelemetryName: "openai",
		KeyVariable: "OPENAI_API_KEY", KeyHosts: []string{"openai.com"},
		key: func(j *Judge) string { return j.OpenAIAPIKey },
	},
	{
		Name: "azure", Format: FormatOpenAI, AuthHeader: "api-key", TelemetryName: "azure.ai.openai",
		KeyVariable: "AZURE_OPENAI_API_KEY",
		KeyHosts: []string{
			"openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com",
			"openai.azure.us", "cognitiveservices.azure.us", "openai.azure.cn", "cognitiveservices.azure.cn",
		},
		key: func(j *Judge) string { return j.AzureOpenAIAPIKey },
	},
	{
		Name: "anthropic", Format: FormatAnthropic, BaseURL: "https://api.anthropic.com", TelemetryName: "anthropic",
		KeyVariable: "ANTHROPIC_API_KEY", KeyHosts: []string{"anthropic.com"},
		key: func(j *Judge) string { return j.AnthropicAPIKey },
	},
	{
		Name: "gemini", Format: FormatOpenAI, TelemetryName: "gcp.gemini",
		BaseURL:     "https://generativelanguage.googleapis.com/v1beta/openai",
		KeyVariable: "GEMINI_API_KEY", KeyHosts: []string{"generativelanguage.googleapis.com"},
		key: func(j *Judge) string { return j.GeminiAPIKey },
	},
	{Name: "ollama", Format: FormatOpenAI, BaseURL: "http://localhost:11434/v1", TelemetryName: "ollama"},
	{Name: "vllm", Format: FormatOpenAI, BaseURL: "http://localhost:8000/v1", TelemetryName: "vllm"},
	{Name: "lmstudio", Format: FormatOpenAI, BaseURL: "http://localhost:1234/v1", TelemetryName: "lmstudio"},
	{Name: "llamacpp", Format: FormatOpenAI, BaseURL: "http://localhost:8080/v1", TelemetryName: "llamacpp"},
	{Name: "openrouter", Format: FormatOpenAI, BaseURL: "https://openrouter.ai/api/v1", TelemetryName: "openrouter"},
	{Name: "litellm", Format: FormatOpenAI, BaseURL: "http://localhost:4000/v1", TelemetryName: "litellm"},
	{Name: "other", Format: FormatOpenAI, TelemetryName: "other"},
}

// Providers returns what JUDGE_PROVIDER takes, in the order of the
// documentation.
func Providers() []Provider { return append([]Provider(nil), providers...) }

// providerNamed finds a provider by what JUDGE_PROVIDER says; case, blanks,
// hyphens, underscores and dots do not matter.
func providerNamed(name string) (Provider, bool) {
	name = strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToLower(name))
	for _, p := range providers {
		if p.Name == name {
			return p, true
		}
	}
	return Provider{}, false
}

func providerCodec() codec {
	names := make([]string, len(providers))
	for i, p := range providers {
		names[i] = p.Name
	}
	accepts := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	return codec{
		decode: func(text string) (any, error) {
			p, ok := providerNamed(text)
			if !ok {
				return nil, fmt.Errorf("want %s", accepts)
			}
			return p.Name, nil
		},
		encode:  encodeAny,
		accepts: accepts,
	}
}

// ProviderOf returns what the judge's Provider stands for; where that is empty
// or nothing that exists, OpenAI.
func (j *Judge) ProviderOf() Provider {
	p, ok := providerNamed(cmp.Or(j.Provider, ProviderOpenAI))
	if !ok {
		return providers[0]
	}
	return p
}

// Address is where the judge is: BaseURL, or else its provider's; empty where
// there is neither.
func (j *Judge) Address() string { return cmp.Or(j.BaseURL, j.ProviderOf().BaseURL) }

func (j *Judge) sameProvider(other *Judge) bool {
	return j.ProviderOf().Name == other.ProviderOf().Name
}
