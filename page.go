package genaievals

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/manager"
)

// pageEnds is how long a shutdown waits for the live page to end, while its context
// has not ended.
const pageEnds = time.Second

// livePage is the page of an application. It listens before the manager is there, so
// that an address that is taken is found before anything runs. Nil is no page.
type livePage struct {
	server  *dashboard.Server
	manager atomic.Pointer[manager.Manager]
}

// openPage begins to listen, where a page is configured. Only what an option asked
// for is an error; for the variable there is a warning and no page.
func (s *settings) openPage(ctx context.Context) (*livePage, error) {
	if s.env.Dashboard == "" {
		return nil, nil
	}
	p := &livePage{}
	server, err := dashboard.New(dashboard.Config{
		App: p.status, QueueBytes: s.env.QueueBytes, QueueSize: s.env.QueueSize,
		Token: s.env.DashboardToken, TraceURL: s.env.TraceURL, Explanation: s.env.Explanation,
		// A redactor sees cases on their way to evaluators, and not what is shown here.
		Content: s.env.DashboardContent && s.redactor == nil, Logger: s.logger,
	})
	if err == nil {
		_, err = server.Start(s.env.Dashboard)
	}
	switch {
	case err == nil:
	case s.dashboardFromOption:
		return nil, fmt.Errorf("WithDashboard: %w", err)
	default:
		s.logger.WarnContext(ctx, "genaievals: there is no live page",
			slog.String("address", s.env.Dashboard), slog.String("reason", err.Error()))
		return nil, nil
	}
	p.server = server
	s.resultHandlers = append(s.resultHandlers, p.take)
	return p, nil
}

// show begins to show what a manager does, and says where.
func (p *livePage) show(ctx context.Context, m *manager.Manager, logger *slog.Logger) {
	if p != nil {
		p.manager.Store(m)
		logger.InfoContext(ctx, "genaievals: live page", slog.String("url", p.server.URL()))
	}
}

// status is the manager's; until there is one the page says that it starts.
func (p *livePage) status() manager.Status {
	if m := p.manager.Load(); m != nil {
		return m.Status()
	}
	return manager.Status{}
}

// take is a result handler.
func (p *livePage) take(inv *instrumentation.Invocation, results []evaluators.Result) {
	offered := dashboard.Result{At: time.Now(), Content: func() (string, string) {
		c := evaluators.CaseOf(inv)
		return c.Input, c.Output
	}}
	if sc := inv.SpanContext(); sc.IsValid() {
		offered.TraceID, offered.SpanID = sc.TraceID().String(), sc.SpanID().String()
	}
	for _, r := range results {
		offered.Result = r
		p.server.Offer(offered)
	}
}

func (p *livePage) url() string {
	if p == nil {
		return ""
	}
	return p.server.URL()
}

// end closes the page, after whoever watches was sent the last counts. When ctx has
// ended it cuts them off at once.
func (p *livePage) end(ctx context.Context) {
	if p == nil {
		return
	}
	last, cancel := context.WithTimeout(ctx, pageEnds)
	defer cancel()
	_ = p.server.Shutdown(last)
}
