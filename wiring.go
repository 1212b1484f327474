package genaievals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
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
	registry, err := s.registry(ctx)
	if err != nil {
		return nil, nil, err
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
	assignments, judgesOff := s.setUpJudges(ctx, s.toTheirJudges(ctx, assignments))
	switch {
	case len(assignments) > 0:
		return assignments, nil, nil
	case judgesOff != "":
		return nil, &reason{slog.LevelWarn, judgesOff}, nil
	}
	return nil, &reason{slog.LevelWarn, "EVALUATORS names no metric that exists"}, nil
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

// runnableOwn are the application's own evaluators of which all limits that
// they may be under can be kept.
func (s *settings) runnableOwn() []evaluators.Evaluator {
	return slices.DeleteFunc(slices.Clone(s.own), func(e evaluators.Evaluator) bool { return s.ownOff(e) != "" })
}

// ownOff says why one of the application's own evaluators must not run: a limit
// that it may be under cannot be read, or is one of tokens or of money, which
// only a judge's own gate counts. A gate that it passes itself is its business.
func (s *settings) ownOff(e evaluators.Evaluator) string {
	if s.env.RateLimitUnreadable() {
		return envconfig.Prefix + "RATE_LIMIT cannot be read"
	}
	if g, ok := e.(interface{ Gate() *limit.Gate }); ok && g.Gate() != nil {
		return ""
	}
	limits := s.limitsOfOwn(e)
	switch {
	case !limits.Tokens.Unlimited() || !limits.Budget.Unlimited():
		return "a token limit or a budget holds for it, and it has no gate that counts tokens"
	case isJudge(e):
		return s.env.LimitsOff(e.Name())
	}
	return ""
}

// limitsOfOwn are the limits that name one of the application's own
// evaluators, and for a judge else those that hold for every judge.
func (s *settings) limitsOfOwn(e evaluators.Evaluator) envconfig.Limits {
	if isJudge(e) {
		return s.env.LimitsOf(e.Name())
	}
	return s.env.LimitsNaming(e.Name())
}

// isJudge reports whether one of the application's own evaluators is a judge.
func isJudge(e evaluators.Evaluator) bool {
	return e.Type() == evaluators.TypeLLMJudge || isJudgeName(e.Name())
}

// registry holds the application's evaluators, builtin, and all judges, those
// that are configured as a description only.
func (s *settings) registry(ctx context.Context) (*evaluators.Registry, error) {
	r := evaluators.NewRegistry()
	var errs []error
	s.judges = nil
	off := make(map[string][]string) // by reason
	for _, own := range s.own {
		if why := s.ownOff(own); why != "" {
			off[why] = append(off[why], own.Name())
			continue
		}
		errs = append(errs, r.Add(own))
		if isJudge(own) {
			s.judges = append(s.judges, own)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(off)) {
		s.logger.WarnContext(ctx, "genaievals: the application's own evaluators are off",
			"evaluators", strings.Join(off[why], ","), "reason", why)
	}
	errs = append(errs, r.Add(builtin.New(builtin.WithShare(s.env.BuiltinShare))), s.describeJudges(r))
	return r, errors.Join(errs...)
}

func (s *settings) newManager(ctx context.Context, assignments []evaluators.Assignment) (*manager.Manager, error) {
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
		Assignments: assignments, Gates: s.gates(ctx, assignments), Emitter: emitter, Meter: s.meter(),
		Concurrent: s.env.Concurrent, Workers: s.env.Workers, WorkersMax: s.workersMax(ctx),
		MaxConcurrent: s.env.MaxConcurrent, MaxInFlight: s.env.MaxInFlight, PriorityRules: s.priorityRules,
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

// workersMax is WORKERS_MAX, or WORKERS where that is more.
func (s *settings) workersMax(ctx context.Context) int {
	if s.env.WorkersMax > 0 && s.env.WorkersMax < s.env.Workers {
		s.logger.WarnContext(ctx, "genaievals: WORKERS_MAX is less than WORKERS, which counts",
			"variable", envconfig.Prefix+"WORKERS_MAX", "workers_max", s.env.WorkersMax, "workers", s.env.Workers)
	}
	return max(s.env.Workers, s.env.WorkersMax)
}

// gates keep the rates of evaluators that pass no gate of their own, as the
// judges that Start makes do. It warns of limits that are nobody's.
func (s *settings) gates(ctx context.Context, assignments []evaluators.Assignment) map[string]*limit.Gate {
	gates := make(map[string]*limit.Gate)
	for _, a := range assignments {
		if rate := s.limitsOfOwn(a.Evaluator).Rate; !rate.Unlimited() {
			gates[a.Evaluator.Name()] = limit.NewGate(limit.WithRate(rate))
			s.keepGate(a.Evaluator.Name(), gates[a.Evaluator.Name()])
		}
	}
	warnOfNobodys(ctx, s, assignments, "RATE_LIMIT", s.env.RateLimit)
	warnOfNobodys(ctx, s, assignments, "TOKEN_LIMIT", s.env.TokenLimit)
	warnOfNobodys(ctx, s, assignments, "BUDGET", s.env.Budget)
	return gates
}

func warnOfNobodys[T any](ctx context.Context, s *settings, assignments []evaluators.Assignment, variable string, limits map[string]T) {
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		meant := func(a evaluators.Assignment) bool {
			return name == "" && isJudge(a.Evaluator) || name != "" && judgeKey(a.Evaluator.Name()) == judgeKey(name)
		}
		if !slices.ContainsFunc(assignments, meant) {
			s.logger.WarnContext(ctx, "genaievals: a limit is set for an evaluator that does not run",
				"variable", envconfig.Prefix+variable, "evaluator", cmp.Or(name, judgeName))
		}
	}
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

// modelPackage holds builtin's model. It is not imported here, so that who asks a
// judge does not carry it.
const modelPackage = "github.com/genaievals/genaievals/evaluators/builtin/semantic"

// wordListsOnly reports whether the evaluator is builtin without a model.
func wordListsOnly(a evaluators.Assignment) bool {
	b, ok := a.Evaluator.(*builtin.Evaluator)
	return ok && !b.HasModel()
}

// announce says in one line what is evaluated, and in another what is not in
// the program that could be.
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
	if slices.ContainsFunc(assignments, wordListsOnly) {
		s.logger.InfoContext(ctx, "genaievals: builtin runs without its model and tells less; import it to have it",
			slog.String("import", modelPackage))
	}
	s.logger.InfoContext(ctx, "genaievals: started",
		slog.String("evaluators", strings.Join(runs, ",")), slog.Bool("concurrent", s.env.Concurrent))
}
