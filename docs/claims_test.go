package docs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
)

// table returns the rows of the first table below a heading that has a column
// of that name, each as a map from column to cell.
func table(t *testing.T, file, below, column string) []map[string]string {
	t.Helper()
	_, text, ok := strings.Cut(page(t, file), "\n"+below+"\n")
	if !ok {
		t.Fatalf("%s has no heading %q", file, below)
	}
	var columns []string
	var rows []map[string]string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case !strings.HasPrefix(line, "|") && len(rows) > 0:
			return rows
		case !strings.HasPrefix(line, "|") || strings.HasPrefix(cells[0], "---"):
		case columns == nil:
			if slices.Contains(cells, column) {
				columns = cells
			}
		default:
			row := map[string]string{}
			for i, c := range cells {
				row[columns[i]] = c
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table with a column %q below %q", file, column, below)
	}
	return rows
}

func code(cell string) string { return strings.Trim(cell, "`") }

func TestMetricTables(t *testing.T) {
	scripted := judgetest.NewJudge()
	asked, err := judge.New(scripted)
	if err != nil {
		t.Fatal(err)
	}
	for heading, e := range map[string]evaluators.Evaluator{"## judge": asked, "## builtin": builtin.New()} {
		var got []map[string]string
		for _, row := range table(t, "metrics.md", heading, "direction") {
			got = append(got, map[string]string{
				"metric": code(row["metric"]), "needs": row["needs"], "direction": row["direction"],
				"threshold": row["threshold"], "labels": row["labels"],
			})
		}
		var want []map[string]string
		for _, m := range e.Metrics() {
			want = append(want, map[string]string{
				"metric": m.Name, "needs": needs(m.Needs), "direction": m.Direction.String(),
				"threshold": strconv.FormatFloat(m.Threshold, 'f', -1, 64), "labels": strings.Join(m.Labels, ", "),
			})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: code -want, metrics.md +got:\n%s", heading, diff)
		}
	}

	full := &evaluators.Case{
		Input: "i", Output: "o", System: "s", Choices: 1, ID: "id",
		History:   []evaluators.Turn{{Role: "user", Text: "h"}},
		Documents: []instrumentation.Document{{ID: "d", Text: "text"}},
	}
	for _, m := range asked.Metrics() {
		asked.Evaluate(t.Context(), full, []evaluators.Metric{m})
	}
	calls := scripted.Calls()
	for i, row := range table(t, "metrics.md", "## judge", "direction") {
		var document map[string]any
		if err := json.Unmarshal([]byte(calls[i].Request.Messages[1].Text), &document); err != nil {
			t.Fatal(err)
		}
		documented := strings.Split(row["shown to the judge"], ", ")
		slices.Sort(documented)
		if shown := slices.Sorted(maps.Keys(document)); !slices.Equal(shown, documented) {
			t.Errorf("%s is shown %q, documented %q", calls[i].Request.Metrics[0], shown, documented)
		}
		if n := len(calls[i].Request.Messages[0].Text); n < 1000 || n > 1250 {
			t.Errorf("the instructions of %s have %d bytes, documented about 1.1 kB", calls[i].Request.Metrics[0], n)
		}
	}
}

func needs(n evaluators.Need) string {
	var out []string
	for _, f := range []struct {
		need evaluators.Need
		name string
	}{{evaluators.NeedInput, "input"}, {evaluators.NeedOutput, "output"}, {evaluators.NeedDocuments, "documents"}, {evaluators.NeedDocumentsOrInput, "documents or input"}} {
		if n&f.need != 0 {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, ", ")
}

func TestBurstTable(t *testing.T) {
	windows := map[string]time.Duration{"in 1 s": time.Second, "in 10 s": 10 * time.Second, "in 60 s": time.Minute}
	for _, row := range table(t, "cookbook.md", "### Bursts", "in 10 s") {
		rate, err := limit.ParseRate(code(row["`RATE_LIMIT`"]))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			gate, began := limit.NewGate(limit.WithRate(rate)), time.Now()
			var sends []time.Duration
			for len(sends) == 0 || sends[len(sends)-1] < 2*time.Minute {
				permit, err := gate.Acquire(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				permit.Release()
				sends = append(sends, time.Since(began))
			}
			for column, window := range windows {
				most, first := 0, 0
				for i, at := range sends {
					for at-sends[first] >= window {
						first++
					}
					most = max(most, i-first+1)
				}
				if row[column] != fmt.Sprint(most) {
					t.Errorf("%s %s: %d calls, documented %s", rate, column, most, row[column])
				}
			}
		})
	}
}

func TestWorkersTable(t *testing.T) {
	set(t, "")
	column := regexp.MustCompile(`^(\d) workers?$`)
	for _, row := range table(t, "cookbook.md", "### Concurrency is not rate", "2 workers") {
		latency, err := time.ParseDuration(strings.ReplaceAll(row["the judge takes"], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		for name, cell := range row {
			m := column.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			workers, _ := strconv.Atoi(m[1])
			documented, err := strconv.Atoi(strings.TrimSuffix(cell, " %"))
			if err != nil {
				t.Fatal(err)
			}
			// How the workers' calls fall between each other differs from run to
			// run, so the median of several counts.
			var shares []float64
			for range 7 {
				synctest.Test(t, func(t *testing.T) { shares = append(shares, shareOfRate(t, latency, workers)) })
			}
			slices.Sort(shares)
			if share := shares[len(shares)/2]; math.Abs(share-float64(documented)) > 5 {
				t.Errorf("%v, %s: %.1f %% of the rate is used, documented %d %%", latency, name, share, documented)
			}
		}
	}
}

// shareOfRate evaluates 50 answers on four metrics at strict:2/sec, and returns
// how much of the rate was used, in percent.
func shareOfRate(t *testing.T, latency time.Duration, workers int) float64 {
	const answers, apart = 50, 500 * time.Millisecond
	scripted := judgetest.NewJudge(judgetest.WithDelay(latency))
	handler := instrumentation.NewHandler()
	evals, err := genaievals.Start(t.Context(), quietly(), genaievals.WithHandler(handler),
		genaievals.WithJudgeClient(scripted), genaievals.WithConcurrent(true), genaievals.WithWorkers(workers), genaievals.WithRateLimit("strict:2/sec"))
	if err != nil {
		t.Fatal(err)
	}
	for range answers {
		documented := instrumentation.WithDocuments(t.Context(), instrumentation.Document{Text: "30 days."})
		_, inv := handler.StartInference(documented, instrumentation.Inference{Input: []instrumentation.Message{instrumentation.UserMessage("How long?")}})
		inv.SetOutput(instrumentation.AssistantMessage("30 days."))
		inv.End()
	}
	_ = evals.Flush(t.Context())
	if err := evals.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	calls := scripted.Calls()
	if len(calls) != 4*answers {
		t.Errorf("%d calls, want %d", len(calls), 4*answers)
	}
	took := calls[len(calls)-1].Started.Sub(calls[0].Started)
	return 100 * float64(len(calls)-1) * apart.Seconds() / took.Seconds()
}

// Everything that the manager reports about itself is in telemetry.md, with
// its kind, unit and attributes, and nothing else is.
func TestSelfTelemetryTable(t *testing.T) {
	documented := map[string]string{}
	for _, row := range table(t, "telemetry.md", "## Self-telemetry", "kind, unit") {
		name, _, _ := strings.Cut(strings.TrimPrefix(row["instrument"], "`"), "`")
		keys := regexp.MustCompile("`([a-z_]+[.][a-z_.]+)`").FindAllStringSubmatch(row["attributes"], -1)
		list := []string{"genaievals.manager"}
		for _, k := range keys {
			list = append(list, k[1])
		}
		slices.Sort(list)
		documented[name] = strings.ReplaceAll(row["kind, unit"], "`", "") + " " + strings.Join(slices.Compact(list), " ")
	}
	set(t, "")
	synctest.Test(t, func(t *testing.T) {
		reader := sdkmetric.NewManualReader()
		meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
		handler := instrumentation.NewHandler()
		evals, err := genaievals.Start(t.Context(), quietly(), genaievals.WithHandler(handler), genaievals.WithMeterProvider(meters),
			genaievals.WithRateLimit("600/min"), genaievals.WithTokenLimit("9000000/min"), genaievals.WithBudget("9000000tokens/hour"),
			genaievals.WithQueueSize(1), genaievals.WithMaxInFlight(8),
			genaievals.WithJudgeClient(judgetest.NewJudge(judgetest.WithAnswers("bias", judgetest.Fail(evaluators.ErrorJudgeBadRequest)),
				judgetest.WithPolicies(judgetest.Bucket(20, time.Minute, 1))))) // to be learned
		if err != nil {
			t.Fatal(err)
		}
		answer := func(text string) {
			_, inv := handler.StartInference(t.Context(), instrumentation.Inference{Input: []instrumentation.Message{instrumentation.UserMessage("How long?")}})
			inv.SetOutput(instrumentation.AssistantMessage(text))
			inv.End()
		}
		answered := func() { answer("30 days.") }
		for range 3 { // one of them to be dropped
			answered()
		}
		_ = evals.Flush(t.Context())
		answer(strings.Repeat("30 days. ", 20_000)) // to be cut
		for range 30 {                              // enough for the gate to learn
			_ = evals.Flush(t.Context())
			answered()
		}
		_, embedding := handler.StartEmbeddings(t.Context(), instrumentation.Embeddings{}) // to be skipped
		embedding.End()
		_ = evals.Flush(t.Context())
		var all metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &all); err != nil {
			t.Fatal(err)
		}
		if err := evals.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		reported := map[string]string{}
		for _, scope := range all.ScopeMetrics {
			for _, m := range scope.Metrics {
				if kind, keys := describe(m.Data); kind != "" {
					reported[m.Name] = kind + ", " + m.Unit + " " + strings.Join(keys, " ")
				}
			}
		}
		if diff := cmp.Diff(reported, documented); diff != "" {
			t.Errorf("reported -want, telemetry.md +got:\n%s", diff)
		}
	})
}

// describe returns the kind of an instrument, empty for histograms, and the
// attributes that its points have together.
func describe(data metricdata.Aggregation) (kind string, keys []string) {
	var sets []attribute.Set
	counter := func(monotonic bool) string {
		if monotonic {
			return "counter"
		}
		return "up-down counter"
	}
	switch d := data.(type) {
	case metricdata.Sum[int64]:
		kind = counter(d.IsMonotonic)
		for _, p := range d.DataPoints {
			sets = append(sets, p.Attributes)
		}
	case metricdata.Sum[float64]:
		kind = counter(d.IsMonotonic)
		for _, p := range d.DataPoints {
			sets = append(sets, p.Attributes)
		}
	case metricdata.Gauge[float64]:
		kind = "gauge"
		for _, p := range d.DataPoints {
			sets = append(sets, p.Attributes)
		}
	}
	for _, s := range sets {
		for _, kv := range s.ToSlice() {
			keys = append(keys, string(kv.Key))
		}
	}
	slices.Sort(keys)
	return kind, slices.Compact(keys)
}
