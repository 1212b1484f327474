package judge_test

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/anthropic"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

func TestEveryClientClassifiesAStatusAlike(t *testing.T) {
	later := http.Header{"Retry-After": {"1"}}
	for _, tt := range []struct {
		status int
		header http.Header
		want   string
	}{
		{307, nil, evaluators.ErrorJudgeBadRequest},
		{400, nil, evaluators.ErrorJudgeBadRequest},
		{401, nil, evaluators.ErrorJudgeAuth},
		{402, nil, evaluators.ErrorJudgeQuota},
		{403, nil, evaluators.ErrorJudgeAuth},
		{404, nil, evaluators.ErrorJudgeModelNotFound},
		{408, nil, evaluators.ErrorJudgeTimeout},
		{409, nil, evaluators.ErrorJudgeUnavailable},
		{413, nil, evaluators.ErrorJudgeInputTooLong},
		{418, nil, evaluators.ErrorJudgeBadRequest},
		{425, nil, evaluators.ErrorJudgeUnavailable},
		{429, later, evaluators.ErrorJudgeRateLimited},
		{500, nil, evaluators.ErrorJudgeUnavailable},
		{503, nil, evaluators.ErrorJudgeUnavailable},
		{503, later, evaluators.ErrorJudgeOverloaded},
		{504, nil, evaluators.ErrorJudgeTimeout},
		{529, nil, evaluators.ErrorJudgeOverloaded},
	} {
		t.Run(strconv.Itoa(tt.status), func(t *testing.T) {
			request := judge.Request{Messages: []judge.Message{{Role: judge.RoleUser, Text: "x"}}}
			answer := judgetest.WithAnswers("", judgetest.HTTP(tt.status, tt.header, ""))
			server := judgetest.NewServer(answer)
			defer server.Close()
			failing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				maps.Copy(w.Header(), tt.header)
				w.WriteHeader(tt.status)
			}))
			defer failing.Close()
			overHTTP, err := openai.New(openai.Config{BaseURL: server.URL, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			messages, err := anthropic.New(anthropic.Config{BaseURL: failing.URL, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			for name, client := range map[string]judge.Client{"scripted": judgetest.NewJudge(answer), "openai": overHTTP, "anthropic": messages} {
				var failed *judge.Error
				if _, err := client.Complete(t.Context(), request); !errors.As(err, &failed) || failed.Type != tt.want {
					t.Errorf("%s: %v, want %s", name, err, tt.want)
				}
			}
		})
	}
}
