package docs_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/instrumentation"
)

var subsection = regexp.MustCompile(`(?m)^### (.*)$`)

// The lines that the cookbook has for each provider make a judge, without a
// warning, at the address that is meant.
func TestTheLinesForEachProviderMakeAJudge(t *testing.T) {
	_, section, _ := strings.Cut(page(t, "cookbook.md"), "\n## Judges\n")
	section, _, _ = strings.Cut(section, "\n## ")
	hosts := map[string]string{ // by heading
		"Azure": "my-resource.openai.azure.com", "Anthropic": "api.anthropic.com", "Gemini": "generativelanguage.googleapis.com",
		"Ollama": "localhost port=11434", "vLLM": "vllm.internal port=8000", "LM Studio": "localhost port=1234",
		"llama.cpp": "localhost port=8080", "OpenRouter": "openrouter.ai", "LiteLLM": "litellm.example.com",
		"A gateway with OAuth": "gateway.example.com",
	}
	shown := []string{envconfig.ProviderOpenAI} // which the presets show
	for _, m := range subsection.FindAllStringSubmatchIndex(section, -1) {
		heading, text := section[m[2]:m[3]], section[m[1]:]
		if next := subsection.FindStringIndex(text); next != nil {
			text = text[:next[0]]
		}
		t.Run(heading, func(t *testing.T) {
			lines := blocks(text, "env")
			if len(lines) != 1 {
				t.Fatalf("%d blocks", len(lines))
			}
			set(t, lines[0])
			shown = append(shown, os.Getenv(envconfig.Prefix+"JUDGE_PROVIDER"))
			var log bytes.Buffer
			evals, err := genaievals.Start(context.Background(), genaievals.WithHandler(instrumentation.NewHandler()),
				genaievals.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			if err != nil {
				t.Fatal(err)
			}
			defer evals.Shutdown(context.Background())
			if evals.Off() != "" || strings.Contains(log.String(), "WARN") {
				t.Errorf("off because %q; said %s", evals.Off(), log.String())
			}
			host, ok := hosts[heading]
			if !ok || !strings.Contains(log.String(), "host="+host+" ") {
				t.Errorf("the judge is not at %q: %s", host, log.String())
			}
		})
	}
	for _, p := range envconfig.Providers() {
		if !slices.Contains(shown, p.Name) {
			t.Errorf("the cookbook does not show %s", p.Name)
		}
	}
}
