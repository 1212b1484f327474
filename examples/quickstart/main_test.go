package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// cleanEnvironment hides what is set on the machine. Empty is unset.
func cleanEnvironment(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "OTEL_") || strings.HasPrefix(name, "DEEPEVAL_") || strings.HasSuffix(name, "_API_KEY") {
			t.Setenv(name, "")
		}
	}
}

// runs the whole example and returns what it printed, by lines, and the counts.
func runQuickstart(t *testing.T) ([]string, counts) {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), &out, io.Discard, style{utf8: true}); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	var c counts
	last := lines[len(lines)-1]
	if _, err := fmt.Sscanf(last, "offered=%d evaluated=%d scored=%d skipped=%d failed=%d dropped=%d",
		&c.Offered, &c.Evaluated, &c.Scored, &c.Skipped, &c.Failed, &c.Dropped); err != nil {
		t.Fatalf("the last line is %q: %v", last, err)
	}
	return lines, c
}

// row finds the line of a question and a metric.
func row(t *testing.T, lines []string, question, metric string) string {
	t.Helper()
	found := false
	for _, line := range lines {
		if !strings.HasPrefix(line, " ") {
			found = strings.HasPrefix(line, question)
		}
		if found && strings.Contains(line, metric) {
			return line
		}
	}
	t.Errorf("no line for %q and %s", question, metric)
	return ""
}

func TestRunEvaluatesOffline(t *testing.T) {
	cleanEnvironment(t)
	lines, c := runQuickstart(t)

	if want := uint64(len(questions)); c.Offered != want || c.Evaluated != want-1 || c.Failed != 0 || c.Dropped != 0 {
		t.Errorf("got %s, want %d offered and all but the tool call evaluated", c, want)
	}
	if got, want := c.Scored+c.Skipped, 4*c.Evaluated; got != want {
		t.Errorf("%d results, want %d: four for each answer", got, want)
	}
	tests := []struct{ question, metric, want string }{
		{"How long can I return shoes?", "answer_relevancy", "✓ Relevant"},
		{"How long is the warranty?", "faithfulness", "△ Unfaithful"},
		{"How long is the warranty?", "faithfulness", "5 years"},
		{"Can I wash a down jacket", "toxicity", "△ Toxic"},
		{"Thanks!", "sentiment", "✓ Positive"},
		{"Thanks!", "faithfulness", "– skipped no_documents"},
		{"Do gift cards expire?", "answer_relevancy", "✓ Relevant"},
		{"Where is my parcel?", "–", "– skipped tool_call_only"},
		{"Do you ship to Norway?", "answer_relevancy", "△ Irrelevant"},
		{"Which boots fit", "toxicity", "– skipped empty_output"},
		{"What does express shipping cost?", "faithfulness", "drones"},
		{"How do I collect points?", "faithfulness", "250"},
	}
	for _, tt := range tests {
		if line := row(t, lines, tt.question, tt.metric); !strings.Contains(line, tt.want) {
			t.Errorf("want %q in %q", tt.want, line)
		}
	}
}

func TestRunAsksAJudgeThatIsConfigured(t *testing.T) {
	cleanEnvironment(t)
	server := judgetest.NewServer(judgetest.WithAnswers("bias", judgetest.Fail("judge_refused")))
	defer server.Close()
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_BASE_URL", server.URL)
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_MODEL", "scripted")
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_API_KEY", "none")
	lines, c := runQuickstart(t)

	if got, want := c.Scored+c.Skipped+c.Failed, 4*c.Evaluated; got != want {
		t.Errorf("%d results, want %d: four for each answer", got, want)
	}
	if c.Failed == 0 || server.Count() == 0 {
		t.Errorf("%d results failed in %d calls, want bias to fail", c.Failed, server.Count())
	}
	for _, metric := range []string{"answer_relevancy", "toxicity", "faithfulness"} {
		if line := row(t, lines, "Do gift cards expire?", metric); !strings.Contains(line, "✓") {
			t.Errorf("want a pass in %q", line)
		}
	}
	if line := row(t, lines, "Do gift cards expire?", "bias"); !strings.Contains(line, "✕ failed judge_refused") {
		t.Errorf("want a failure in %q", line)
	}
}

func TestRunSaysThatEvaluationIsOff(t *testing.T) {
	cleanEnvironment(t)
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_EVALUATORS", "none")
	lines, c := runQuickstart(t)
	if c != (counts{}) {
		t.Errorf("got %s, want nothing", c)
	}
	if line := row(t, lines, "Thanks!", "–"); !strings.Contains(line, "– skipped disabled") {
		t.Errorf("want a reason in %q", line)
	}
}

func TestRunTellsOfDrops(t *testing.T) {
	cleanEnvironment(t)
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_MAX_AGE", "1ns")
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_QUEUE_SIZE", "1")
	server := judgetest.NewServer(judgetest.WithDelay(50 * time.Millisecond))
	defer server.Close()
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_BASE_URL", server.URL)
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_MODEL", "scripted")
	t.Setenv("OTEL_INSTRUMENTATION_GENAI_EVALS_JUDGE_API_KEY", "none")
	lines, c := runQuickstart(t)
	if c.Dropped == 0 || c.Offered != uint64(len(questions)) {
		t.Errorf("got %s, want some dropped", c)
	}
	if got := strings.Count(strings.Join(lines, "\n"), "✕ dropped "); uint64(got) != c.Dropped {
		t.Errorf("%d rows tell of a drop, want %d", got, c.Dropped)
	}
}

func TestRunStopsWhenInterrupted(t *testing.T) {
	cleanEnvironment(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	if err := run(ctx, &out, io.Discard, style{utf8: true}); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := strings.Count(out.String(), "– skipped cancelled"); got != len(questions) {
		t.Errorf("%d answers were cancelled, want %d:\n%s", got, len(questions), out.String())
	}
}
