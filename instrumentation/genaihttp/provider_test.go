package genaihttp

import (
	"net/url"
	"testing"
)

func TestProviderAndServerOfURL(t *testing.T) {
	tests := []struct {
		url, provider, address string
		port                   int
	}{
		{"https://api.openai.com/v1", "openai", "api.openai.com", 443},
		{"https://API.OpenAI.com./v1", "openai", "api.openai.com", 443},
		{"https://eu.api.openai.com/v1", "openai", "eu.api.openai.com", 443},
		{"https://me.openai.azure.com/openai", "azure.ai.openai", "me.openai.azure.com", 443},
		{"https://me.cognitiveservices.azure.com", "azure.ai.openai", "me.cognitiveservices.azure.com", 443},
		{"https://me.services.ai.azure.com/models", "azure.ai.inference", "me.services.ai.azure.com", 443},
		{"https://api.deepseek.com", "deepseek", "api.deepseek.com", 443},
		{"https://api.groq.com/openai/v1", "groq", "api.groq.com", 443},
		{"https://api.mistral.ai/v1", "mistral_ai", "api.mistral.ai", 443},
		{"https://api.x.ai/v1", "x_ai", "api.x.ai", 443},
		{"https://us-east-1.api.x.ai/v1", "x_ai", "us-east-1.api.x.ai", 443},
		{"https://api.perplexity.ai", "perplexity", "api.perplexity.ai", 443},
		{"https://generativelanguage.googleapis.com/v1beta/openai/", "gcp.gemini", "generativelanguage.googleapis.com", 443},
		{"https://us-central1-aiplatform.googleapis.com/v1", "gcp.vertex_ai", "us-central1-aiplatform.googleapis.com", 443},
		{"https://api.anthropic.com/v1", "anthropic", "api.anthropic.com", 443},
		{"https://openrouter.ai/api/v1", "openrouter", "openrouter.ai", 443},
		{"https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1", "aws.bedrock", "bedrock-runtime.us-west-2.amazonaws.com", 443},
		{"http://localhost:11434/v1", "", "localhost", 11434},
		{"http://[::1]/v1", "", "::1", 80},
		{"https://evil-api.openai.com.example", "", "evil-api.openai.com.example", 443},
		{"https://notapi.x.ai", "", "notapi.x.ai", 443},
		{"unix:///run/llm.sock", "", "", 0},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		got := targetOf(u, "")
		if got.provider != tt.provider || got.address != tt.address || got.port != tt.port {
			t.Errorf("%s: %+v, want %s at %s:%d", tt.url, got, tt.provider, tt.address, tt.port)
		}
		if got := targetOf(u, "mine"); got.provider != "mine" {
			t.Errorf("%s: provider = %s, want mine", tt.url, got.provider)
		}
	}
}
