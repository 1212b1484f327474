package report

import "time"

// Comparison is what has changed between two runs. As JSON it is stable, see
// docs/datasets.md: what is not defined is left out, and never 0. Differences are
// new minus old.
type Comparison struct {
	SchemaVersion int     `json:"schema_version"`
	Old           RunInfo `json:"old"`
	New           RunInfo `json:"new"`
	// Verdict is GateFailed where a metric is a regression. It is Incomplete where
	// none is, and one that was scored in either run has no item scored in both.
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
	// Notes are what makes the runs less comparable: other versions, thresholds,
	// judges.
	Notes []string `json:"notes,omitempty"`

	Items ItemsCompared `json:"items"`
	// MinEffect, Seed and SameContent are the settings.
	MinEffect   float64 `json:"min_effect"`
	Seed        uint64  `json:"seed"`
	SameContent bool    `json:"same_content"`

	// Metrics of both runs, in the order of the new one; OnlyOld and OnlyNew are
	// those of one, as evaluator.metric.
	Metrics []MetricChange `json:"metrics"`
	OnlyOld []string       `json:"only_old,omitempty"`
	OnlyNew []string       `json:"only_new,omitempty"`
}

// Regressed reports whether any metric is a regression.
func (c *Comparison) Regressed() bool { return c.Verdict == GateFailed }

// RunInfo is one of the runs compared.
type RunInfo struct {
	Run     string    `json:"run,omitempty"`
	Dataset string    `json:"dataset,omitempty"`
	Started time.Time `json:"started,omitzero"`
	// Items are those that have a record.
	Items int64 `json:"items"`
}

// ItemsCompared are counts of items, paired by their ids.
type ItemsCompared struct {
	// Both are in either run, Changed those of them whose content differs.
	Both    int64 `json:"both"`
	Changed int64 `json:"changed"`
	OnlyOld int64 `json:"only_old"`
	OnlyNew int64 `json:"only_new"`
	// The first ids of those.
	OnlyOldExamples []string `json:"only_old_examples,omitempty"`
	OnlyNewExamples []string `json:"only_new_examples,omitempty"`
}

// Outcome of the comparison of a metric.
type Outcome string

// The outcomes.
const (
	// Regression: the interval of a difference, of the mean or of the pass rate, is
	// entirely on the bad side, its p-value is at most 0.05, and the difference is
	// larger than the least effect.
	Regression Outcome = "regression"
	// Improvement: the same on the good side, and no regression.
	Improvement Outcome = "improvement"
	// Unchanged: neither; what differs may be chance.
	Unchanged Outcome = "unchanged"
	// NotCompared: no item was scored in both runs.
	NotCompared Outcome = "not_compared"
)

// MetricChange is how one metric has changed. Names, Direction and Threshold are
// the new run's.
type MetricChange struct {
	Evaluator string  `json:"evaluator"`
	Metric    string  `json:"metric"`
	Direction string  `json:"direction"`
	Threshold float64 `json:"threshold"`
	Outcome   Outcome `json:"outcome"`
	// Pairs are the items scored in both runs; LostScores those scored in the old
	// one only, NewScores in the new one only, of the items in both.
	Pairs      int64 `json:"pairs"`
	LostScores int64 `json:"lost_scores"`
	NewScores  int64 `json:"new_scores"`
	// Mean and PassRate are of the pairs, absent without any.
	Mean     *Change `json:"mean,omitempty"`
	PassRate *Change `json:"pass_rate,omitempty"`
	// Method says where the intervals are from: bootstrap or normal.
	Method string `json:"method,omitempty"`
	// Broken passed and do not any more; Fixed the other way.
	Broken int64 `json:"broken"`
	Fixed  int64 `json:"fixed"`
	// Flips are the broken ones, the largest loss first; at most 20.
	Flips []Flip `json:"flips,omitempty"`
}

// FullName is evaluator.metric.
func (m *MetricChange) FullName() string { return m.Evaluator + "." + m.Metric }

// Change is a value of both runs. Low and High are the ends of the 95 % interval
// of the difference, absent with fewer than two pairs; PValue is two-sided.
type Change struct {
	Old        float64  `json:"old"`
	New        float64  `json:"new"`
	Difference float64  `json:"difference"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	PValue     *float64 `json:"p_value,omitempty"`
	// Outcome is that of this value alone.
	Outcome Outcome `json:"outcome"`
}

// Flip is an item that passed in the old run and does not in the new one. Texts
// are the new one's.
type Flip struct {
	ID          string  `json:"id"`
	Index       int64   `json:"index"`
	Line        int     `json:"line,omitempty"`
	OldScore    float64 `json:"old_score"`
	NewScore    float64 `json:"new_score"`
	Label       string  `json:"label,omitempty"`
	Explanation string  `json:"explanation,omitempty"`
	Input       string  `json:"input,omitempty"`
	Output      string  `json:"output,omitempty"`
	// Changed: the item's content differs between the runs.
	Changed bool `json:"changed,omitempty"`
}
