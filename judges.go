package genaievals

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
)

// isJudgeName reports whether a name is the first judge's. It also knows the
// one under which Splunk's utilities have it.
func isJudgeName(name string) bool { return judgeKey(name) == judgeName }

// judgeKey is what is compared when names of judges are.
func judgeKey(name string) string {
	if name = evaluators.NormalizeName(name); name == "deepeval" {
		return judgeName
	}
	return name
}

// described is a judge that announces its metrics and is never asked. The plan
// is resolved with it, so that a judge which is off takes with it no metrics
// that ask another one, and one that nobody asks is never made.
type described struct{ *judge.Evaluator }

// noClient is the client of a described judge.
type noClient struct{}

func (noClient) Complete(context.Context, judge.Request) (judge.Response, error) {
	return judge.Response{}, &judge.Error{Type: evaluators.ErrorJudgeUnavailable, Err: errors.New("not set up")}
}

// describeJudges adds each configured judge to the registry, unless the
// application has an evaluator of its own by that name.
func (s *settings) describeJudges(r *evaluators.Registry) error {
	var errs []error
	for _, name := range append([]string{judgeName}, s.env.Judges...) {
		taken := func(other string) bool { return judgeKey(other) == judgeKey(name) }
		if slices.ContainsFunc(r.Names(), taken) {
			continue
		}
		e, err := judge.New(noClient{}, judge.WithName(name), judge.WithRubrics(s.rubrics...))
		if err == nil {
			err = r.Add(described{e})
			s.judges = append(s.judges, described{e})
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// judgeNamed returns the judge of that name, nil when there is none.
func (s *settings) judgeNamed(name string) evaluators.Evaluator {
	for _, e := range s.judges {
		if judgeKey(e.Name()) == judgeKey(name) {
			return e
		}
	}
	return nil
}

// toTheirJudges takes the metrics that name another judge from the one below
// which the plan has them to that other one, so that they run in its lane and
// within its limits. A metric that names a judge which does not exist, or does
// not have it, is off: another judge's verdict, or bill, is not what was asked
// for.
func (s *settings) toTheirJudges(ctx context.Context, assignments []evaluators.Assignment) []evaluators.Assignment {
	said := make(map[string]bool)
	off := func(m evaluators.Metric, why string) {
		if key := m.Name + " " + m.Judge; !said[key] {
			said[key] = true
			s.logger.WarnContext(ctx, "genaievals: a metric is off: "+why, "metric", m.Name, "judge", m.Judge)
		}
	}
	type move struct {
		to     evaluators.Evaluator
		kind   instrumentation.Kind
		metric evaluators.Metric
	}
	var moves []move
	for _, a := range assignments {
		isJudge := s.judgeNamed(a.Evaluator.Name()) != nil
		for kind := range instrumentation.Kind(instrumentation.Kinds) {
			stays := func(m evaluators.Metric) bool {
				to := s.judgeNamed(m.Judge)
				switch {
				case m.Judge == "" || judgeKey(m.Judge) == judgeKey(a.Evaluator.Name()):
					return true
				case to == nil:
					off(m, "it asks a judge that does not exist; there is "+s.judgeNames())
				case !isJudge:
					return true // what the option means is the evaluator's business
				case !slices.ContainsFunc(to.Metrics(), func(its evaluators.Metric) bool { return its.Name == m.Name }):
					off(m, "the judge that it asks does not have it")
				default:
					moves = append(moves, move{to, kind, m})
				}
				return false
			}
			var kept []evaluators.Metric
			for _, m := range a.Metrics[kind] {
				if stays(m) {
					kept = append(kept, m)
				}
			}
			if a.Metrics[kind] = kept; len(kept) == 0 {
				delete(a.Metrics, kind)
			}
		}
	}
	for _, mv := range moves {
		assignments = assign(assignments, mv.to, mv.kind, mv.metric, func() {
			off(mv.metric, "the plan has it below that judge too, which counts")
		})
	}
	return slices.DeleteFunc(assignments, func(a evaluators.Assignment) bool { return len(a.Metrics) == 0 })
}

// assign adds a metric to an evaluator's assignment, unless it is there.
func assign(assignments []evaluators.Assignment, to evaluators.Evaluator, kind instrumentation.Kind,
	m evaluators.Metric, there func(),
) []evaluators.Assignment {
	i := slices.IndexFunc(assignments, func(a evaluators.Assignment) bool { return a.Evaluator.Name() == to.Name() })
	if i < 0 {
		i = len(assignments)
		assignments = append(assignments, evaluators.Assignment{
			Evaluator: to, Metrics: make(map[instrumentation.Kind][]evaluators.Metric),
		})
	}
	metrics := assignments[i].Metrics
	if slices.ContainsFunc(metrics[kind], func(other evaluators.Metric) bool { return other.Name == m.Name }) {
		there()
		return assignments
	}
	metrics[kind] = append(metrics[kind], m)
	return assignments
}

func (s *settings) judgeNames() string {
	names := make([]string, len(s.judges))
	for i, e := range s.judges {
		names[i] = e.Name()
	}
	return strings.Join(names, ", ")
}

// setUpJudges puts judges that can be asked in the place of those that were
// only described. One that cannot is off, with its metrics, and with a warning
// where anything else is left to evaluate; otherwise why has the reasons.
func (s *settings) setUpJudges(ctx context.Context, assignments []evaluators.Assignment) (kept []evaluators.Assignment, why string) {
	type off struct{ judge, why string }
	var offs []off
	for _, a := range assignments {
		if _, ok := a.Evaluator.(described); ok {
			name := a.Evaluator.Name()
			e, why := s.newJudge(ctx, name)
			if why != "" {
				offs = append(offs, off{name, why})
				continue
			}
			a.Evaluator = e
		}
		kept = append(kept, a)
	}
	var reasons []string
	for _, o := range offs {
		if len(kept) > 0 {
			s.logger.WarnContext(ctx, "genaievals: the judge is off", "judge", o.judge, "reason", o.why)
		}
		reasons = append(reasons, "the judge is off: "+o.why)
	}
	s.warnOfUnaskedJudges(ctx, assignments)
	s.warnOfUnaskedRubrics(ctx, assignments)
	return kept, strings.Join(reasons, "; ")
}

// warnOfUnaskedJudges tells of further judges that are configured in vain.
func (s *settings) warnOfUnaskedJudges(ctx context.Context, assignments []evaluators.Assignment) {
	for _, name := range s.env.Judges {
		asked := func(a evaluators.Assignment) bool { return judgeKey(a.Evaluator.Name()) == judgeKey(name) }
		if !slices.ContainsFunc(assignments, asked) {
			s.logger.WarnContext(ctx, "genaievals: a judge is configured that no metric asks",
				"variable", envconfig.Prefix+"JUDGES", "judge", name)
		}
	}
}
