package calibrate

import (
	"context"
	"maps"
	"time"
)

// SchemaVersion is that of a [Report] as JSON. It grows when a field changes its
// meaning or goes; a field that is added leaves it.
const SchemaVersion = 1

// Report is what a run found. As JSON it is stable, see docs/calibration.md:
// what is not defined is left out, and never 0.
type Report struct {
	SchemaVersion int       `json:"schema_version"`
	Evaluator     Evaluator `json:"evaluator"`
	Settings      Settings  `json:"settings"`
	Started       time.Time `json:"started"`
	Seconds       float64   `json:"seconds"`
	Samples       Samples   `json:"samples"`
	// Incomplete says why not all samples were evaluated; empty: they were.
	Incomplete string `json:"incomplete,omitempty"`
	// Metrics are those that have samples, in the evaluator's order.
	Metrics []Metric `json:"metrics"`
	Gates   []Gate   `json:"gates,omitempty"`
	// FailureCauses has the first text of each error type.
	FailureCauses map[string]string `json:"failure_causes,omitempty"`
	// Records are all samples that have a result, in their order.
	Records []Record `json:"records"`
}

// Evaluator is who was asked.
type Evaluator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Type    string `json:"type"`
	// Models are those that answered, as they named themselves.
	Models []string `json:"models,omitempty"`
}

// Settings are those of the run.
type Settings struct {
	Concurrency    int     `json:"concurrency"`
	TimeoutSeconds float64 `json:"timeout_seconds"`
	// Limit is 0 where there was none.
	Limit int    `json:"limit,omitempty"`
	Seed  uint64 `json:"seed"`
}

// Samples are counts: All of the source; Selected to be evaluated; Evaluated,
// which have a result. Ignored are of metrics that were not asked.
type Samples struct {
	All       int            `json:"all"`
	Selected  int            `json:"selected"`
	Evaluated int            `json:"evaluated"`
	Scored    int            `json:"scored"`
	Ignored   map[string]int `json:"ignored,omitempty"`
	// Unusable are rows that are no sample, or have a label that is none of the
	// metric's; the first of them are explained.
	Unusable         int      `json:"unusable,omitempty"`
	UnusableExamples []string `json:"unusable_examples,omitempty"`
}

func (r *run) report(ended error) *Report {
	rep := &Report{
		SchemaVersion: SchemaVersion,
		Evaluator: Evaluator{
			Name: r.cfg.Evaluator.Name(), Version: r.cfg.Evaluator.Version(), Type: r.cfg.Evaluator.Type(), Models: r.modelNames(),
		},
		Settings: Settings{
			Concurrency: r.cfg.Concurrency, TimeoutSeconds: seconds(r.cfg.Timeout), Limit: r.cfg.Limit, Seed: r.cfg.Seed,
		},
		Started: r.began.UTC().Round(0),
		Seconds: seconds(time.Since(r.began)),
		Records: r.done(),
		Metrics: []Metric{},
	}
	rep.Samples = Samples{
		All: r.census.all, Selected: r.progress.Total, Evaluated: len(rep.Records),
		Ignored: r.census.ignored, Unusable: r.census.unusable, UnusableExamples: r.census.examples,
	}
	if len(r.causes) > 0 {
		rep.FailureCauses = maps.Clone(r.causes)
	}
	if rep.Samples.Evaluated < rep.Samples.Selected {
		rep.Incomplete = "interrupted"
		if ended != nil && ended != context.Canceled { //nolint:errorlint // the very value
			rep.Incomplete = ended.Error()
		}
	}
	byMetric := map[string][]Record{}
	for _, rec := range rep.Records {
		byMetric[rec.Metric] = append(byMetric[rec.Metric], rec)
		if rec.scored() {
			rep.Samples.Scored++
		}
	}
	for _, m := range r.cfg.Metrics {
		if records := byMetric[m.Name]; len(records) > 0 {
			metric := summarize(r.questions[m.Name], records)
			metric.Disagreements = r.worst[m.Name].kept
			rep.Metrics = append(rep.Metrics, metric)
		}
	}
	return rep
}
