package genaievals

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/dashboard/address"
	"github.com/genaievals/genaievals/internal/emit"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Option configures [Start]. Every variable has one, with the variable's range
// and default (docs/configuration.md); the option beats the variable. A value
// out of range is an error of Start.
type Option interface{ apply(*settings) error }

type optionFunc func(*settings) error

func (f optionFunc) apply(s *settings) error { return f(s) }

func set(f func(*settings)) Option {
	return optionFunc(func(s *settings) error { f(s); return nil })
}

// SpanMode says where the spans of evaluations belong.
type SpanMode = emit.SpanMode

// The modes of [WithSpan].
const (
	SpanChild = emit.SpanChild // children of the evaluated span
	SpanLink  = emit.SpanLink  // roots of their own traces, linked to it
	SpanOff   = emit.SpanOff   // none
)

// WithEvaluators sets who evaluates what, in the grammar of
// [evaluators.Parse]: EVALUATORS. A plan that cannot be read is an error of
// Start.
func WithEvaluators(plan string) Option {
	return set(func(s *settings) { s.env.Evaluators, s.planFromOption = plan, true })
}

// WithEvaluator adds evaluators of the application's own. One that the plan
// does not name runs its default metrics on all kinds that are evaluated.
func WithEvaluator(own ...evaluators.Evaluator) Option {
	return optionFunc(func(s *settings) error {
		if slices.Contains(own, nil) {
			return errors.New("WithEvaluator: an evaluator is nil")
		}
		s.own = append(s.own, own...)
		return nil
	})
}

// WithRubrics adds metrics of the application's own that every judge then has,
// to those of the file that RUBRICS names; of two with one name the option's
// counts. A rubric that cannot be asked is an error of Start, which names it and
// what is wrong.
func WithRubrics(rubrics ...judge.Rubric) Option {
	return set(func(s *settings) { s.rubricsFromOptions = append(s.rubricsFromOptions, rubrics...) })
}

// WithRubricsFile reads metrics of the application's own from a YAML file, in
// place of the one that the environment names: RUBRICS. Unlike with the
// variable, a problem in the file is an error of Start.
func WithRubricsFile(path string) Option {
	return set(func(s *settings) { s.env.Rubrics, s.rubricsFileFromOption = path, path != "" })
}

// WithSampleRate sets the fraction evaluated: SAMPLE_RATE.
func WithSampleRate(rate float64) Option {
	return set(func(s *settings) { s.env.SampleRate = rate })
}

// WithSampler decides at the door instead of the sample rate.
func WithSampler(sampler manager.Sampler) Option {
	return set(func(s *settings) { s.sampler = sampler })
}

// WithUnsampled also evaluates invocations whose span was not sampled:
// UNSAMPLED.
func WithUnsampled(on bool) Option { return set(func(s *settings) { s.env.Unsampled = on }) }

// WithConcurrent evaluates side by side, with a lane for each evaluator:
// CONCURRENT.
func WithConcurrent(on bool) Option { return set(func(s *settings) { s.env.Concurrent = on }) }

// WithWorkers sets the workers of a lane: WORKERS.
func WithWorkers(n int) Option { return set(func(s *settings) { s.env.Workers = n }) }

// WithWorkersMax sets how many workers a lane grows to on a backlog; 0 is as
// many as [WithWorkers] says: WORKERS_MAX.
func WithWorkersMax(n int) Option { return set(func(s *settings) { s.env.WorkersMax = n }) }

// WithMaxInFlight bounds the metrics that are evaluated at once in the whole
// process; 0 does not: MAX_IN_FLIGHT.
func WithMaxInFlight(n int) Option { return set(func(s *settings) { s.env.MaxInFlight = n }) }

// WithMaxConcurrent sets how many metrics of an invocation run side by side in
// a lane: MAX_CONCURRENT.
func WithMaxConcurrent(n int) Option { return set(func(s *settings) { s.env.MaxConcurrent = n }) }

// WithPriorityRules give priorities to the invocations for which the
// application states none: the first rule that matches counts. Without a match
// it is normal. See [manager.PriorityRule].
func WithPriorityRules(rules ...manager.PriorityRule) Option {
	return set(func(s *settings) { s.priorityRules = append(s.priorityRules, rules...) })
}

// WithThrottle sets the time between the starts of two metrics of an
// invocation: THROTTLE.
func WithThrottle(d time.Duration) Option { return set(func(s *settings) { s.env.Throttle = d }) }

// WithTimeout sets the deadline of one metric: TIMEOUT.
func WithTimeout(d time.Duration) Option { return set(func(s *settings) { s.env.Timeout = d }) }

// WithQueueSize sets the most invocations that wait in a lane; 0 is no limit
// by count: QUEUE_SIZE.
func WithQueueSize(n int) Option { return set(func(s *settings) { s.env.QueueSize = n }) }

// WithQueueBytes sets the most bytes that wait in a lane: QUEUE_BYTES.
func WithQueueBytes(n int64) Option { return set(func(s *settings) { s.env.QueueBytes = n }) }

// WithQueuePolicy says who goes when a queue is full: QUEUE_POLICY.
func WithQueuePolicy(p manager.QueuePolicy) Option {
	return optionFunc(func(s *settings) error {
		if p != manager.DropNewest && p != manager.DropOldest {
			return fmt.Errorf("WithQueuePolicy: no policy %d", p)
		}
		s.env.QueuePolicy = p.String()
		return nil
	})
}

// WithMaxAge sets the longest wait in a queue: MAX_AGE.
func WithMaxAge(d time.Duration) Option { return set(func(s *settings) { s.env.MaxAge = d }) }

// WithRateLimit limits the calls of each judge, and of evaluators by name, as
// in "60/min" or "mine=5/sec;judge=60/min": RATE_LIMIT.
func WithRateLimit(rates string) Option {
	return parsed("WithRateLimit", rates, envconfig.ParseRateLimits,
		func(s *settings, limits map[string]limit.Rate) { s.env.RateLimit = limits })
}

// WithTokenLimit limits the tokens of each judge, or of judges by name, as in
// "90000/min" or "judge=90000/min;fast=1000000/min": TOKEN_LIMIT.
func WithTokenLimit(rates string) Option {
	return parsed("WithTokenLimit", rates, envconfig.ParseTokenLimits,
		func(s *settings, limits map[string]limit.Rate) { s.env.TokenLimit = limits })
}

// WithBudget bounds what each judge spends, or judges by name, as in "5usd/day"
// or "judge=200000tokens/hour;fast=1usd/day": BUDGET. Money needs the judge's
// price.
func WithBudget(budgets string) Option {
	return parsed("WithBudget", budgets, envconfig.ParseBudgets,
		func(s *settings, limits map[string]limit.Budget) { s.env.Budget = limits })
}

func parsed[T any](option, text string, parse func(string) (T, error), assign func(*settings, T)) Option {
	return optionFunc(func(s *settings) error {
		value, err := parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", option, err)
		}
		assign(s, value)
		return nil
	})
}

// WithAdaptive learns from a judge's answers what it permits: ADAPTIVE.
func WithAdaptive(on bool) Option { return set(func(s *settings) { s.env.Adaptive = on }) }

// WithResultsAggregation publishes a lane's results for an invocation together:
// RESULTS_AGGREGATION.
func WithResultsAggregation(on bool) Option {
	return set(func(s *settings) { s.env.ResultsAggregation = on })
}

// WithSingleMetric records all scores in one histogram: USE_SINGLE_METRIC.
func WithSingleMetric(on bool) Option { return set(func(s *settings) { s.env.UseSingleMetric = on }) }

// WithSpan says where evaluation spans belong: SPAN.
func WithSpan(mode SpanMode) Option {
	return optionFunc(func(s *settings) error {
		if mode > SpanOff {
			return fmt.Errorf("WithSpan: no mode %d", mode)
		}
		s.env.Span = mode.String()
		return nil
	})
}

// WithMonitoring reports the evaluation's own counters: MONITORING.
func WithMonitoring(on bool) Option { return set(func(s *settings) { s.env.Monitoring = on }) }

// WithExplanation puts explanations, which can quote content, into telemetry:
// EXPLANATION.
func WithExplanation(on bool) Option { return set(func(s *settings) { s.env.Explanation = on }) }

// WithBaggage copies baggage and association properties onto results: BAGGAGE.
func WithBaggage(on bool) Option { return set(func(s *settings) { s.env.Baggage = on }) }

// WithBuiltinShare sets how much of one core builtin's model uses, from 0.05 to
// 1: BUILTIN_SHARE.
func WithBuiltinShare(share float64) Option {
	return set(func(s *settings) { s.env.BuiltinShare = share })
}

// WithDashboard serves the live page at an address, host:port or one of the other
// forms of the variable; "off" serves none: DASHBOARD. Unlike with the variable, an
// address that cannot be read or listened on, or that other machines reach while
// there is no token, is an error of Start.
func WithDashboard(addr string) Option {
	return optionFunc(func(s *settings) error {
		parsed, err := address.Parse(addr)
		if err != nil {
			return fmt.Errorf("WithDashboard: %w", err)
		}
		s.env.Dashboard, s.dashboardFromOption = parsed, true
		return nil
	})
}

// WithDashboardToken sets what the live page asks of everybody: DASHBOARD_TOKEN.
func WithDashboardToken(token string) Option {
	return set(func(s *settings) { s.env.DashboardToken = token })
}

// WithDashboardContent shows inputs and outputs of recent results on the live page,
// to who switches them on there; with a redactor there are none: DASHBOARD_CONTENT.
func WithDashboardContent(on bool) Option {
	return set(func(s *settings) { s.env.DashboardContent = on })
}

// WithTraceURL sets where the live page's trace ids link, an http or https URL with
// {trace_id} in it: TRACE_URL.
func WithTraceURL(template string) Option {
	return set(func(s *settings) { s.env.TraceURL = template })
}

// WithShutdownTimeout sets the drain time of a Shutdown whose context has no
// deadline: SHUTDOWN_TIMEOUT.
func WithShutdownTimeout(d time.Duration) Option {
	return set(func(s *settings) { s.env.ShutdownTimeout = d })
}

// WithJudge changes the first judge's settings: JUDGE_*. The function gets what the
// environment says and changes what it wants:
//
//	genaievals.WithJudge(func(j *envconfig.Judge) { j.Model = "gpt-4o-mini" })
func WithJudge(change func(j *envconfig.Judge)) Option {
	return optionFunc(func(s *settings) error {
		if change == nil {
			return errors.New("WithJudge: the function is nil")
		}
		change(&s.env.Judge)
		return nil
	})
}

// WithJudges names further judges, in place of those that the environment
// names: JUDGES. Each is set by its variables, JUDGE_FAST_MODEL and so on, and
// by [WithNamedJudge].
func WithJudges(names ...string) Option {
	return optionFunc(func(s *settings) error {
		s.env.Judges = slices.Clone(s.judgesFromOptions)
		for _, name := range names {
			if _, err := s.addJudge(name); err != nil {
				return fmt.Errorf("WithJudges: %w", err)
			}
		}
		return nil
	})
}

// WithNamedJudge adds a further judge, if it is not there yet, and changes its
// settings: JUDGES and JUDGE_<NAME>_*. The function gets what the environment
// says for that judge and changes what it wants; what stays zero falls back as
// [envconfig.Config.JudgeNamed] and [envconfig.Config.LimitsOf] say.
//
//	genaievals.WithNamedJudge("fast", func(j *envconfig.Judge) { j.Model = "gpt-4o-mini" })
func WithNamedJudge(name string, change func(j *envconfig.Judge)) Option {
	return optionFunc(func(s *settings) error {
		if change == nil {
			return errors.New("WithNamedJudge: the function is nil")
		}
		j, err := s.addJudge(name)
		if err != nil {
			return fmt.Errorf("WithNamedJudge: %w", err)
		}
		change(j)
		return nil
	})
}

// WithJudgeClient has the first judge ask through a client of the application's own
// instead of the one that JUDGE_* describe, of which only the input and output
// budgets, the mode, the temperature, the price, the timeout and the limits are
// used then.
func WithJudgeClient(c judge.Client) Option { return set(func(s *settings) { s.client = c }) }

// WithResultHandler adds a function that receives each batch of results. See
// [manager.ResultHandler].
func WithResultHandler(h manager.ResultHandler) Option {
	return optionFunc(func(s *settings) error {
		if h == nil {
			return errors.New("WithResultHandler: the function is nil")
		}
		s.resultHandlers = append(s.resultHandlers, h)
		return nil
	})
}

// WithOnDrop adds a function that is told of each invocation that a lane gave
// up. See [manager.DropHandler].
func WithOnDrop(h manager.DropHandler) Option {
	return optionFunc(func(s *settings) error {
		if h == nil {
			return errors.New("WithOnDrop: the function is nil")
		}
		s.dropHandlers = append(s.dropHandlers, h)
		return nil
	})
}

// WithRedactor sets a function that changes each case before any evaluator
// sees it. See [manager.Redactor].
func WithRedactor(r manager.Redactor) Option { return set(func(s *settings) { s.redactor = r }) }

// WithHandler evaluates what that handler records, instead of
// instrumentation.Default.
func WithHandler(h *instrumentation.Handler) Option { return set(func(s *settings) { s.handler = h }) }

// WithTracerProvider says where spans go; the default is OpenTelemetry's global
// provider. With it, [WithMeterProvider] or [WithLoggerProvider], and without
// [WithHandler], Start makes a handler on the same providers and makes it
// instrumentation's default.
func WithTracerProvider(p trace.TracerProvider) Option {
	return set(func(s *settings) { s.tracerProvider = p })
}

// WithMeterProvider says where metrics go; see [WithTracerProvider].
func WithMeterProvider(p metric.MeterProvider) Option {
	return set(func(s *settings) { s.meterProvider = p })
}

// WithLoggerProvider says where events go; see [WithTracerProvider].
func WithLoggerProvider(p log.LoggerProvider) Option {
	return set(func(s *settings) { s.loggerProvider = p })
}

// WithLogger sets where warnings go. The default is slog.Default.
func WithLogger(l *slog.Logger) Option { return set(func(s *settings) { s.logger = l }) }
