package manager_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// collect reads every series of a reader as "name{attributes} value".
func collect(t *testing.T, reader metric.Reader) map[string]float64 {
	t.Helper()
	var data metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	series := make(map[string]float64)
	put := func(name string, set attribute.Set, value float64) {
		series[name+"{"+set.Encoded(attribute.DefaultEncoder())+"}"] = value
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch d := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, float64(p.Value))
				}
			case metricdata.Sum[float64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, p.Value)
				}
			case metricdata.Gauge[float64]:
				for _, p := range d.DataPoints {
					put(m.Name, p.Attributes, p.Value)
				}
			default:
				t.Errorf("%s is a %T", m.Name, d)
			}
		}
	}
	return series
}

func TestSelfTelemetryReportsTheCounters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := metric.NewManualReader()
		meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("test")
		rate, _ := limit.ParseRate("60/min")
		d := newDouble(func(ctx context.Context, c *evaluators.Case, m evaluators.Metric) evaluators.Result {
			if c.Output == "fails" {
				failed := evaluators.Failed(m.Name, "own_type", nil)
				failed.InputCut = 1000
				return failed
			}
			return good(10*time.Second)(ctx, c, m)
		}, "quality")
		cfg := manager.Config{
			Name: "one", Meter: meter, QueueSize: 2, Timeout: time.Minute, MaxInFlight: 5,
			Gates: map[string]*limit.Gate{"double": limit.NewGate(limit.WithRate(rate))},
		}
		b := newBundle(t, cfg, d).start(t)
		b.invoke("fails")
		synctest.Wait()
		b.invoke("scored")
		time.Sleep(2 * time.Second) // for its permit
		synctest.Wait()
		for range 3 {
			b.invoke("waits") // the third is dropped
		}
		b.invokeIn(inTrace(1, false), "unsampled")
		time.Sleep(3 * time.Second)
		synctest.Wait()
		got := collect(t, reader)
		queued := b.Status().Lanes[0].QueuedBytes
		want := map[string]float64{
			"genaievals.invocations{genaievals.manager=one,genaievals.outcome=fanned_out}":                                                                                        5,
			"genaievals.invocations{genaievals.manager=one,genaievals.outcome=skipped,genaievals.reason=unsampled}":                                                               1,
			"genaievals.lane.tasks{genaievals.lane=sequential,genaievals.manager=one,genaievals.outcome=done}":                                                                    1,
			"genaievals.lane.tasks{genaievals.lane=sequential,genaievals.manager=one,genaievals.outcome=dropped,genaievals.reason=queue_full}":                                    1,
			"gen_ai.evaluation.client.enqueue.errors{error.type=queue_full,genaievals.lane=sequential,genaievals.manager=one}":                                                    1,
			"gen_ai.evaluation.client.queue.size{genaievals.lane=sequential,genaievals.manager=one}":                                                                              2,
			"genaievals.queue.bytes{genaievals.lane=sequential,genaievals.manager=one}":                                                                                           float64(queued),
			"genaievals.queue.age{genaievals.lane=sequential,genaievals.manager=one}":                                                                                             3,
			"genaievals.lane.workers{genaievals.lane=sequential,genaievals.manager=one,genaievals.state=busy}":                                                                    1,
			"genaievals.lane.workers{genaievals.lane=sequential,genaievals.manager=one,genaievals.state=idle}":                                                                    0,
			"genaievals.evaluations{gen_ai.evaluation.evaluator.name=double,gen_ai.evaluation.name=quality,genaievals.manager=one,genaievals.outcome=scored}":                     0,
			"genaievals.evaluations{error.type=own_type,gen_ai.evaluation.evaluator.name=double,gen_ai.evaluation.name=quality,genaievals.manager=one,genaievals.outcome=failed}": 1,
			"genaievals.evaluations.input_cut{gen_ai.evaluation.evaluator.name=double,gen_ai.evaluation.name=quality,genaievals.manager=one}":                                     1,
			"genaievals.evaluations.running{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                      1,
			"genaievals.evaluations.stuck{genaievals.lane=sequential,genaievals.manager=one}":                                                                                     0,
			"genaievals.panics{genaievals.manager=one}":                                                                                                                           0,
			"genaievals.lane.taken{genaievals.lane=sequential,genaievals.manager=one,genaievals.priority=high}":                                                                   0,
			"genaievals.lane.taken{genaievals.lane=sequential,genaievals.manager=one,genaievals.priority=normal}":                                                                 2,
			"genaievals.lane.taken{genaievals.lane=sequential,genaievals.manager=one,genaievals.priority=low}":                                                                    0,
			"genaievals.lane.worker.changes{genaievals.lane=sequential,genaievals.manager=one,genaievals.outcome=added}":                                                          0,
			"genaievals.lane.worker.changes{genaievals.lane=sequential,genaievals.manager=one,genaievals.outcome=removed}":                                                        0,
			"genaievals.slots{genaievals.manager=one,genaievals.state=taken}":                                                                                                     1,
			"genaievals.slots{genaievals.manager=one,genaievals.state=free}":                                                                                                      4,
			"genaievals.slots.waiting{genaievals.manager=one}":                                                                                                                    0,
			"genaievals.gate.in_flight{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                           1,
			"genaievals.gate.refused{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                             0,
			"genaievals.gate.pause{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                               0,
			"genaievals.gate.pauses{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                              0,
			"genaievals.gate.clamped{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                             0,
			"genaievals.gate.retries{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one,genaievals.outcome=allowed}":                                                  0,
			"genaievals.gate.retries{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one,genaievals.outcome=refused}":                                                  0,
			"genaievals.gate.admitting{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                           0,
			"genaievals.gate.waiting{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                             0,
			"genaievals.gate.limit{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                               1,
			"genaievals.gate.wait{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                                1,
			"genaievals.gate.calls{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one}":                                                                               2,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("series (-want +got):\n%s", diff)
		}
		_ = b.Shutdown(context.Background())
		last := collect(t, reader)
		for series, want := range map[string]float64{
			"genaievals.lane.tasks{genaievals.lane=sequential,genaievals.manager=one,genaievals.outcome=done}":                               2,
			"genaievals.lane.tasks{genaievals.lane=sequential,genaievals.manager=one,genaievals.outcome=dropped,genaievals.reason=shutdown}": 2,
			"gen_ai.evaluation.client.queue.size{genaievals.lane=sequential,genaievals.manager=one}":                                         0,
			"genaievals.lane.workers{genaievals.lane=sequential,genaievals.manager=one,genaievals.state=busy}":                               0,
		} {
			if got, ok := last[series]; !ok || got != want {
				t.Errorf("after shutdown %s is %v (%t), want %v", series, got, ok, want)
			}
		}
		b.Release()
		b.Release()
		if left := collect(t, reader); len(left) != 0 {
			t.Errorf("after the release %d series are still reported", len(left))
		}
	})
}

func TestSelfTelemetryReportsAllOfAGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader := metric.NewManualReader()
		meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("test")
		tokens, _ := limit.ParseRate("6000/min,burst=1000")
		budget, _ := limit.ParseBudget("2usd/hour")
		gate := limit.NewGate(limit.WithTokenRate(tokens), limit.WithAdaptive(8), limit.WithBudget(budget), limit.WithBreaker(limit.Breaker{}))
		cfg := manager.Config{Name: "one", Meter: meter, Gates: map[string]*limit.Gate{"double": gate}}
		b := newBundle(t, cfg, newDouble(good(0), "quality"))
		series := func(name string, attributes ...string) float64 {
			t.Helper()
			key := fmt.Sprintf("genaievals.gate.%s{gen_ai.evaluation.evaluator.name=double,genaievals.manager=one", name)
			for _, a := range attributes {
				key += "," + a
			}
			value, ok := collect(t, reader)[key+"}"]
			if !ok {
				t.Fatalf("there is no series %s}", key)
			}
			return value
		}
		send := func(o limit.Outcome) {
			t.Helper()
			permit, err := gate.AcquireFor(context.Background(), limit.Need{Tokens: 100, Cost: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			permit.Done(o)
		}
		send(limit.Outcome{Result: limit.ResultOK, Tokens: 400, Cost: 0.5, HasCost: true})
		for name, want := range map[string]float64{
			"token.limit": 100, "token.available": 600, "budget.left": 0.75, "ceiling": 8, "rate_limited": 0, "pause": 0, "breaker.openings": 0,
		} {
			if got := series(name); got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		if learned := series("cap"); learned < 1 || learned > 8 {
			t.Errorf("cap is %v", learned)
		}
		send(limit.Outcome{Result: limit.ResultRateLimited, Header: http.Header{"Retry-After": {"30"}}})
		if left := series("pause"); left < 30 || left > 40 || series("pauses") != 1 || series("rate_limited") != 1 {
			t.Errorf("%v s of a pause of 30 s are left, %v pauses, %v refusals", left, series("pauses"), series("rate_limited"))
		}
		time.Sleep(time.Minute)
		send(limit.Outcome{Result: limit.ResultFatal})
		for state, want := range map[string]float64{"closed": 0, "open": 1, "half_open": 0} {
			if got := series("breaker.state", "genaievals.state="+state); got != want {
				t.Errorf("the breaker is %s: %v, want %v", state, got, want)
			}
		}
		if series("breaker.openings") != 1 {
			t.Errorf("the breaker opened %v times", series("breaker.openings"))
		}
		if _, err := gate.Acquire(context.Background()); err == nil || series("refused") != 1 {
			t.Errorf("an open breaker: %v, %v refused", err, series("refused"))
		}
		b.invoke("x")
		_ = b.Shutdown(context.Background())
	})
}

func TestTwoManagersOfAProcessDoNotCollide(t *testing.T) {
	reader := metric.NewManualReader()
	meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("test")
	names := make(map[string]bool)
	for range 2 {
		b := newBundle(t, manager.Config{Meter: meter}, newDouble(good(0), "quality"))
		b.invoke("x")
		names[b.Status().Name] = true
	}
	got := collect(t, reader)
	for name := range names {
		series := fmt.Sprintf("genaievals.invocations{genaievals.manager=%s,genaievals.outcome=fanned_out}", name)
		if got[series] != 1 {
			t.Errorf("%s is %v, want 1", series, got[series])
		}
	}
	if len(names) != 2 {
		t.Errorf("the managers are called %v", names)
	}
}
