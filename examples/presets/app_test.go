package presets_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/trace"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
)

// setting is a line of a preset.
type setting struct{ name, value string }

// read returns the settings of a preset. Each line is a comment or a setting
// that a shell and an env file of a container both take: no quotes, no blanks.
func read(t *testing.T, preset string) []setting {
	t.Helper()
	text, err := os.ReadFile(preset + ".env")
	if err != nil {
		t.Fatal(err)
	}
	var settings []setting
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || !strings.HasPrefix(name, envconfig.Prefix) || value == "" || strings.ContainsAny(value, " \t\"'`$;&|()#\\") {
			t.Fatalf("%s: %q is neither a comment nor a plain setting", preset, line)
		}
		settings = append(settings, setting{name, value})
	}
	if len(settings) == 0 {
		t.Fatalf("%s sets nothing", preset)
	}
	return settings
}

// apply makes a preset, and what is set beside it, all that the environment
// says of evaluation.
func apply(t *testing.T, preset string, beside ...setting) {
	t.Helper()
	defaults := envconfig.Defaults()
	for _, v := range defaults.Variables() {
		t.Setenv(v.Name, "") // an empty variable counts as not set
		for _, old := range v.OldNames {
			t.Setenv(old, "")
		}
	}
	for _, s := range append(read(t, preset), beside...) {
		t.Setenv(s.name, s.value)
	}
}

// app is an application that is evaluated under a preset.
type app struct {
	*genaievals.Evals
	t *testing.T

	mu       sync.Mutex
	scored   []string // "id metric", in the order in which they came
	other    []evaluators.Result
	dropped  map[string]int // by reason
	complain []string       // warnings
	onScore  chan struct{}  // a token for each score, as long as there is room
}

// start starts the application. It shuts down with the test, if not before:
// one instance runs in a process at a time.
func start(t *testing.T, spans trace.TracerProvider, options ...genaievals.Option) *app {
	t.Helper()
	a := &app{t: t, dropped: map[string]int{}, onScore: make(chan struct{}, 4096)}
	evals, err := genaievals.Start(context.Background(), append([]genaievals.Option{
		genaievals.WithHandler(instrumentation.NewHandler(instrumentation.WithTracerProvider(spans))),
		genaievals.WithResultHandler(a.results),
		genaievals.WithOnDrop(a.drop),
		genaievals.WithLogger(slog.New(&complaints{app: a, Handler: slog.DiscardHandler})),
	}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	if evals.Off() != "" {
		t.Fatalf("nothing is evaluated: %s", evals.Off())
	}
	a.Evals = evals
	t.Cleanup(func() { a.shutdown(ended()) })
	return a
}

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func (a *app) shutdown(ctx context.Context) { _ = a.Shutdown(ctx) }

// answer records a chat that every metric of the judge applies to.
func (a *app) answer(id string) {
	ctx := instrumentation.WithDocuments(context.Background(),
		instrumentation.Document{ID: "returns", Text: "Shoes can be returned within 30 days."})
	_, inv := a.Handler().StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "shop-small",
		Input: []instrumentation.Message{instrumentation.UserMessage("How long can I return shoes?")},
	})
	inv.SetOutput(instrumentation.AssistantMessage("You can return shoes within 30 days."))
	inv.SetResponse(id, "shop-small", "stop")
	inv.End()
}

func (a *app) results(inv *instrumentation.Invocation, results []evaluators.Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range results {
		if r.Outcome != evaluators.OutcomeScored {
			a.other = append(a.other, r)
			continue
		}
		a.scored = append(a.scored, inv.ResponseID()+" "+r.Metric)
		select {
		case a.onScore <- struct{}{}:
		default:
		}
	}
}

func (a *app) drop(d manager.Drop) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.dropped[d.Reason]++
}

// said returns what has come so far.
func (a *app) said() (scored []string, other []evaluators.Result, dropped map[string]int, complaints []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.scored, a.other, a.dropped, a.complain
}

// lane returns the judge's lane after checking that its counts add up.
func (a *app) lane() manager.LaneStatus {
	a.t.Helper()
	s := a.Status()
	if len(s.Lanes) != 1 {
		a.t.Fatalf("%d lanes, want 1: %+v", len(s.Lanes), s)
	}
	l := s.Lanes[0]
	tasks := uint64(l.Queued) + uint64(l.InFlight) + l.Done
	for _, n := range l.Dropped {
		tasks += n
	}
	if l.Tasks != tasks {
		a.t.Errorf("the lane's counts do not add up: %+v", l)
	}
	return l
}

// complaints keeps warnings, all but those about drops.
type complaints struct {
	slog.Handler
	app *app
}

func (c *complaints) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

func (c *complaints) Handle(_ context.Context, r slog.Record) error {
	if !strings.Contains(r.Message, "dropped") {
		c.app.mu.Lock()
		defer c.app.mu.Unlock()
		c.app.complain = append(c.app.complain, r.Message)
	}
	return nil
}
