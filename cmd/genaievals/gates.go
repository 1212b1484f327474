package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate"
)

// gate is one --min-… flag. An empty metric stands for all.
type gate struct {
	measure, metric string
	minimum         float64
}

type gates []gate

func (f *calibrateFlags) gates() (gates, error) {
	var all gates
	for _, flag := range []struct {
		measure string
		texts   []string
		low     float64
	}{
		{calibrate.MeasureKappa, f.minKappa, -1},
		{calibrate.MeasureAgreement, f.minAgreement, 0},
		{calibrate.MeasureCoverage, f.minCoverage, 0},
	} {
		for _, text := range flag.texts {
			metric, number, named := strings.Cut(text, "=")
			if !named {
				metric, number = "", text
			}
			minimum, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err != nil || math.IsNaN(minimum) || minimum < flag.low || minimum > 1 || named && strings.TrimSpace(metric) == "" {
				return nil, fmt.Errorf("--min-%s is %q, want metric=number or a number, from %v to 1", flag.measure, text, flag.low)
			}
			all = append(all, gate{flag.measure, strings.TrimSpace(metric), minimum})
		}
	}
	return all, nil
}

// resolve finds the metrics that the gates name. A gate about one that is not
// asked could never pass.
func (g gates) resolve(of *calibrated, asked []evaluators.Metric) error {
	for i := range g {
		if g[i].metric == "" {
			continue
		}
		m, ok := find(of.Evaluator, asked, g[i].metric)
		if !ok {
			if err := of.elsewhere(g[i].metric); err != nil {
				return fmt.Errorf("--min-%s: %w", g[i].measure, err)
			}
			return fmt.Errorf("--min-%s: metric %q is not asked (there is: %s)", g[i].measure, g[i].metric, names(asked))
		}
		g[i].metric = m.Name
	}
	return nil
}

// onAll reports whether a gate stands for all metrics.
func (g gates) onAll() bool {
	return slices.ContainsFunc(g, func(one gate) bool { return one.metric == "" })
}

// apply adds the gates to the report and reports whether all pass.
func (g gates) apply(r *calibrate.Report) bool {
	passed := true
	for _, gate := range g {
		passed = r.Check(gate.measure, gate.metric, gate.minimum) && passed
	}
	return passed
}
