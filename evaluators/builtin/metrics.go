package builtin

import (
	"context"
	"slices"

	"github.com/genaievals/genaievals/evaluators"
)

// The metrics, by the names that are emitted.
const (
	MetricBias            = "bias"             // always asks for a judge
	MetricToxicity        = "toxicity"         // overt insults and threats
	MetricSentiment       = "sentiment"        // the tone of the words
	MetricAnswerRelevancy = "answer_relevancy" // whether the question's topic is met
	MetricFaithfulness    = "faithfulness"     // whether the documents support it
	MetricLength          = "length"           // characters, words or sentences within limits
	MetricExactMatch      = "exact_match"      // the same as the expected output
	MetricTokenF1         = "token_f1"         // words in common with the expected output
	MetricRougeL          = "rouge_l"          // words in common with it, in order
	MetricContains        = "contains"         // texts that must or must not be in it
	MetricPatternMatch    = "pattern_match"    // regular expressions that must or must not match
	MetricJSONValidity    = "json_validity"    // valid JSON, and by a schema
	MetricRefusal         = "refusal"          // whether it declines to answer
	MetricLanguage        = "language"         // written in the language wanted
	MetricPersonalData    = "personal_data"    // addresses, card numbers, keys
	MetricReadability     = "readability"      // Flesch's reading ease
)

// metric is one row of the table that announces and dispatches.
type metric struct {
	evaluators.Metric
	// method is what [AttributeMethod] says.
	method string
	// byDefault: asked where the plan names no metrics.
	byDefault bool
	// prepare reads the options and returns what judges. It is called once for
	// each place in a plan.
	prepare func(*settings) judging
}

// modelled: a model, where there is one, has a part in every result.
func (m metric) modelled() bool {
	return m.Name == MetricToxicity || m.Name == MetricSentiment || m.Name == MetricAnswerRelevancy
}

// judging is how a metric comes to its result. An error means that ctx ended.
type judging func(context.Context, *subject) (evaluators.Result, error)

// prepared is what is kept in [evaluators.Metric.Prepared].
type prepared struct{ judge judging }

// plainly is for metrics without options.
func plainly(j judging) func(*settings) judging {
	return func(*settings) judging { return j }
}

// announced returns the row as the contract wants it, a copy.
func (m metric) announced() evaluators.Metric {
	a := m.Metric
	a.Labels, a.ParamNames = slices.Clone(a.Labels), slices.Clone(a.ParamNames)
	return a
}

const (
	higher = evaluators.HigherIsBetter
	lower  = evaluators.LowerIsBetter

	needOutput    = evaluators.NeedOutput
	needInput     = evaluators.NeedInput
	needDocuments = evaluators.NeedDocuments
	needExpected  = evaluators.NeedExpected
)

// metrics is the table of all metrics, in the order in which they are announced.
var metrics = []metric{
	{
		row(MetricBias, lower, 0.5, needOutput, "Biased", "Not Biased"),
		"none", false, plainly(judgeBias),
	},
	{
		row(MetricToxicity, lower, 0.5, needOutput, labelToxic, labelNonToxic),
		"lexicon", true, plainly(judgeToxicity),
	},
	{
		row(MetricSentiment, higher, negativeBelow, needOutput, labelNegative, labelNeutral, labelPositive),
		"vader/2", true, plainly(judgeSentiment),
	},
	{
		row(MetricAnswerRelevancy, higher, 0.5, needInput|needOutput, labelRelevant, labelIrrelevant),
		"question_coverage/3", true, plainly(judgeRelevancy),
	},
	{
		row(MetricFaithfulness, higher, 1, needOutput|needDocuments, labelFaithful, labelUnfaithful),
		"lexical_grounding/3", true, plainly(judgeFaithfulness),
	},
	{
		with(row(MetricLength, higher, 0.5, needOutput, labelWithin, labelTooShort, labelTooLong), "min", "max", "unit"),
		"count", false, prepareLength,
	},
	{
		with(row(MetricExactMatch, higher, 0.5, needOutput|needExpected, labelMatch, labelNoMatch),
			"ignore_case", "ignore_blanks", "ignore_punctuation"),
		"comparison", false, prepareExactMatch,
	},
	{
		row(MetricTokenF1, higher, similarFrom, needOutput|needExpected, labelSimilar, labelDifferent),
		"token_overlap", false, plainly(judgeTokenF1),
	},
	{
		row(MetricRougeL, higher, similarFrom, needOutput|needExpected, labelSimilar, labelDifferent),
		"longest_common_subsequence", false, plainly(judgeRougeL),
	},
	{
		with(row(MetricContains, higher, 1, needOutput, labelMatch, labelNoMatch), "all", "any", "absent", "ignore_case"),
		"substring", false, prepareContains,
	},
	{
		with(row(MetricPatternMatch, higher, 1, needOutput, labelMatch, labelNoMatch), "pattern", "absent", "ignore_case"),
		"regular_expression", false, preparePatternMatch,
	},
	{
		with(row(MetricJSONValidity, higher, 0.5, needOutput, labelValid, labelInvalid), "schema", "fence"),
		"json_parser", false, prepareJSONValidity,
	},
	{
		row(MetricRefusal, lower, 0.5, needOutput, labelRefused, labelAnswered),
		"phrases", false, plainly(judgeRefusal),
	},
	{
		with(row(MetricLanguage, higher, 0.5, needOutput, labelExpectedLanguage, labelOtherLanguage), "expect"),
		"trigrams", false, prepareLanguage,
	},
	{
		with(row(MetricPersonalData, lower, 0, needOutput, labelFound, labelNoneFound), "kinds"),
		"patterns_and_checksums", false, preparePersonalData,
	},
	{
		with(row(MetricReadability, higher, difficultBelow, needOutput, labelDifficult, labelStandard, labelEasy), "min_words"),
		"flesch_reading_ease", false, prepareReadability,
	},
}

// byName finds a row.
var byName = func() map[string]*metric {
	m := make(map[string]*metric, len(metrics))
	for i := range metrics {
		m[metrics[i].Name] = &metrics[i]
	}
	return m
}()

func row(name string, d evaluators.Direction, threshold float64, needs evaluators.Need, labels ...string) evaluators.Metric {
	return evaluators.Metric{Name: name, Direction: d, Threshold: threshold, Needs: needs, Labels: labels}
}

// with adds the names of a metric's own options.
func with(m evaluators.Metric, options ...string) evaluators.Metric {
	m.ParamNames = options
	return m
}
