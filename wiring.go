package genaievals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/emit"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
)

// judgeName is the judge's name in plans, rates and lanes.
const judgeName = "judge"

// assign finds out which evaluator asks which metrics. It returns why nothing
// is evaluated, if nothing is, and an error only for what options got wrong.
func (s *settings) assign(ctx context.Context) (_ []evaluators.Assignment, why *reason, _ error) {
	plan, err := s.plan()
	switch {
	case err != nil: // of the variable: an option's was refused before
		return nil, &reason{slog.LevelError, err.Error()}, nil
	case plan.Off:
		return nil, &reason{slog.LevelDebug, "EVALUATORS turns evaluation off"}, nil
	}
	registry, judgeOff, err := s.registry(plan)
	if err != nil {
		return nil, nil, err
	}
	if s.env.RateLimitUnreadable() && len(s.own) > 0 {
		s.logger.WarnContext(ctx, "genaievals: the application's own evaluators are off",
			"reason", envconfig.Prefix+"RATE_LIMIT cannot be read")
	}
	if judgeOff != "" {
		plan.Evaluators = slices.DeleteFunc(plan.Evaluators, isJudge)
		if len(plan.Evaluators) == 0 {
			return nil, &reason{slog.LevelWarn, "the judge is off: " + judgeOff}, nil
		}
		s.logger.WarnContext(ctx, "genaievals: the judge is off", "reason", judgeOff)
	}
	assignments, warnings, err := registry.Resolve(plan)
	for _, w := range warnings {
		s.logger.WarnContext(ctx, "genaievals: "+w.String())
	}
	switch {
	case err != nil && s.planFromOption:
		return nil, nil, fmt.Errorf("WithEvaluators: %w", err)
	case err != nil:
		return nil, &reason{slog.LevelError, err.Error()}, nil
	}
	if assignments = s.withoutUnknownJudges(ctx, assignments); len(assignments) == 0 {
		return nil, &reason{slog.LevelWarn, "EVALUATORS names no metric that exists"}, nil
	}
	return assignments, nil, nil
}

// withoutUnknownJudges takes out the metrics that ask a judge that does not
// exist: another judge's verdict, or bill, is not what was asked for.
func (s *settings) withoutUnknownJudges(ctx context.Context, assignments []evaluators.Assignment) []evaluators.Assignment {
	said := make(map[string]bool)
	unknown := func(m evaluators.Metric) bool {
		if m.Judge == "" || isJudgeName(m.Judge) {
			return false
		}
		if key := m.Name + " " + m.Judge; !said[key] {
			said[key] = true
			s.logger.WarnContext(ctx, "genaievals: a metric asks a judge that does not exist and is off; there is only "+judgeName,
				"metric", m.Name, "judge", m.Judge)
		}
		return true
	}
	return slices.DeleteFunc(assignments, func(a evaluators.Assignment) bool {
		for kind, metrics := range a.Metrics {
			if a.Metrics[kind] = slices.DeleteFunc(metrics, unknown); len(a.Metrics[kind]) == 0 {
				delete(a.Metrics, kind)
			}
		}
		return len(a.Metrics) == 0
	})
}

// plan is the one configured, or by default the judge where one is configured
// and builtin where not; evaluators of the application's own are added to it.
func (s *settings) plan() (evaluators.Plan, error) {
	text := s.env.Evaluators
	if strings.TrimSpace(text) == "" {
		text = builtin.Name
		if s.client != nil || s.env.Judge.Model != "" || s.env.Judge.BaseURL != "" {
			text = judgeName
		}
	}
	plan, err := evaluators.Parse(text)
	if err != nil || plan.Off {
		return plan, err
	}
	for _, own := range s.runnableOwn() {
		name := evaluators.NormalizeName(own.Name())
		named := func(e evaluators.PlanEvaluator) bool { return evaluators.NormalizeName(e.Name) == name }
		if !slices.ContainsFunc(plan.Evaluators, named) {
			plan.Evaluators = append(plan.Evaluators, evaluators.PlanEvaluator{Name: own.Name()})
		}
	}
	return plan, nil
}

// runnableOwn are the application's own evaluators, as long as the limits that
// they may be under can be kept.
func (s *settings) runnableOwn() []evaluators.Evaluator {
	if s.env.RateLimitUnreadable() {
		return nil
	}
	return s.own
}

func isJudge(e evaluators.PlanEvaluator) bool { return isJudgeName(e.Name) }

// isJudgeName also knows the name under which Splunk's utilities have it.
func isJudgeName(name string) bool {
	name = evaluators.NormalizeName(name)
	return name == judgeName || name == "deepeval"
}

// registry holds the application's evaluators, builtin, and the judge when the
// plan asks for it and nothing keeps it off.
func (s *settings) registry(plan evaluators.Plan) (_ *evaluators.Registry, judgeOff string, _ error) {
	r := evaluators.NewRegistry()
	var errs []error
	for _, own := range s.runnableOwn() {
		errs = append(errs, r.Add(own))
	}
	errs = append(errs, r.Add(builtin.New()))
	if slices.ContainsFunc(plan.Evaluators, isJudge) && !slices.Contains(r.Names(), judgeName) {
		e, why := s.newJudge()
		if judgeOff = why; judgeOff == "" {
			errs = append(errs, r.Add(e))
		}
	}
	return r, judgeOff, errors.Join(errs...)
}

// newJudge makes the judge, or says why there is none.
func (s *settings) newJudge() (_ *judge.Evaluator, why string) {
	if why := s.env.JudgeOff(); why != "" {
		return nil, why
	}
	client := s.client
	if client == nil {
		if client, why = s.newJudgeClient(); why != "" {
			return nil, why
		}
	}
	options := []judge.Option{
		judge.WithGate(s.judgeGate()),
		judge.WithTimeout(s.env.Judge.Timeout),
		judge.WithMaxOutputTokens(s.env.Judge.MaxOutputTokens),
	}
	if t := s.env.Judge.Temperature; t != nil {
		options = append(options, judge.WithTemperature(*t))
	}
	e, err := judge.New(client, options...)
	if err != nil {
		return nil, err.Error()
	}
	return e, ""
}

func (s *settings) newJudgeClient() (_ judge.Client, why string) {
	j := s.env.Judge
	key, withheld := j.Key()
	switch {
	case j.Model == "":
		return nil, envconfig.Prefix + "JUDGE_MODEL is not set"
	case key == "" && j.BaseURL == "":
		return nil, "neither " + envconfig.Prefix + "JUDGE_API_KEY nor OPENAI_API_KEY is set"
	case withheld != "":
		s.logger.Warn("genaievals: OPENAI_API_KEY is not sent to the judge, which is not OpenAI's; set its own key",
			"variable", envconfig.Prefix+"JUDGE_API_KEY", "host", withheld)
	}
	connections := 1
	if s.env.Concurrent {
		connections = s.env.Workers * s.env.MaxConcurrent
	}
	c, err := openai.New(openai.Config{
		BaseURL: j.BaseURL, APIKey: key, AuthHeader: j.AuthHeader, Headers: j.Headers,
		Model: j.Model, MaxConnections: connections,
	})
	if err != nil {
		return nil, err.Error()
	}
	return c, ""
}

// judgeGate keeps the rate that names the judge, else the one without a name;
// nil where there is neither.
func (s *settings) judgeGate() *limit.Gate {
	rate, ok := s.env.RateLimit[""]
	for name, named := range s.env.RateLimit {
		if isJudgeName(name) {
			rate, ok = named, true
		}
	}
	if !ok {
		return nil
	}
	return limit.NewGate(limit.WithRate(rate))
}

func (s *settings) newManager(assignments []evaluators.Assignment) (*manager.Manager, error) {
	emitter, err := emit.New(emit.Config{
		TracerProvider: s.tracerProvider, MeterProvider: s.meterProvider, LoggerProvider: s.loggerProvider,
		SingleMetric: s.env.UseSingleMetric, Span: spanMode(s.env.Span),
		Explanation: s.env.Explanation, Baggage: s.env.Baggage,
		Aggregate: s.env.ResultsAggregation, Monitoring: s.env.Monitoring,
	})
	if err != nil {
		return nil, err
	}
	cfg := manager.Config{
		Assignments: assignments, Gates: s.gates(assignments), Emitter: emitter, Meter: s.meter(),
		Concurrent: s.env.Concurrent, Workers: s.env.Workers, MaxConcurrent: s.env.MaxConcurrent,
		Throttle: s.env.Throttle, Timeout: s.env.Timeout,
		QueueSize: s.env.QueueSize, QueueBytes: s.env.QueueBytes, MaxAge: s.env.MaxAge,
		SampleRate: &s.env.SampleRate, Sampler: s.sampler, Unsampled: s.env.Unsampled,
		Aggregate: s.env.ResultsAggregation, WithoutBaggage: !s.env.Baggage, Redactor: s.redactor,
		ResultHandlers: s.resultHandlers, DropHandlers: s.dropHandlers,
		ShutdownTimeout: s.env.ShutdownTimeout, Logger: s.logger,
	}
	if s.env.QueuePolicy == envconfig.DropOldest {
		cfg.QueuePolicy = manager.DropOldest
	}
	return manager.New(cfg)
}

// gates keep the rates of evaluators that pass no gate of their own, which the
// judge does; an application's own evaluator by that name may not. It warns of
// rates that are nobody's.
func (s *settings) gates(assignments []evaluators.Assignment) map[string]*limit.Gate {
	gates := make(map[string]*limit.Gate)
	for name, rate := range s.env.RateLimit {
		i := slices.IndexFunc(assignments, func(a evaluators.Assignment) bool {
			own := a.Evaluator.Name()
			return isJudgeName(own) && (name == "" || isJudgeName(name)) ||
				evaluators.NormalizeName(own) == evaluators.NormalizeName(name)
		})
		switch {
		case i >= 0 && isJudgeName(assignments[i].Evaluator.Name()):
			gates[assignments[i].Evaluator.Name()] = s.judgeGate()
		case i >= 0:
			gates[assignments[i].Evaluator.Name()] = limit.NewGate(limit.WithRate(rate))
		default:
			s.logger.Warn("genaievals: a rate is set for an evaluator that does not run",
				"variable", envconfig.Prefix+"RATE_LIMIT", "evaluator", cmp.Or(name, judgeName))
		}
	}
	return gates
}

func (s *settings) meter() metric.Meter {
	if !s.env.Monitoring {
		return nil
	}
	provider := s.meterProvider
	if provider == nil {
		provider = otel.GetMeterProvider()
	}
	return provider.Meter(emit.ScopeName)
}

func spanMode(name string) emit.SpanMode {
	switch name {
	case envconfig.SpanLink:
		return emit.SpanLink
	case envconfig.SpanOff:
		return emit.SpanOff
	}
	return emit.SpanChild
}

// announce says in one line what is evaluated.
func (s *settings) announce(ctx context.Context, assignments []evaluators.Assignment) {
	var runs []string
	for _, a := range assignments {
		var metrics []string
		for kind := range instrumentation.Kinds {
			for _, m := range a.Metrics[instrumentation.Kind(kind)] {
				if !slices.Contains(metrics, m.Name) {
					metrics = append(metrics, m.Name)
				}
			}
		}
		runs = append(runs, a.Evaluator.Name()+"("+strings.Join(metrics, ",")+")")
	}
	s.logger.InfoContext(ctx, "genaievals: started",
		slog.String("evaluators", strings.Join(runs, ",")), slog.Bool("concurrent", s.env.Concurrent))
}
