package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals"
	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/dashboard"
)

// demoFlags are what demo is told.
type demoFlags struct {
	address  string
	rate     float64
	duration time.Duration
}

func (p *program) demoCommand() *cobra.Command {
	f := &demoFlags{}
	c := &cobra.Command{
		Use:   "demo",
		Short: "See the live page: an app under steady load, offline, with a scripted judge",
		Long: `demo runs the assistant of a small shop, whose answers are made up, as an
application that has added genaievals: its calls are recorded and evaluated, by
builtin and, a part of them, by a judge that is scripted too. It has limits, refuses
calls now and then, and is down for a few seconds every two minutes.

Nothing leaves this machine, no key is needed, the variables of the environment are
not looked at, but for the page's token, and nothing is left behind.`,
		Example: `  genaievals demo

  # More load than the judge can take
  genaievals demo --rate 20 --address 127.0.0.1:9000`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return p.demo(c.Context(), f) },
	}
	c.Flags().StringVar(&f.address, "address", pageWanted, "where to serve; without: "+defaultPage+", or another port where that is taken")
	c.Flags().Lookup("address").DefValue = ""
	c.Flags().Float64Var(&f.rate, "rate", 4, "answers a second, above 0 to 1000")
	c.Flags().DurationVar(&f.duration, "duration", 0, "how long; 0 is until Ctrl-C")
	return c
}

// demoPlan asks builtin about every answer, and the judge about some: their shares
// are subsets of one another.
const demoPlan = "builtin(toxicity,sentiment,answer_relevancy,faithfulness)," +
	"judge(faithfulness(sample_rate=0.3),bias(sample_rate=0.2),answer_relevancy(sample_rate=0.1))"

func (p *program) demo(ctx context.Context, f *demoFlags) (err error) {
	wrong := func(err error) error { return &exit{exitUsage, err} }
	switch {
	case !(f.rate > 0 && f.rate <= 1000):
		return wrong(fmt.Errorf("--rate is %v, want above 0 to 1000", f.rate))
	case f.duration < 0:
		return wrong(fmt.Errorf("--duration is %v, want 0 or more", f.duration))
	}
	env, _ := envconfig.Load() // only for the page's token
	forgetEnvironment()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	con := newConsole(p.stderr)
	logger := slog.New(slog.NewTextHandler(con, &slog.HandlerOptions{Level: slog.LevelError}))

	app := &demoApp{handler: instrumentation.NewHandler(), rate: f.rate}
	client := newDemoJudge()
	var server *dashboard.Server
	offer := func(inv *instrumentation.Invocation, results []evaluators.Result) {
		for _, r := range results {
			server.Offer(dashboard.Result{Result: r, Content: func() (string, string) { return demoContent(inv) }})
		}
	}
	evals, err := genaievals.Start(ctx,
		genaievals.WithHandler(app.handler), genaievals.WithEvaluators(demoPlan), genaievals.WithConcurrent(true),
		genaievals.WithJudgeClient(client), genaievals.WithJudge(demoSettings), genaievals.WithBudget(demoBudget),
		genaievals.WithResultHandler(offer), genaievals.WithLogger(logger))
	if err != nil {
		return err
	}
	defer func() {
		err = cmp.Or(err, evals.Shutdown(context.WithoutCancel(ctx)))
	}()
	defaults := envconfig.Defaults()
	server, url, err := startPage(dashboard.Config{
		App: evals.Status, Name: "demo shop", Token: env.DashboardToken, QueueBytes: defaults.QueueBytes, Explanation: true, Content: true, Logger: logger,
	}, f.address)
	if err != nil {
		return wrong(fmt.Errorf("--address: %w", explained(err)))
	}
	shown := &page{server: server, url: url}
	defer shown.close()

	fmt.Fprintf(p.stdout, demoWelcome, url, f.rate)
	var running sync.WaitGroup
	running.Go(func() { client.fail(ctx) })
	app.serve(ctx, f.duration)
	cancel()
	running.Wait()
	return nil
}

const demoWelcome = `live page: %s

A shop's assistant answers %v questions a second; builtin scores every answer, and a
scripted judge some of them. Nothing leaves this machine. Watch for
  · answers that contradict the handbook: faithfulness below 1, with the claim
  · the judge's lane: it is refused (429) now and then and learns how much it may ask
  · after 40 s an outage of 12 s: the circuit breaker opens, the queue waits, and empties
  · calls that are not evaluated, and why
Ctrl-C ends.
`

// forgetEnvironment makes the demo the same for everybody: no judge of the
// environment is asked, and nothing of its settings counts.
func forgetEnvironment() {
	defaults := envconfig.Defaults()
	for _, v := range defaults.Variables() {
		_ = os.Unsetenv(v.Name) // that it was set is no matter
		for _, old := range v.OldNames {
			_ = os.Unsetenv(old)
		}
	}
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OTEL_INSTRUMENTATION_GENAI_") {
			_ = os.Unsetenv(name)
		}
	}
}

func demoSettings(j *envconfig.Judge) {
	j.Model = "scripted"
	if price, err := envconfig.ParsePrice(demoPrice); err == nil {
		j.Price = &price
	}
}

// demoContent is what an invocation was asked and answered.
func demoContent(inv *instrumentation.Invocation) (input, output string) {
	text := func(messages []instrumentation.Message) (all string) {
		for _, m := range messages {
			for _, part := range m.Parts {
				all += part.Content
			}
		}
		return all
	}
	return text(inv.Input()), text(inv.Output())
}

// demoApp is the application: an assistant whose calls are recorded.
type demoApp struct {
	handler *instrumentation.Handler
	rate    float64
}

// errDemo is what some calls of the assistant's model end with.
var errDemo = errors.New("the model is overloaded")

// serve answers questions at the rate until ctx ends, or the time is over; 0 is no
// end.
func (a *demoApp) serve(ctx context.Context, d time.Duration) {
	if d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // which question comes next is no secret
	tick := time.NewTicker(time.Duration(float64(time.Second) / a.rate))
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			a.answer(ctx, n, random)
		}
	}
}

// answer is one call of the assistant's model: most are answered, some fail, and
// some are only the wish to call a tool.
func (a *demoApp) answer(ctx context.Context, n int, random *rand.Rand) {
	chosen := &demoAnswers[random.IntN(len(demoAnswers))]
	if chosen.rare && random.IntN(3) > 0 {
		chosen = &demoAnswers[random.IntN(len(demoAnswers))]
	}
	ctx = instrumentation.WithDocuments(ctx, chosen.documents()...)
	_, inv := a.handler.StartInference(ctx, instrumentation.Inference{
		Provider: "openai", Model: "shop-small", Input: []instrumentation.Message{instrumentation.UserMessage(chosen.question)},
	})
	defer inv.End()
	const failEvery, toolEvery = 60, 25
	switch {
	case n%failEvery == 0:
		inv.Fail(errDemo)
		return
	case n%toolEvery == 0:
		inv.SetOutput(instrumentation.Message{
			Role:  instrumentation.RoleAssistant,
			Parts: []instrumentation.Part{instrumentation.ToolCall("call", "find_order", map[string]int{"order": n})},
		})
	default:
		inv.SetOutput(instrumentation.AssistantMessage(chosen.answer))
	}
	inv.SetResponse(fmt.Sprintf("demo-%d", n), "shop-small", "stop")
	inv.SetUsage(instrumentation.Usage{InputTokens: 180, OutputTokens: 30})
}
