package genaievals

import (
	"context"
	"log/slog"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/limit"
)

// newJudge makes a judge, or says why there is none.
func (s *settings) newJudge(ctx context.Context, name string) (_ *judge.Evaluator, why string) {
	if why := s.env.JudgeOff(name); why != "" {
		return nil, why
	}
	j := s.env.JudgeNamed(name)
	var client judge.Client
	if name == judgeName {
		client = s.client
	}
	if client == nil {
		if client, why = s.newJudgeClient(ctx, name, j); why != "" {
			return nil, why
		}
	}
	options := []judge.Option{
		judge.WithName(name),
		judge.WithGate(s.newGate(ctx, name, client)),
		judge.WithTimeout(j.Timeout),
		judge.WithMaxInputTokens(j.MaxInputTokens),
		judge.WithMaxOutputTokens(j.MaxOutputTokens),
		judge.WithMode(judgeMode(j.Mode)),
		judge.WithRubrics(s.rubrics...),
	}
	if t := j.Temperature; t != nil {
		options = append(options, judge.WithTemperature(*t))
	}
	if p := j.Price; p != nil {
		options = append(options, judge.WithPrice(p.Input, p.Output))
	}
	e, err := judge.New(client, options...)
	if err != nil {
		return nil, err.Error()
	}
	return e, ""
}

// callsAtOnce is the most calls of one judge that the manager can have in
// flight.
func (s *settings) callsAtOnce() int {
	if !s.env.Concurrent {
		return 1
	}
	n := max(s.env.Workers, s.env.WorkersMax) * s.env.MaxConcurrent
	if s.env.MaxInFlight > 0 {
		n = min(n, s.env.MaxInFlight)
	}
	return n
}

// newGate makes the gate of a judge, and says which limits it keeps: also
// those that the judge has because it has none of its own.
func (s *settings) newGate(ctx context.Context, name string, client judge.Client) *limit.Gate {
	limits := s.env.LimitsOf(name)
	attributes := []any{"judge", name}
	if d, ok := client.(judge.Describer); ok {
		e := d.Endpoint()
		attributes = append(attributes, "model", e.Model, "host", e.Address, "port", e.Port, "provider", e.Provider)
	}
	attributes = append(attributes, "rate_limit", limits.Rate, "token_limit", limits.Tokens, "budget", limits.Budget)
	options := []limit.Option{
		limit.WithRate(limits.Rate), limit.WithTokenRate(limits.Tokens), limit.WithBudget(limits.Budget),
		limit.WithBreaker(limit.Breaker{}), limit.WithListener(s.listener(name)),
	}
	if s.env.Adaptive {
		options = append(options, limit.WithAdaptive(s.callsAtOnce()))
		attributes = append(attributes, "at_once", s.callsAtOnce())
	}
	s.logger.InfoContext(ctx, "genaievals: judge", attributes...)
	gate := limit.NewGate(options...)
	s.keepGate(name, gate)
	return gate
}

// longPause is what a judge may ask for without a warning.
const longPause = time.Minute

// listener tells of a gate's changes: one warning when its judge is lost, asks
// for a long pause, or its budget is spent, one line when it is back. What
// repeats is debug: a probe that failed, a short pause.
func (s *settings) listener(name string) func(limit.Event) {
	open := false // the events come one at a time
	return func(e limit.Event) {
		level, text := slog.LevelDebug, ""
		attributes := []slog.Attr{slog.String("judge", name), slog.String("state", e.Kind.String())}
		switch e.Kind {
		case limit.EventOpened:
			text = "genaievals: the judge is not asked until it recovers; invocations wait in the queue"
			if !open {
				level = slog.LevelWarn
			}
			open = true
			attributes = append(attributes, slog.String("cause", e.Result.String()), slog.Bool("quota", e.Quota))
		case limit.EventClosed:
			open, level, text = false, slog.LevelInfo, "genaievals: the judge is asked again"
		case limit.EventSpent:
			level, text = slog.LevelWarn, "genaievals: the judge's budget is spent; its metrics are skipped"
		case limit.EventRenewed:
			level, text = slog.LevelInfo, "genaievals: the judge's budget is renewed"
		default:
			text = "genaievals: the judge asked for a pause"
			if !e.At.IsZero() && e.Until.Sub(e.At) > longPause {
				level = slog.LevelWarn
			}
		}
		if !e.Until.IsZero() {
			attributes = append(attributes, slog.Time("again_at", e.Until))
		}
		s.logger.LogAttrs(context.Background(), level, text, attributes...)
	}
}

func judgeMode(name string) judge.Mode {
	if name == envconfig.ModeCombined {
		return judge.ModeCombined
	}
	return judge.ModePerMetric
}

// variable is the name of one of a judge's variables.
func variable(judge, suffix string) string {
	if judge == judgeName {
		return envconfig.Prefix + "JUDGE_" + suffix
	}
	return envconfig.JudgePrefix(judge) + suffix
}
