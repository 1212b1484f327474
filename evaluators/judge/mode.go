package judge

// Mode says how many metrics of one case a call asks.
type Mode uint8

// The modes.
const (
	// ModePerMetric asks each metric in a call of its own, so that none colours
	// another. Faithfulness and hallucination rest on the same verdicts on the
	// same claims: where both are asked of a case with documents, one call
	// serves both.
	ModePerMetric Mode = iota
	// ModeCombined asks all metrics of a case in one call, up to
	// [MaxCombined]: cheaper, at the price of metrics that may colour each other. A
	// metric that the answer leaves out or gets wrong is asked again in a call of
	// its own.
	ModeCombined
)

// MaxCombined is the most metrics of one combined call; more are spread over
// several.
const MaxCombined = 8

// String returns per_metric or combined.
func (m Mode) String() string {
	if m == ModeCombined {
		return "combined"
	}
	return "per_metric"
}
