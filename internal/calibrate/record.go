package calibrate

import (
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// Record is what is kept of one sample: no text of its.
type Record struct {
	ID     string `json:"id"`
	Metric string `json:"metric"`
	// Human and Judge are the labels; Judge and Score are there when scored.
	Human string   `json:"human"`
	Judge string   `json:"judge,omitempty"`
	Score *float64 `json:"score,omitempty"`
	Hard  bool     `json:"hard,omitempty"`
	// Outcome is scored, skipped or failed; Reason says why it is not scored: the
	// reason of the skip, or the error.type.
	Outcome string `json:"outcome"`
	Reason  string `json:"reason,omitempty"`
	// Seconds of the evaluation without, and in, the waiting for limits.
	Latency   float64 `json:"latency_seconds"`
	LimitWait float64 `json:"limit_wait_seconds"`
	// Attempts are the calls of the judge, for all of which the tokens are.
	Attempts     int   `json:"attempts,omitempty"`
	InputTokens  int64 `json:"input_tokens,omitempty"`
	OutputTokens int64 `json:"output_tokens,omitempty"`
	// CostUSD is nil where it is not known.
	CostUSD *float64 `json:"cost_usd,omitempty"`
}

func newRecord(s *samples.Sample, r evaluators.Result) Record {
	rec := Record{
		ID:     strings.Clone(s.ID), // it may be a part of the whole row
		Metric: r.Metric,
		Human:  s.Label, Hard: s.Hard,
		Outcome: r.Outcome.String(), Reason: r.Reason + r.ErrorType, // one of them at most
		Latency: seconds(r.Duration), LimitWait: seconds(r.LimitWait),
		Attempts: r.Attempts, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens,
	}
	// Copies: a pointer into the result would keep all of it, explanation included.
	if r.HasCost {
		cost := r.Cost
		rec.CostUSD = &cost
	}
	if r.Outcome == evaluators.OutcomeScored {
		score := r.Score
		rec.Judge, rec.Score = r.Label, &score
	}
	return rec
}

func seconds(d time.Duration) float64 { return max(0, d).Seconds() }

func (r *Record) scored() bool { return r.Outcome == evaluators.OutcomeScored.String() }
