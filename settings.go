package genaievals

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/safelog"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// settings are the environment with the options laid over it.
type settings struct {
	env            envconfig.Config
	warnings       []envconfig.Warning
	planFromOption bool
	// judgesFromOptions are the further judges that options added.
	judgesFromOptions []string
	// rubrics are all that judges have: those of options, and those of the file,
	// which an option or the environment named.
	rubrics, rubricsFromOptions []judge.Rubric
	rubricsFileFromOption       bool

	dashboardFromOption bool

	own            []evaluators.Evaluator
	judges         []evaluators.Evaluator // all that a metric can name
	client         judge.Client
	sampler        manager.Sampler
	priorityRules  []manager.PriorityRule
	resultHandlers []manager.ResultHandler
	dropHandlers   []manager.DropHandler
	redactor       manager.Redactor

	handler        *instrumentation.Handler
	tracerProvider trace.TracerProvider
	meterProvider  metric.MeterProvider
	loggerProvider log.LoggerProvider
	logger         *slog.Logger

	// partly: what asks is only a part of what the environment configures, on
	// purpose, so that what is asked by nobody is no mistake.
	partly bool
	// clients are those of judges, made here.
	clients []judge.Client
	made    map[string]*limit.Gate // gates, made by Start, by the key of the evaluator's name
}

// keepGate remembers a gate for [Evals.Gate]; the first of an evaluator counts,
// which is the one that it passes.
func (s *settings) keepGate(name string, g *limit.Gate) {
	if s.made == nil {
		s.made = make(map[string]*limit.Gate)
	}
	if key := judgeKey(name); s.made[key] == nil {
		s.made[key] = g
	}
}

func newSettings(options []Option) (*settings, error) {
	s := &settings{}
	s.env, s.warnings = envconfig.Load()
	var errs []error
	for _, o := range options {
		if o != nil {
			errs = append(errs, o.apply(s))
		}
	}
	s.logger = safelog.New(s.logger)
	errs = append(errs, s.env.Validate())
	if s.planFromOption {
		_, err := evaluators.Parse(s.env.Evaluators)
		errs = append(errs, err)
	}
	errs = append(errs, s.loadRubrics())
	return s, errors.Join(errs...)
}

// addJudge adds a further judge by name, or finds it, with what its variables
// say. Until then those were nobody's.
func (s *settings) addJudge(name string) (*envconfig.Judge, error) {
	before := slices.Clone(s.env.Judges)
	j, warnings, err := s.env.AddJudge(name)
	if err != nil {
		return nil, err
	}
	for _, judge := range s.env.Judges { // name may be spelt otherwise
		if s.env.OwnOfJudge(judge) == j {
			name = judge
		}
	}
	if !slices.Contains(s.judgesFromOptions, name) {
		s.judgesFromOptions = append(s.judgesFromOptions, name)
	}
	if !slices.Contains(before, name) {
		s.warnings = slices.DeleteFunc(s.warnings, func(w envconfig.Warning) bool {
			return strings.HasPrefix(w.Name, envconfig.JudgePrefix(name))
		})
		s.warnings = append(s.warnings, warnings...)
	}
	return j, nil
}

func (s *settings) warnOfVariables(ctx context.Context) {
	for _, w := range s.warnings {
		s.logger.Log(ctx, w.Level, "genaievals: "+w.Message, "variable", w.Name)
	}
}
