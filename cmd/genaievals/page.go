package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
)

const (
	// defaultPage is where a page is when nobody says where.
	defaultPage = "127.0.0.1:8377"
	anyPage     = "127.0.0.1:0"
	// pageWanted is an address that says only that a page is wanted.
	pageWanted = "true"
)

// page is the live page of a command. A nil page does nothing.
type page struct {
	server *dashboard.Server
	url    string
	status atomic.Pointer[func() runner.Status]
}

// startPage serves a page. At the default address another port will do where that
// one is taken.
func startPage(cfg dashboard.Config, address string) (*dashboard.Server, string, error) {
	server, err := dashboard.New(cfg)
	if err != nil {
		return nil, "", err
	}
	if address != pageWanted {
		url, err := server.Start(address)
		return server, url, err
	}
	url, err := server.Start(defaultPage)
	if errors.Is(err, syscall.EADDRINUSE) || isListenError(err) {
		url, err = server.Start(anyPage)
	}
	return server, url, err
}

// explained says how to have what an address needs.
func explained(err error) error {
	if errors.Is(err, dashboard.ErrTokenRequired) {
		return fmt.Errorf("%w: set %sDASHBOARD_TOKEN", err, envconfig.Prefix)
	}
	return err
}

// isListenError reports whether an address could not be had: systems word that in
// different ways.
func isListenError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "listen"
}

// openPage serves the page of a run, if one is wanted.
func (p *program) openPage(r *datasetRun) error {
	switch strings.ToLower(r.f.dashboard) {
	case "", "off", "false", "no":
		return nil
	}
	out := &page{}
	server, url, err := startPage(dashboard.Config{
		Run: out.run, Gates: r.gatesNow, Name: r.header.Run, Explanation: r.env.Explanation, Content: r.f.content,
		Token:  r.env.DashboardToken,
		Logger: slog.New(slog.NewTextHandler(r.con, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}, r.f.dashboard)
	if err != nil {
		return fmt.Errorf("--dashboard: %w", explained(err))
	}
	out.server, out.url = server, url
	r.page = out
	r.con.say("live page: %s", url)
	return r.recall()
}

// recall has the page know what the journal keeps of the parts of the run before:
// the gates are held against all of it.
func (r *datasetRun) recall() error {
	if r.journal == nil || r.journal.Recovered().Items == 0 {
		return nil
	}
	in, err := journal.Read(r.f.journal)
	if err != nil {
		return err
	}
	defer in.Close()
	for rec, err := range in.Records() {
		if err != nil {
			return err
		}
		kept := *rec
		kept.Results = slices.DeleteFunc(slices.Clone(rec.Results), func(result evaluators.Result) bool {
			return result.Outcome == evaluators.OutcomeFailed // it is asked again
		})
		if len(kept.Results) > 0 {
			r.live.add(&kept)
		}
	}
	return nil
}

// show has the page tell of a run that has begun.
func (p *page) show(status func() runner.Status) {
	if p != nil {
		p.status.Store(&status)
	}
}

func (p *page) run() runner.Status {
	if status := p.status.Load(); status != nil {
		return (*status)()
	}
	return runner.Status{}
}

// offer shows the results of a record.
func (p *page) offer(rec *runner.Record) {
	if p == nil {
		return
	}
	offer(p.server, rec)
}

func offer(server *dashboard.Server, rec *runner.Record) {
	for _, result := range rec.Results {
		server.Offer(dashboard.Result{
			Result: result, At: rec.At, Item: rec.ID, Line: rec.Line,
			Content: func() (input, output string) { return rec.Input, rec.Output },
		})
	}
}

// pageGoodbye is how long the last state may take to reach who watches.
const pageGoodbye = 2 * time.Second

func (p *page) close() {
	if p == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), pageGoodbye)
	defer cancel()
	_ = p.server.Shutdown(ctx) // who watches has the numbers of a moment ago
}

// gatesNow is how the gates would be decided now.
func (r *datasetRun) gatesNow() []dashboard.Gate {
	return gatesOf(r.live.report(nil), r.gates)
}

func gatesOf(rep *report.Report, gates report.Gates) []dashboard.Gate {
	if _, err := rep.Apply(gates); err != nil {
		return nil
	}
	var out []dashboard.Gate
	for _, g := range rep.Gates {
		one := dashboard.Gate{
			Name: gateName(g, rep.Gates), Now: "–", Need: bound(g) + gateValue(g, g.Limit),
			Passes: g.Passed, Unknown: g.Value == nil, WarnOnly: g.WarnOnly,
		}
		if g.Value != nil {
			one.Now = gateValue(g, *g.Value)
		}
		out = append(out, one)
	}
	return out
}

// gateName is what a gate measures, with the evaluator where another of the gates
// is on a metric of that name.
func gateName(g report.GateResult, all []report.GateResult) string {
	name := g.Metric
	for _, other := range all {
		if other.Gate == g.Gate && other.Metric == g.Metric && other.Evaluator != g.Evaluator {
			name = g.Evaluator + "." + g.Metric
		}
	}
	switch g.Gate {
	case report.FailUnder:
		return name + " mean"
	case report.MinPassRate:
		return name + " pass rate"
	}
	return "failed items"
}

func bound(g report.GateResult) string {
	if g.Bound == report.AtMost {
		return "at most "
	}
	return ""
}

// gateValue writes a number as the page does: scores as they are, shares in
// percent, items by their number.
func gateValue(g report.GateResult, v float64) string {
	switch {
	case g.Gate == report.FailUnder:
		return fmt.Sprintf("%.2f", v)
	case g.Gate == report.MaxFailed && v > 1:
		return grouped(int64(v))
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}
