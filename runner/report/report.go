package report

import "time"

// SchemaVersion is that of a [Report] and of a [Comparison] as JSON. It grows when
// a field changes its meaning or goes; a field that is added leaves it.
const SchemaVersion = 1

// Report is what came of a run. As JSON it is stable, see docs/datasets.md: what
// is not defined is left out, and never 0. Times are in seconds.
type Report struct {
	SchemaVersion int    `json:"schema_version"`
	Run           string `json:"run,omitempty"`
	Dataset       string `json:"dataset,omitempty"`
	// Started is zero where it is not known, Ended while the run goes on or where
	// it was killed.
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	// Seconds between them, waiting between the parts of a resumed run included.
	Seconds *float64 `json:"seconds,omitempty"`

	// Verdict and Reasons are there after [Report.Apply].
	Verdict Verdict  `json:"verdict,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
	// Incomplete says why not all items were evaluated; empty: they were.
	Incomplete string `json:"incomplete,omitempty"`

	Items Items        `json:"items"`
	Gates []GateResult `json:"gates,omitempty"`
	// Metrics in the order of the run: those of one evaluator together.
	Metrics []Metric `json:"metrics"`
	// BadItems are the first items that failed as a whole, in the dataset's order.
	BadItems []BadItem `json:"bad_items,omitempty"`
}

// Items are counts of items.
type Items struct {
	// Total of the dataset, and of what a resumed journal has besides; absent where
	// it is not known.
	Total *int64 `json:"total,omitempty"`
	// Seen are those of which there is a record: Evaluated, which an evaluator
	// answered for, and Failed, which failed as a whole, by error type in FailedBy.
	Seen      int64            `json:"seen"`
	Evaluated int64            `json:"evaluated"`
	Failed    int64            `json:"failed"`
	FailedBy  map[string]int64 `json:"failed_by,omitempty"`
	// WithFailure are those seen that failed as a whole or have a failed metric.
	WithFailure int64 `json:"with_failure"`
}

// BadItem is an item that failed as a whole.
type BadItem struct {
	ID string `json:"id,omitempty"`
	// Index is the position in the dataset, from 0; Line the line of its file, 0
	// where there is none.
	Index     int64  `json:"index"`
	Line      int    `json:"line,omitempty"`
	ErrorType string `json:"error_type"`
	// Error says what was expected, or what happened.
	Error string `json:"error,omitempty"`
}

// Metric is what came of one metric of one evaluator.
type Metric struct {
	Evaluator        string `json:"evaluator"`
	EvaluatorVersion string `json:"evaluator_version,omitempty"`
	EvaluatorType    string `json:"evaluator_type,omitempty"`
	Name             string `json:"metric"`
	// Direction is higher_is_better or lower_is_better: which side of Threshold
	// passes, the threshold included.
	Direction string   `json:"direction"`
	Threshold float64  `json:"threshold"`
	Labels    []string `json:"labels,omitempty"`
	// Models are those that answered, as they named themselves; at most 16.
	Models []string `json:"models,omitempty"`

	// Results = Scored + those skipped + those failed.
	Results int64 `json:"results"`
	Scored  int64 `json:"scored"`
	Passed  int64 `json:"passed"`
	// PassRate is Passed of Scored, with the interval of Wilson.
	PassRate *Estimate `json:"pass_rate,omitempty"`
	// Mean of the scores, with the interval of Student, which is absent with fewer
	// than two scores or where all are alike.
	Mean *Estimate `json:"mean,omitempty"`
	// Median of the scores: exact where those around it are alike, else within
	// 0.001.
	Median *float64 `json:"median,omitempty"`
	// Histogram counts scores by tenths: 0…0.1 without its end, …, 0.9…1.
	Histogram []int64 `json:"histogram,omitempty"`
	// LabelCounts has how often each label was given; labels past the first 64
	// that the metric does not declare are _OTHER.
	LabelCounts []Count `json:"label_counts,omitempty"`
	// Skipped by reason and Failed by error type, most frequent first. Text is that
	// of the first failure of its type.
	Skipped []Count `json:"skipped,omitempty"`
	Failed  []Count `json:"failed,omitempty"`
	// InputCut is how many were scored on a part of their text.
	InputCut int64 `json:"input_cut,omitempty"`

	// Latency is of what was scored or failed, without waiting for limits;
	// LimitWait is that waiting.
	Latency   *Quantiles `json:"latency_seconds,omitempty"`
	LimitWait *Quantiles `json:"limit_wait_seconds,omitempty"`
	// Usage is absent where no judge was called.
	Usage *Usage `json:"usage,omitempty"`

	// Worst are the scored items farthest from the good end, those that did not
	// pass first; of those alike, the dataset's first.
	Worst []Case `json:"worst,omitempty"`
}

// FullName is evaluator.metric.
func (m *Metric) FullName() string { return m.Evaluator + "." + m.Name }

// Estimate is a value with the ends of its 95 % interval.
type Estimate struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Count is how often something was.
type Count struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
	// Text is an example of it, where there is one.
	Text string `json:"text,omitempty"`
}

// Quantiles of durations in seconds. P50, P95 and P99 are at most a sixteenth above
// the true ones, and never above Max.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Usage is what was asked of the judge.
type Usage struct {
	// Results are those for which it was called, Attempts all of its calls.
	Results  int64 `json:"results"`
	Attempts int64 `json:"attempts"`
	// Tokens of the Metered results, for which the judge reported any; absent
	// without. Where Metered is less than Results there may be more.
	InputTokens  *int64 `json:"input_tokens,omitempty"`
	OutputTokens *int64 `json:"output_tokens,omitempty"`
	Metered      int64  `json:"metered"`
	// CostUSD is that of the Priced results, absent without any.
	CostUSD *float64 `json:"cost_usd,omitempty"`
	Priced  int64    `json:"priced"`
}

// Case is an item with what one metric said of it.
type Case struct {
	ID          string  `json:"id"`
	Index       int64   `json:"index"`
	Line        int     `json:"line,omitempty"`
	Score       float64 `json:"score"`
	Label       string  `json:"label,omitempty"`
	Passed      bool    `json:"passed"`
	Explanation string  `json:"explanation,omitempty"`
	// Input and Output are there where the records have content. Texts are cut at
	// 600 bytes.
	Input  string `json:"input,omitempty"`
	Output string `json:"output,omitempty"`
}
