package manager

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

// Attributes of the manager's own telemetry.
const (
	keyManager   = attribute.Key("genaievals.manager")
	keyLane      = attribute.Key("genaievals.lane")
	keyOutcome   = attribute.Key("genaievals.outcome")
	keyReason    = attribute.Key("genaievals.reason")
	keyState     = attribute.Key("genaievals.state")
	keyEvaluator = attribute.Key("gen_ai.evaluation.evaluator.name")
	keyMetric    = attribute.Key("gen_ai.evaluation.name")
	keyErrorType = attribute.Key("error.type")
)

// instruments are observable: nothing is recorded where the work is done; the
// counters kept there are read when a reader collects.
type instruments struct {
	invocations, tasks, evaluations, enqueueErrors, panics metric.Int64ObservableCounter
	queueSize, queueBytes, workers, running, stuck         metric.Int64ObservableUpDownCounter
	gateWaiting                                            metric.Int64ObservableUpDownCounter
	queueAge, gateRate                                     metric.Float64ObservableGauge
	gateWait                                               metric.Float64ObservableCounter
	gateSends                                              metric.Int64ObservableCounter
}

// builder makes instruments and keeps the first error.
type builder struct {
	meter metric.Meter
	all   []metric.Observable
	err   error
}

func build[T metric.Observable](b *builder, instrument T, err error) T {
	if b.err == nil {
		b.err = err
	}
	b.all = append(b.all, instrument)
	return instrument
}

func (b *builder) counter(name, unit, description string) metric.Int64ObservableCounter {
	i, err := b.meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
	return build(b, i, err)
}

func (b *builder) upDown(name, unit, description string) metric.Int64ObservableUpDownCounter {
	i, err := b.meter.Int64ObservableUpDownCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
	return build(b, i, err)
}

func (b *builder) gauge(name, unit, description string) metric.Float64ObservableGauge {
	i, err := b.meter.Float64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(description))
	return build(b, i, err)
}

func (b *builder) floatCounter(name, unit, description string) metric.Float64ObservableCounter {
	i, err := b.meter.Float64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
	return build(b, i, err)
}

// observe registers the instruments; the function returned takes the callback
// away, so that a manager that was shut down reports nothing. Every series
// carries the manager's name: two managers do not collide.
func (m *Manager) observe(meter metric.Meter) (unregister func(), err error) {
	if meter == nil {
		return func() {}, nil
	}
	b := &builder{meter: meter}
	i := &instruments{
		invocations:   b.counter("genaievals.invocations", "{invocation}", "Invocations offered, by what the door did with them."),
		tasks:         b.counter("genaievals.lane.tasks", "{task}", "Tasks that left a lane, by outcome: done or dropped."),
		evaluations:   b.counter("genaievals.evaluations", "{evaluation}", "Metrics evaluated, by outcome."),
		enqueueErrors: b.counter("gen_ai.evaluation.client.enqueue.errors", "{error}", "Tasks that a lane's queue did not take."),
		panics:        b.counter("genaievals.panics", "{panic}", "Contained panics of evaluators and of the application's functions."),
		queueSize:     b.upDown("gen_ai.evaluation.client.queue.size", "{invocation}", "Invocations waiting in a lane."),
		queueBytes:    b.upDown("genaievals.queue.bytes", "By", "Size of the invocations waiting in a lane."),
		workers:       b.upDown("genaievals.lane.workers", "{worker}", "Workers of a lane, by state: busy or idle."),
		running:       b.upDown("genaievals.evaluations.running", "{evaluation}", "Metrics being evaluated."),
		stuck:         b.upDown("genaievals.evaluations.stuck", "{evaluation}", "Groups that ignored their deadline and still run."),
		gateWaiting:   b.upDown("genaievals.gate.waiting", "{call}", "Calls waiting for a limit."),
		queueAge:      b.gauge("genaievals.queue.age", "s", "How long the oldest invocation has waited in a lane."),
		gateRate:      b.gauge("genaievals.gate.limit", "{call}/s", "Calls a second that a limit allows."),
		gateWait:      b.floatCounter("genaievals.gate.wait", "s", "Time that calls spent waiting for a limit."),
		gateSends:     b.counter("genaievals.gate.calls", "{call}", "Calls that a limit let through."),
	}
	if b.err != nil {
		return nil, b.err
	}
	registration, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		i.report(o, m.Status())
		return nil
	}, b.all...)
	if err != nil {
		return nil, err
	}
	return func() { _ = registration.Unregister() }, nil
}

func (i *instruments) report(o metric.Observer, s Status) {
	manager := keyManager.String(s.Name)
	with := func(kv ...attribute.KeyValue) metric.ObserveOption {
		return metric.WithAttributes(append(kv, manager)...)
	}
	o.ObserveInt64(i.panics, int64(s.Panics), with())
	o.ObserveInt64(i.invocations, int64(s.Door.FannedOut), with(keyOutcome.String("fanned_out")))
	for reason, n := range s.Door.Skipped {
		o.ObserveInt64(i.invocations, int64(n), with(keyOutcome.String("skipped"), keyReason.String(reason)))
	}
	for _, l := range s.Lanes {
		lane := keyLane.String(l.Name)
		o.ObserveInt64(i.tasks, int64(l.Done), with(lane, keyOutcome.String("done")))
		for reason, n := range l.Dropped {
			o.ObserveInt64(i.tasks, int64(n), with(lane, keyOutcome.String("dropped"), keyReason.String(reason)))
			if reason == DropQueueFull || reason == DropTooLarge {
				o.ObserveInt64(i.enqueueErrors, int64(n), with(lane, keyErrorType.String(reason)))
			}
		}
		o.ObserveInt64(i.queueSize, int64(l.Queued), with(lane))
		o.ObserveInt64(i.queueBytes, l.QueuedBytes, with(lane))
		o.ObserveFloat64(i.queueAge, l.OldestAge.Seconds(), with(lane))
		o.ObserveInt64(i.workers, int64(l.InFlight), with(lane, keyState.String("busy")))
		o.ObserveInt64(i.workers, int64(max(0, l.Workers-l.InFlight)), with(lane, keyState.String("idle")))
		o.ObserveInt64(i.stuck, int64(l.Stuck), with(lane))
		for _, e := range l.Evaluators {
			i.reportEvaluator(o, e, with)
		}
	}
}

func (i *instruments) reportEvaluator(o metric.Observer, e EvaluatorStatus, with func(...attribute.KeyValue) metric.ObserveOption) {
	evaluator := keyEvaluator.String(e.Name)
	o.ObserveInt64(i.running, int64(e.Running), with(evaluator))
	for _, ms := range e.Metrics {
		name := keyMetric.String(ms.Name)
		o.ObserveInt64(i.evaluations, int64(ms.Scored), with(evaluator, name, keyOutcome.String("scored")))
		for reason, n := range ms.Skipped {
			o.ObserveInt64(i.evaluations, int64(n), with(evaluator, name, keyOutcome.String("skipped"), keyReason.String(reason)))
		}
		for errorType, n := range ms.Failed {
			o.ObserveInt64(i.evaluations, int64(n), with(evaluator, name, keyOutcome.String("failed"), keyErrorType.String(errorType)))
		}
	}
	if g := e.Gate; g != nil {
		o.ObserveInt64(i.gateWaiting, int64(g.Waiting), with(evaluator))
		o.ObserveFloat64(i.gateRate, g.Rate.PerSecond, with(evaluator))
		o.ObserveFloat64(i.gateWait, g.WaitedTotal.Seconds(), with(evaluator))
		o.ObserveInt64(i.gateSends, int64(g.Sends), with(evaluator))
	}
}
