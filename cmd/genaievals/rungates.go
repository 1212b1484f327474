package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/genaievals/genaievals/internal/runfile"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

// gateFlags are the gates of a run.
type gateFlags struct {
	failUnder, minPassRate, warnOnly []string
	maxFailed                        string

	specs []gateSpec // those of flags and file together
}

// gateSpec is a gate as text, and who wants it.
type gateSpec struct {
	kind       report.GateKind // empty: only warn
	text, from string
}

func (g *gateFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&g.failUnder, "fail-under", nil, "fail when the mean score is worse, as in faithfulness=0.8, or 0.8 for all metrics; can be repeated")
	flags.StringArrayVar(&g.minPassRate, "min-pass-rate", nil, "fail when a smaller share of the scored passes, likewise")
	flags.StringVar(&g.maxFailed, "max-failed", "", "incomplete when more items failed, as in 2% or 10")
	flags.StringArrayVar(&g.warnOnly, "warn-only", nil, "a metric whose gates only warn; can be repeated")
}

// merge takes from a file the kinds of gates that no flag names.
func (g *gateFlags) merge(file runfile.Gates, changed func(flag string) bool) {
	add := func(flag string, kind report.GateKind, gates ...runfile.Gate) {
		if changed(flag) {
			return
		}
		for _, one := range gates {
			text := one.Metric + "=" + one.Value
			switch {
			case kind == "":
				text = one.Metric
			case one.Metric == "": // of items, or of all metrics
				text = one.Value
			}
			g.specs = append(g.specs, gateSpec{kind, text, one.Place})
		}
	}
	add("fail-under", report.FailUnder, file.FailUnder...)
	add("min-pass-rate", report.MinPassRate, file.MinPassRate...)
	if file.MaxFailed != nil {
		add("max-failed", report.MaxFailed, *file.MaxFailed)
	}
	add("warn-only", "", file.WarnOnly...)
}

// parse reads the gates, and makes sure that the run has the metrics that they
// name.
func (g *gateFlags) parse(h journal.Header) (report.Gates, error) {
	specs := slices.Clone(g.specs)
	add := func(kind report.GateKind, flag string, texts []string) {
		for _, text := range texts {
			specs = append(specs, gateSpec{kind, text, flag})
		}
	}
	add(report.FailUnder, "--fail-under", g.failUnder)
	add(report.MinPassRate, "--min-pass-rate", g.minPassRate)
	add("", "--warn-only", g.warnOnly)
	if g.maxFailed != "" {
		specs = append(specs, gateSpec{report.MaxFailed, g.maxFailed, "--max-failed"})
	}
	var all report.Gates
	for _, s := range specs {
		one, err := s.parse()
		if err == nil {
			err = one.Check(h)
		}
		if err != nil {
			return all, fmt.Errorf("%s: %w", s.from, err)
		}
		all.Gates = append(all.Gates, one.Gates...)
		all.WarnOnly = append(all.WarnOnly, one.WarnOnly...)
	}
	return all, nil
}

func (s gateSpec) parse() (report.Gates, error) {
	var one report.Gate
	var err error
	switch s.kind {
	case report.FailUnder:
		one, err = report.ParseFailUnder(s.text)
	case report.MinPassRate:
		one, err = report.ParseMinPassRate(s.text)
	case report.MaxFailed:
		one, err = report.ParseMaxFailed(s.text)
	default:
		return report.Gates{WarnOnly: []string{s.text}}, nil
	}
	return report.Gates{Gates: []report.Gate{one}}, err
}
