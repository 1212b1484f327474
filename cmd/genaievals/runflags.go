package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/genaievals/genaievals/internal/runfile"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
)

// runFlags are what run is told, by flags and by the file of --config.
type runFlags struct {
	config string
	check  bool

	dataset, format string
	fields          []string
	limit           int64
	name            string

	evaluators, rubrics              string
	concurrency                      int
	timeout, itemTimeout, runTimeout time.Duration

	journal                 string
	resume, content, strict bool

	gates      gateFlags
	reports    reportFlags
	dashboard  string
	noProgress bool

	file *runfile.File // nil without --config
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.config, "config", "", "YAML file of the run; flags go over it, and it over the environment")
	flags.BoolVar(&f.check, "check", false, "check everything and say what would run, without running it")
	flags.StringVar(&f.dataset, "dataset", "", "file of the items; - is standard input")
	flags.StringVar(&f.format, "format", "", "format of the dataset; recognised without ("+strings.Join(dataset.Formats(), ", ")+")")
	flags.StringArrayVar(&f.fields, "field", nil, "name of a field in the dataset, as in input=question; can be repeated ("+strings.Join(dataset.Fields(), ", ")+")")
	flags.Int64Var(&f.limit, "limit", 0, "only the first items, so many; 0 is all")
	flags.StringVar(&f.name, "name", "", "name of the run; without: that of the dataset")
	flags.StringVar(&f.evaluators, "evaluators", "", "who evaluates what, as EVALUATORS, such as 'judge(faithfulness),builtin'")
	flags.StringVar(&f.rubrics, "rubrics", "", "YAML file of own metrics, as RUBRICS")
	flags.IntVar(&f.concurrency, "concurrency", runner.DefaultConcurrency, "evaluations under way at once for each judge, 1 to 1024")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long one metric may take, waiting for limits apart; 0 is TIMEOUT of the environment")
	flags.DurationVar(&f.itemTimeout, "item-timeout", 0, "how long one item may take, waiting for limits apart; 0 is no bound")
	flags.DurationVar(&f.runTimeout, "run-timeout", 0, "how long the run may take; 0 is no bound")
	flags.StringVar(&f.journal, "journal", "", "file that keeps the results as they come; without one the run cannot be resumed")
	flags.BoolVar(&f.resume, "resume", false, "go on with the journal: what it has is not asked again, what failed is")
	flags.BoolVar(&f.content, "content", false, "keep input and output in the journal, for reports and the page")
	flags.BoolVar(&f.strict, "strict", false, "stop at the first item that cannot be read, is there twice, or names an unknown evaluator")
	f.gates.add(flags)
	f.reports.add(flags)
	flags.StringVar(&f.dashboard, "dashboard", "", "serve the live page while it runs, at this address; without one at "+defaultPage)
	flags.Lookup("dashboard").NoOptDefVal = pageWanted
	flags.BoolVar(&f.noProgress, "no-progress", false, "no progress on standard error")
}

// merge reads the file of --config and takes from it what no flag says.
func (f *runFlags) merge(changed func(flag string) bool) error {
	if f.config == "" {
		return nil
	}
	file, err := runfile.Load(f.config, os.Getenv)
	if err != nil {
		return err
	}
	f.file = file
	take(changed("dataset"), &f.dataset, file.Dataset)
	take(changed("format"), &f.format, file.Format)
	take(changed("limit"), &f.limit, file.Limit)
	take(changed("name"), &f.name, file.Name)
	take(changed("concurrency"), &f.concurrency, file.Concurrency)
	take(changed("item-timeout"), &f.itemTimeout, file.ItemTimeout)
	take(changed("run-timeout"), &f.runTimeout, file.RunTimeout)
	take(changed("journal"), &f.journal, file.Journal)
	take(changed("dashboard"), &f.dashboard, file.Dashboard)
	takeFlag(changed("content"), &f.content, file.Content)
	takeFlag(changed("strict"), &f.strict, file.Strict)
	take(changed("json"), &f.reports.json, file.Reports.JSON)
	take(changed("junit"), &f.reports.junit, file.Reports.JUnit)
	take(changed("markdown"), &f.reports.markdown, file.Reports.Markdown)
	take(changed("html"), &f.reports.html, file.Reports.HTML)
	f.gates.merge(file.Gates, changed)
	return nil
}

// take assigns what a file says, if it does and no flag has.
func take[T comparable](fromFlag bool, to *T, value T) {
	var nothing T
	if !fromFlag && value != nothing {
		*to = value
	}
}

func takeFlag(fromFlag bool, to *bool, value *bool) {
	if !fromFlag && value != nil {
		*to = *value
	}
}

// checkFlags finds what is wrong by itself.
func (f *runFlags) checkFlags() error {
	switch {
	case f.dataset == "":
		return errors.New("there is no dataset: --dataset FILE, or - for standard input")
	case f.concurrency < 1 || f.concurrency > 1024:
		return fmt.Errorf("--concurrency is %d, want 1 to 1024", f.concurrency)
	case f.limit < 0:
		return fmt.Errorf("--limit is %d, want 0 or more", f.limit)
	case f.timeout < 0:
		return fmt.Errorf("--timeout is %v, want 0 or more", f.timeout)
	case f.itemTimeout < 0:
		return fmt.Errorf("--item-timeout is %v, want 0 or more", f.itemTimeout)
	case f.runTimeout < 0:
		return fmt.Errorf("--run-timeout is %v, want 0 or more", f.runTimeout)
	case f.resume && f.journal == "":
		return errors.New("--resume goes on with a journal, and there is none: --journal FILE")
	case f.journal == stdoutPath:
		return errors.New("--journal wants a file")
	}
	return nil
}

// datasetOptions say how the dataset is read.
func (f *runFlags) datasetOptions() (dataset.Options, error) {
	o := dataset.Options{Format: f.format, Counts: &dataset.Counts{}}
	if f.file != nil {
		o.Fields = f.file.Fields
	}
	for i, text := range f.fields {
		if i == 0 {
			o.Fields = map[string]string{} // flags go over the file
		}
		field, column, ok := strings.Cut(text, "=")
		field, column = strings.TrimSpace(field), strings.TrimSpace(column)
		switch {
		case !ok || field == "" || column == "":
			return o, fmt.Errorf("--field is %q, want field=name, as in input=question", text)
		case o.Fields[field] != "":
			return o, fmt.Errorf("--field names %s twice", field)
		}
		o.Fields[field] = column
	}
	return o, nil
}

// runName is the run's name: the dataset's without folder and ending, if none was
// given.
func (f *runFlags) runName() string {
	switch {
	case f.name != "":
		return f.name
	case f.dataset == stdinPath:
		return "stdin"
	}
	base := strings.TrimSuffix(filepath.Base(f.dataset), ".gz")
	return strings.TrimSuffix(base, filepath.Ext(base))
}
