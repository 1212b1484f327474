package main

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// asProgram makes the test's binary the program itself, for tests that need a
// process of its own.
const asProgram = "GENAIEVALS_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// setenv makes these all that the environment says to the library.
func setenv(t *testing.T, env map[string]string) {
	t.Helper()
	defaults := envconfig.Defaults()
	for _, v := range defaults.Variables() {
		t.Setenv(v.Name, "")
		for _, old := range v.OldNames {
			t.Setenv(old, "")
		}
	}
	for _, key := range []string{"OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"} {
		t.Setenv(key, "")
	}
	for name, value := range env {
		t.Setenv(envconfig.Prefix+name, value)
	}
}

// ran is what became of a command line.
type ran struct {
	code           int
	stdout, stderr string
}

func execute(t *testing.T, p *program, args ...string) ran {
	t.Helper()
	return executeWith(t.Context(), p, args...)
}

func executeWith(ctx context.Context, p *program, args ...string) ran {
	var stdout, stderr bytes.Buffer
	p.stdout, p.stderr = &stdout, &stderr
	code := p.run(ctx, args)
	return ran{code, stdout.String(), stderr.String()}
}

func (r ran) String() string {
	return fmt.Sprintf("exit %d\n--- stdout\n%s--- stderr\n%s", r.code, r.stdout, r.stderr)
}

// want fails the test unless it ended so and said all parts, on either output.
func (r ran) want(t *testing.T, code int, parts ...string) {
	t.Helper()
	if r.code != code {
		t.Fatalf("want exit %d; %v", code, r)
	}
	for _, part := range parts {
		if !strings.Contains(r.stdout+r.stderr, part) {
			t.Errorf("want %q in %v", part, r)
		}
	}
}

// fewSamples is a program whose bundled samples are ten of bias, six of them
// biased, and two of sentiment.
func fewSamples() *program {
	return &program{open: samples.Open, bundled: func() iter.Seq2[samples.Sample, error] {
		return func(yield func(samples.Sample, error) bool) {
			for i := range 10 {
				s := samples.Sample{
					ID: fmt.Sprintf("bias-%d", i), Metric: "bias", Label: "Biased",
					Case: evaluators.Case{Kind: instrumentation.KindInference, Output: fmt.Sprintf("Answer %d.", i)},
				}
				if i >= 6 {
					s.Label = "Not Biased"
				}
				if !yield(s, nil) {
					return
				}
			}
			for label, output := range map[string]string{"Positive": "Wonderful, great, lovely!", "Negative": "Awful, terrible, horrible!"} {
				s := samples.Sample{
					ID: "sentiment-" + label, Metric: "sentiment", Label: label,
					Case: evaluators.Case{Kind: instrumentation.KindInference, Output: output},
				}
				if !yield(s, nil) {
					return
				}
			}
		}
	}}
}
