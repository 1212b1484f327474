package genaievals_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
)

// getJSON reads a part of the live page.
func getJSON(t *testing.T, url string, into any) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", url, res.Status)
	}
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func askedAndAnswered(t *testing.T, evals *genaievals.Evals) {
	t.Helper()
	_, inv := evals.Handler().StartInference(context.Background(), instrumentation.Inference{
		Provider: "openai", Model: "m", Input: []instrumentation.Message{instrumentation.UserMessage("May I bring a dog?")},
	})
	inv.SetOutput(instrumentation.AssistantMessage("Yes, on a lead."))
	inv.End()
	if err := evals.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestThePageShowsWhatIsEvaluatedAndEndsWithIt(t *testing.T) {
	setenv(t, map[string]string{"DASHBOARD": "127.0.0.1:0", "EVALUATORS": "judge(bias)"})
	for name, tt := range map[string]struct {
		options []genaievals.Option
		input   string
	}{
		"content off":           {nil, ""},
		"content on":            {[]genaievals.Option{genaievals.WithDashboardContent(true)}, "May I bring a dog?"},
		"content on, redaction": {[]genaievals.Option{genaievals.WithDashboardContent(true), genaievals.WithRedactor(func(*evaluators.Case) {})}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var log logged
			evals, err := genaievals.Start(t.Context(), append(tt.options, log.option(), genaievals.WithJudgeClient(judgetest.NewJudge()))...)
			if err != nil {
				t.Fatal(err)
			}
			askedAndAnswered(t, evals)
			url := evals.DashboardURL()
			var got struct {
				Results []struct{ Metric, Outcome, Input string }
			}
			getJSON(t, url+"results.json?content=1", &got)
			if len(got.Results) != 1 || got.Results[0].Metric != "bias" || got.Results[0].Outcome != "scored" {
				t.Fatalf("results are %+v, want the one of bias", got.Results)
			}
			if got.Results[0].Input != tt.input {
				t.Errorf("input is %q, want %q", got.Results[0].Input, tt.input)
			}
			if err := evals.Shutdown(context.Background()); err != nil {
				t.Fatal(err)
			}
			if _, err := http.Get(url); err == nil {
				t.Error("the page is there after Shutdown")
			}
			if warned := log.lines("WARN"); len(warned) > 0 {
				t.Errorf("warnings: %v", warned)
			}
		})
	}
}

// A variable never stops the application; an option is a mistake in a program.
func TestAPageThatCannotBeIsAWarningOrAnErrorOfAnOption(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, tt := range map[string]struct{ addr, says string }{
		"address taken":        {taken.Addr().String(), "in use"},
		"open without a token": {"0.0.0.0:0", "token"},
		"everywhere":           {":0", "token"},
		"no address":           {"not an address", "address"},
	} {
		t.Run(name, func(t *testing.T) {
			setenv(t, map[string]string{"DASHBOARD": tt.addr, "EVALUATORS": "judge(bias)"})
			var log logged
			evals, err := genaievals.Start(t.Context(), log.option(), genaievals.WithJudgeClient(judgetest.NewJudge()))
			if err != nil {
				t.Fatal(err)
			}
			askedAndAnswered(t, evals)
			if err := evals.Shutdown(context.Background()); err != nil {
				t.Fatal(err)
			}
			warned := log.lines("WARN")
			if evals.DashboardURL() != "" || len(warned) != 1 || !strings.Contains(warned[0], tt.says) && !strings.Contains(warned[0], "DASHBOARD") {
				t.Errorf("page %q, warnings %v, want none and one about %s", evals.DashboardURL(), warned, tt.says)
			}
			if _, err := genaievals.Start(t.Context(), log.option(), genaievals.WithJudgeClient(judgetest.NewJudge()), genaievals.WithDashboard(tt.addr)); err == nil || !strings.Contains(err.Error(), "WithDashboard") || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("the option's error is %v, want one that says %q", err, tt.says)
			}
		})
	}
}
