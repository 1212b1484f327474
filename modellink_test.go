package genaievals_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

const modelPackage = "github.com/genaievals/genaievals/evaluators/builtin/semantic"

// A program that only asks a judge must not carry the 7.5 MB of builtin's
// model: only who imports it does.
func TestTheModelIsLinkedByWhoImportsItOnly(t *testing.T) {
	const module = "github.com/genaievals/genaievals"
	for pkg, links := range map[string]bool{
		"": false, "/bootstrap": false, "/evaluators/judge": false, "/evaluators/judge/openai": false, "/manager": false,
		"/evaluators/builtin": false, "/instrumentation/genaihttp": false,
		"/evaluators/builtin/semantic": true, "/examples/quickstart": true, "/cmd/genaievals": true, "/benchmarks/builtin": true,
	} {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", module+pkg)
		out, err := list.Output()
		if err != nil {
			t.Fatalf("%s: %v", list, err)
		}
		for _, heavy := range []string{modelPackage, module + "/evaluators/builtin/encoder"} {
			if got := slices.Contains(strings.Fields(string(out)), heavy); got != links {
				t.Errorf("%s links %s: %t, want %t", module+pkg, heavy, got, links)
			}
		}
	}
}

// Who runs builtin without its model is told once what to import.
func TestStartNamesTheImportWithoutWhichBuiltinTellsLess(t *testing.T) {
	for plan, told := range map[string]int{"builtin": 1, "judge(bias)": 0} {
		t.Run(plan, func(t *testing.T) {
			var log logged
			evals, err := genaievals.Start(t.Context(), log.option(), genaievals.WithEvaluators(plan), genaievals.WithJudgeClient(judgetest.NewJudge()))
			if err != nil {
				t.Fatal(err)
			}
			defer evals.Shutdown(t.Context())
			got := 0
			for _, line := range log.lines("INFO") {
				if strings.Contains(line, modelPackage) {
					got++
				}
			}
			if got != told {
				t.Errorf("%d lines name the import, want %d: %v", got, told, log.lines("INFO"))
			}
		})
	}
}
