package genaievals

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// loadRubrics reads the file of rubrics and puts those of options before its
// own. What is wrong with a file that the environment names is warned about,
// problem by problem, and takes only the metrics with it that have one; what an
// option got wrong is an error.
func (s *settings) loadRubrics() error {
	s.rubrics = s.rubricsFromOptions
	if err := checkRubrics(s.rubrics); err != nil {
		return fmt.Errorf("WithRubrics: %w", err)
	}
	if s.env.Rubrics == "" {
		return nil
	}
	rubrics, err := judge.LoadRubrics(s.env.Rubrics)
	if err != nil && s.rubricsFileFromOption {
		return fmt.Errorf("WithRubricsFile: %w", err)
	}
	for _, problem := range problems(err) {
		s.warnOfRubrics(problem)
	}
	for _, r := range rubrics {
		same := func(other judge.Rubric) bool {
			return evaluators.NormalizeName(other.Name) == evaluators.NormalizeName(r.Name)
		}
		if slices.ContainsFunc(s.rubricsFromOptions, same) {
			s.warnOfRubrics(fmt.Errorf("%s: rubric %q: there is an option of that name, which counts", s.env.Rubrics, r.Name))
			continue
		}
		s.rubrics = append(slices.Clone(s.rubrics), r)
	}
	if err := checkRubrics(s.rubrics); err != nil { // too many, together with those of options
		if s.rubricsFileFromOption {
			return fmt.Errorf("WithRubricsFile: %w", err)
		}
		s.warnOfRubrics(err)
		s.rubrics = s.rubricsFromOptions
	}
	return nil
}

func (s *settings) warnOfRubrics(problem error) {
	s.warnings = append(s.warnings, envconfig.Warning{
		Name: envconfig.Prefix + "RUBRICS", Level: slog.LevelWarn, Message: "not used: " + problem.Error(),
	})
}

// checkRubrics says what keeps a judge from having these metrics.
func checkRubrics(rubrics []judge.Rubric) error {
	_, err := judge.New(noClient{}, judge.WithRubrics(rubrics...))
	return err
}

// problems are the errors that are joined in one.
func problems(err error) []error {
	var joined interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &joined):
		return joined.Unwrap()
	}
	return []error{err}
}

// warnOfUnaskedRubrics tells of own metrics that are there in vain: a judge has
// them and nothing asks.
func (s *settings) warnOfUnaskedRubrics(ctx context.Context, assignments []evaluators.Assignment) {
	asked := make(map[string]bool)
	for _, a := range assignments {
		if s.judgeNamed(a.Evaluator.Name()) == nil {
			continue
		}
		for _, metrics := range a.Metrics {
			for _, m := range metrics {
				asked[evaluators.NormalizeName(m.Name)] = true
			}
		}
	}
	var unasked []string
	for _, r := range s.rubrics {
		if !asked[evaluators.NormalizeName(r.Name)] {
			unasked = append(unasked, r.Name)
		}
	}
	if len(unasked) > 0 {
		s.logger.WarnContext(ctx, "genaievals: EVALUATORS asks no judge for these rubrics",
			"variable", envconfig.Prefix+"RUBRICS", "metrics", strings.Join(unasked, ","))
	}
}
