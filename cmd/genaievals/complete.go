package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/runner/dataset"
)

// completion offers the values of a flag that begin with what was typed.
type completion = func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// offerWords offers fixed words.
func offerWords(words []string, directive cobra.ShellCompDirective) completion {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, word := range words {
			if strings.HasPrefix(word, typed) {
				out = append(out, word)
			}
		}
		return out, directive | cobra.ShellCompDirectiveNoFileComp
	}
}

// completeGates offers metrics where a gate wants one.
func completeGates(c *cobra.Command) {
	var bounds []string
	for _, metric := range metricNames() {
		bounds = append(bounds, metric+"=")
	}
	for _, flag := range []string{"fail-under", "min-pass-rate"} {
		complete(c, flag, offerWords(bounds, cobra.ShellCompDirectiveNoSpace))
	}
	complete(c, "warn-only", offerWords(metricNames(), 0))
}

// completeRun offers formats, fields, evaluators and the endings of files.
func completeRun(c *cobra.Command) {
	completeGates(c)
	complete(c, "format", offerWords(dataset.Formats(), 0))
	var fields []string
	for _, field := range dataset.Fields() {
		fields = append(fields, field+"=")
	}
	complete(c, "field", offerWords(fields, cobra.ShellCompDirectiveNoSpace))
	complete(c, "evaluators", func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		env, _ := envconfig.Load()
		return offerWords(append([]string{judge.DefaultName, builtin.Name}, env.Judges...), cobra.ShellCompDirectiveNoSpace)(c, args, typed)
	})
	for flag, endings := range map[string][]string{
		"config": {"yaml", "yml"}, "rubrics": {"yaml", "yml"}, "dataset": {"jsonl", "json", "csv", "tsv", "gz"}, "journal": {"jsonl"},
	} {
		if err := c.MarkFlagFilename(flag, endings...); err != nil {
			panic("genaievals: " + err.Error()) // the flag is not there: a mistake in this program
		}
	}
}

func complete(c *cobra.Command, flag string, f completion) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic("genaievals: " + err.Error()) // the flag is not there, or twice: a mistake in this program
	}
}

// completeJournals offers files for the arguments of a command.
func completeJournals(most int) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []string{"jsonl"}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// metricNames are those of builtin and the judges.
func metricNames() []string {
	var names []string
	add := func(e evaluators.Evaluator) {
		for _, m := range e.Metrics() {
			names = append(names, m.Name)
		}
	}
	add(builtin.New())
	if e, err := judge.New(judgetest.NewJudge()); err == nil {
		add(e)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
