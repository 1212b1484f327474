package manager

import (
	"context"
	"time"

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
	keyPriority  = attribute.Key("genaievals.priority")
	keyEvaluator = attribute.Key("gen_ai.evaluation.evaluator.name")
	keyMetric    = attribute.Key("gen_ai.evaluation.name")
	keyErrorType = attribute.Key("error.type")
)

// instruments are observable: nothing is recorded where the work is done; the
// counters kept there are read when a reader collects.
type instruments struct {
	invocations, tasks, taken, workerChanges              metric.Int64ObservableCounter
	evaluations, inputCut, enqueueErrors, panics          metric.Int64ObservableCounter
	queueSize, queueBytes, workers, running, stuck, slots metric.Int64ObservableUpDownCounter
	slotsWaiting                                          metric.Int64ObservableUpDownCounter
	queueAge                                              metric.Float64ObservableGauge
	gate                                                  gateInstruments
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
// away. Every series
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
		inputCut:      b.counter("genaievals.evaluations.input_cut", "{evaluation}", "Metrics evaluated on text that was cut because it was too long."),
		enqueueErrors: b.counter("gen_ai.evaluation.client.enqueue.errors", "{error}", "Tasks that a lane's queue did not take."),
		panics:        b.counter("genaievals.panics", "{panic}", "Contained panics of evaluators and of the application's functions."),
		queueSize:     b.upDown("gen_ai.evaluation.client.queue.size", "{invocation}", "Invocations waiting in a lane."),
		queueBytes:    b.upDown("genaievals.queue.bytes", "By", "Size of the invocations waiting in a lane."),
		workers:       b.upDown("genaievals.lane.workers", "{worker}", "Workers of a lane, by state: busy or idle."),
		running:       b.upDown("genaievals.evaluations.running", "{evaluation}", "Metrics being evaluated."),
		stuck:         b.upDown("genaievals.evaluations.stuck", "{evaluation}", "Groups that ignored their deadline and still run."),
		taken:         b.counter("genaievals.lane.taken", "{task}", "Tasks that workers took, by priority."),
		workerChanges: b.counter("genaievals.lane.worker.changes", "{worker}", "Workers that a lane added or removed."),
		slots:         b.upDown("genaievals.slots", "{evaluation}", "Evaluations that may run at once, by state of the slot: taken or free."),
		slotsWaiting:  b.upDown("genaievals.slots.waiting", "{evaluation}", "Evaluations waiting for a slot."),
		queueAge:      b.gauge("genaievals.queue.age", "s", "How long the oldest invocation has waited in a lane."),
		gate:          b.gateInstruments(),
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
	if s.Slots != nil {
		o.ObserveInt64(i.slots, int64(s.Slots.Taken), with(keyState.String("taken")))
		o.ObserveInt64(i.slots, int64(s.Slots.Limit-s.Slots.Taken), with(keyState.String("free")))
		o.ObserveInt64(i.slotsWaiting, int64(s.Slots.Waiting), with())
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
		for _, p := range l.Priorities {
			o.ObserveInt64(i.taken, int64(p.Taken), with(lane, keyPriority.String(p.Priority.String())))
		}
		o.ObserveInt64(i.queueSize, int64(l.Queued), with(lane))
		o.ObserveInt64(i.queueBytes, l.QueuedBytes, with(lane))
		o.ObserveFloat64(i.queueAge, l.OldestAge.Seconds(), with(lane))
		o.ObserveInt64(i.workers, int64(l.InFlight), with(lane, keyState.String("busy")))
		o.ObserveInt64(i.workers, int64(max(0, l.Workers-l.InFlight)), with(lane, keyState.String("idle")))
		o.ObserveInt64(i.workerChanges, int64(l.WorkersAdded), with(lane, keyOutcome.String("added")))
		o.ObserveInt64(i.workerChanges, int64(l.WorkersRemoved), with(lane, keyOutcome.String("removed")))
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
		if ms.InputCut > 0 {
			o.ObserveInt64(i.inputCut, int64(ms.InputCut), with(evaluator, name))
		}
		for reason, n := range ms.Skipped {
			o.ObserveInt64(i.evaluations, int64(n), with(evaluator, name, keyOutcome.String("skipped"), keyReason.String(reason)))
		}
		for errorType, n := range ms.Failed {
			o.ObserveInt64(i.evaluations, int64(n), with(evaluator, name, keyOutcome.String("failed"), keyErrorType.String(errorType)))
		}
	}
	if e.Gate != nil {
		i.gate.report(o, e.Gate, time.Now(), func(kv ...attribute.KeyValue) metric.ObserveOption {
			return with(append(kv, evaluator)...)
		})
	}
}
