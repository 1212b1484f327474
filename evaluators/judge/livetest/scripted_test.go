package livetest

import (
	"context"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// scripted returns a subject that asks a server in memory. It has to be called
// in a bubble, and stop before its end.
func scripted(t *testing.T, opts ...judgetest.ServerOption) (s subject, server *judgetest.Server, stop func()) {
	t.Helper()
	network := newPipes()
	server = judgetest.NewServer(append([]judgetest.ServerOption{judgetest.WithListener(network)}, opts...)...)
	transport := &http.Transport{
		DialContext:         func(context.Context, string, string) (net.Conn, error) { return network.dial() },
		MaxIdleConnsPerHost: 64,
	}
	s.sent = &counter{next: echo{transport}}
	client, err := openai.New(openai.Config{BaseURL: server.URL, Model: "judge", HTTPClient: &http.Client{Transport: s.sent}})
	if err != nil {
		t.Fatal(err)
	}
	s.client, s.rounds, s.parallel = client, 4, 8
	return s, server, func() {
		transport.CloseIdleConnections()
		server.Close()
	}
}

// TestAgainstAScriptedServer tests the suite: a judge that does everything right
// scores everything that applies.
func TestAgainstAScriptedServer(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, stop := scripted(t)
				defer stop()
				s.echoes = true
				total := s.run(t, f)
				if total.scored == 0 || total.unscored > 0 {
					t.Errorf("%d of %d were not scored:\n%s", total.unscored, total.scored+total.unscored, total)
				}
			})
		})
	}
}

// TestAgainstAServerThatTakesLittle: what it refuses is learned with the first
// case, and everything is scored all the same.
func TestAgainstAServerThatTakesLittle(t *testing.T) {
	for name, refused := range map[string][]string{
		"no answer format":       {"response_format", "tools", "tool_choice"},
		"max_completion_tokens":  {"max_tokens"},
		"no format, other names": {"response_format", "tools", "tool_choice", "max_tokens"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, stop := scripted(t, judgetest.WithUnsupported(refused...))
				defer stop()
				s.echoes = true
				total := s.run(t, forms()[0])
				if total.scored == 0 || total.unscored > 0 {
					t.Errorf("%d of %d were not scored:\n%s", total.unscored, total.scored+total.unscored, total)
				}
			})
		})
	}
}

// TestAgainstAServerThatFails: every failure that there is, among answers in
// which something is wrong, comes back as what it is.
func TestAgainstAServerThatFails(t *testing.T) {
	var answers []judgetest.Answer
	for _, errorType := range []string{
		evaluators.ErrorJudgeRateLimited, evaluators.ErrorJudgeOverloaded, evaluators.ErrorJudgeUnavailable,
		evaluators.ErrorJudgeInputTooLong, evaluators.ErrorJudgeContentFiltered, evaluators.ErrorJudgeRefused,
		evaluators.ErrorJudgeEmptyOutput, evaluators.ErrorJudgeTruncated, evaluators.ErrorJudgeMalformedOutput,
		evaluators.ErrorJudgeTimeout, evaluators.ErrorJudgeModelNotFound, evaluators.ErrorJudgeQuota, evaluators.ErrorJudgeAuth,
	} {
		for range 3 {
			answers = append(answers, judgetest.Fail(errorType), judgetest.Valid())
		}
	}
	for _, text := range []string{
		`{"reason": "Cut off`, `{"reason": "Twice.", "label": "biased", "label": "not_biased"}`, `{"label": "biased"}`,
		`{"claims": [{"claim": "One.", "reason": "", "verdict": "supported"}, {"claim": "Two.", "reason": "", "verdict": "unsupported"}, {"claim": "", "reason": "", "verdict": "supported"}]}`,
		"```json\n{\"reason\": \"Fenced.\", \"label\": \"toxic\",}\n```", `{"claims": []}`, `<think>{"label": "biased"}</think>`,
		`{"reason": "A number.", "label": 1}`, `{"answer": {"reason": "Wrapped.", "label": "Not-Biased"}}`, `null`, `[]`, `"biased"`,
		`The form says {"reason": "Quoted.", "label": "biased"}, but: {"reason": "Last.", "label": "not_biased"}`,
		`{"claims": [{"claim": "Quoted.", "reason": "", "verdict": "unsupported"}]} is what it asks for. {"claims": [{"claim": "Last.", "reason": "", "verdict": "supported"}]}`,
	} {
		answers = append(answers, judgetest.Text(text), judgetest.Valid(), judgetest.Text(text), judgetest.Text(text))
	}
	answers = append(answers, judgetest.Close(), judgetest.HTTP(200, nil, "<html>"), judgetest.HTTP(418, nil, ""), judgetest.Valid())
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, stop := scripted(t, judgetest.WithAnswers("", answers...))
				defer stop()
				total := s.run(t, f)
				if total.scored == 0 || total.unscored == 0 {
					t.Errorf("%d were scored and %d not:\n%s", total.scored, total.unscored, total)
				}
				t.Logf("\n%s", total)
			})
		})
	}
}
