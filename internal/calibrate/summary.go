package calibrate

import (
	"maps"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
)

// Metric is how one metric did.
type Metric struct {
	Name      string  `json:"name"`
	Direction string  `json:"direction"`
	Threshold float64 `json:"threshold"`
	Strict    bool    `json:"strict,omitempty"`
	// Model is the one that the plan asks for, where it does.
	Model string `json:"model,omitempty"`
	// Classes are the labels, in the order of the matrix. PositiveClass is the
	// label of the fault, which the rates are about; empty where none is known.
	Classes       []string `json:"classes"`
	PositiveClass string   `json:"positive_class,omitempty"`

	// Coverage is how many of the samples evaluated were scored. All that follows
	// up to Hard is about those.
	Coverage agreement.Proportion `json:"coverage"`
	Skipped  map[string]int       `json:"skipped,omitempty"` // by reason
	Failed   map[string]int       `json:"failed,omitempty"`  // by error type

	// Matrix has a row for what people said and a column for what the judge did.
	Matrix            agreement.Matrix      `json:"confusion_matrix"`
	Agreement         agreement.Proportion  `json:"agreement"`
	Kappa             *agreement.Kappa      `json:"kappa,omitempty"`
	TruePositiveRate  *agreement.Proportion `json:"true_positive_rate,omitempty"`
	FalsePositiveRate *agreement.Proportion `json:"false_positive_rate,omitempty"`
	Precision         *agreement.Proportion `json:"precision,omitempty"`
	AUC               *agreement.AUC        `json:"auc,omitempty"`
	Curve             *agreement.Curve      `json:"threshold_curve,omitempty"`
	// Hard is the agreement on samples marked as hard, where there are any.
	Hard *agreement.Proportion `json:"agreement_on_hard,omitempty"`

	// Latency and LimitWait are of what was scored; they are apart.
	Latency   *Quantiles `json:"latency_seconds,omitempty"`
	LimitWait *Quantiles `json:"limit_wait_seconds,omitempty"`
	// Usage is absent where no judge was called.
	Usage *Usage `json:"usage,omitempty"`

	Disagreements []Disagreement `json:"worst_disagreements,omitempty"`
}

// Quantiles in seconds.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Usage is what the judge was asked for all samples of a metric.
type Usage struct {
	// Samples are those for which it was called, Calls all of its calls.
	Samples      int   `json:"samples"`
	Calls        int   `json:"calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	// CostUSD is that of the Priced samples, whose cost is known; absent without
	// any. Where Priced is less than Samples, the bill is higher.
	CostUSD *float64 `json:"cost_usd,omitempty"`
	Priced  int      `json:"priced"`
}

// summarize computes what the records of one metric say.
func summarize(q *question, records []Record) Metric {
	m := Metric{
		Name: q.Name, Direction: q.Direction.String(), Threshold: q.Threshold, Strict: q.Strict, Model: q.Model,
		PositiveClass: q.fault,
	}
	var scored []Record
	skipped, failed := evaluators.OutcomeSkipped.String(), evaluators.OutcomeFailed.String()
	for _, rec := range records {
		switch rec.Outcome {
		case skipped:
			count(&m.Skipped, rec.Reason)
		case failed:
			count(&m.Failed, rec.Reason)
		default:
			scored = append(scored, rec)
		}
	}
	m.Coverage = agreement.NewProportion(len(scored), len(records))
	m.Usage = usageOf(records)
	m.Classes = classesOf(q, scored)
	m.compare(q, scored)
	m.time(scored)
	return m
}

func count(by *map[string]int, key string) {
	if *by == nil {
		*by = map[string]int{}
	}
	(*by)[key]++
}

// classesOf are the metric's labels; of one that declares none, those that occur.
func classesOf(q *question, scored []Record) []string {
	if len(q.classes) > 0 {
		return slices.Clone(q.classes)
	}
	seen := map[string]bool{}
	for _, rec := range scored {
		seen[rec.Human], seen[rec.Judge] = true, true
	}
	return append([]string{}, slices.Sorted(maps.Keys(seen))...)
}

// compare fills in all that is about agreement.
func (m *Metric) compare(q *question, scored []Record) {
	m.Matrix = agreement.NewMatrix(len(m.Classes))
	var graded []agreement.Graded
	hard, hardSame := 0, 0
	for _, rec := range scored {
		m.Matrix[slices.Index(m.Classes, rec.Human)][slices.Index(m.Classes, rec.Judge)]++
		graded = append(graded, agreement.Graded{Score: *rec.Score, Fault: rec.Human == q.fault})
		if rec.Hard {
			hard++
			if rec.Human == rec.Judge {
				hardSame++
			}
		}
	}
	m.Agreement, m.Kappa = m.Matrix.Agreement(), m.Matrix.Kappa()
	if hard > 0 {
		p := agreement.NewProportion(hardSame, hard)
		m.Hard = &p
	}
	positive := slices.Index(m.Classes, q.fault)
	if q.fault == "" || positive < 0 {
		return
	}
	tpr, fpr, precision := m.Matrix.TruePositives(positive), m.Matrix.FalsePositives(positive), m.Matrix.Precision(positive)
	m.TruePositiveRate, m.FalsePositiveRate, m.Precision = &tpr, &fpr, &precision
	lower := q.Direction == evaluators.LowerIsBetter
	m.AUC, m.Curve = agreement.NewAUC(graded, lower), agreement.NewCurve(graded, lower, q.Threshold)
}

func (m *Metric) time(scored []Record) {
	quantiles := func(of func(Record) float64) *Quantiles {
		values := make([]float64, len(scored))
		for i, rec := range scored {
			values[i] = of(rec)
		}
		p50, ok := agreement.Percentile(values, 0.50)
		p95, _ := agreement.Percentile(values, 0.95)
		if !ok {
			return nil
		}
		return &Quantiles{p50, p95}
	}
	m.Latency = quantiles(func(rec Record) float64 { return rec.Latency })
	m.LimitWait = quantiles(func(rec Record) float64 { return rec.LimitWait })
}

func usageOf(records []Record) *Usage {
	var u Usage
	var cost float64
	for _, rec := range records {
		if rec.Attempts == 0 {
			continue
		}
		u.Samples++
		u.Calls += rec.Attempts
		u.InputTokens += rec.InputTokens
		u.OutputTokens += rec.OutputTokens
		if rec.CostUSD != nil {
			u.Priced++
			cost += *rec.CostUSD
		}
	}
	if u.Samples == 0 {
		return nil
	}
	if u.Priced > 0 {
		u.CostUSD = &cost
	}
	return &u
}
