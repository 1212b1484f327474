package dashboard

import (
	"errors"
	"log/slog"

	"github.com/genaievals/genaievals/internal/dashboard/address"
	"github.com/genaievals/genaievals/internal/safelog"
	"github.com/genaievals/genaievals/manager"
	"github.com/genaievals/genaievals/runner"
)

// Config says what a page shows and to whom. App, Run or both must be set.
type Config struct {
	// App tells what an application's manager does, Run what a dataset run does.
	// Both are called by one goroutine, at most four times a second, and should
	// return at once: while one does not, the page stands still.
	App func() manager.Status
	Run func() runner.Status
	// Gates tells how a run's gates stand, once a second; nil is none.
	Gates func() []Gate

	// Name is the service's or the dataset's, in the page's head; may be empty.
	Name string
	// QueueBytes and QueueSize are the room of each lane of App, which the page
	// holds what waits against; 0 is unknown, or no limit.
	QueueBytes int64
	QueueSize  int

	// Token, if set, is asked of everybody. An address that is not this machine's
	// own needs one. It is never logged.
	Token string
	// AllowedHosts are further names under which the page is asked for, as a
	// browser sends them, without port. This machine's own names and the one of the
	// address are always allowed.
	AllowedHosts []string
	// TraceURL is where trace ids link, with {trace_id} and perhaps {span_id} in
	// it; empty is no links. See [address.CheckTraceURL].
	TraceURL string
	// Explanation shows results' explanations, which can quote content.
	Explanation bool
	// Content keeps the inputs and outputs of sampled results, and sends them to
	// who asks for them.
	Content bool
	// Logger takes warnings. Defaults to slog.Default.
	Logger *slog.Logger
}

// Gate is a condition of a run, as it would be decided now.
type Gate struct {
	// Name says what is measured: "faithfulness pass rate".
	Name string `json:"name"`
	// Now and Need are the measure as it is and as it has to be, as they are to
	// be shown: "86.0 %", "90.0 %".
	Now  string `json:"now"`
	Need string `json:"need"`
	// Passes tells whether it would pass; Unknown that nothing can be said yet.
	Passes  bool `json:"passes"`
	Unknown bool `json:"unknown,omitempty"`
	// WarnOnly gates do not fail the run.
	WarnOnly bool `json:"warn_only,omitempty"`
}

// Errors of [New] and [Server.Start].
var (
	ErrNoSource      = errors.New("neither an application nor a run to show")
	ErrTokenRequired = errors.New("an address that others can reach needs a token")
)

func (c Config) withDefaults() (Config, error) {
	if c.App == nil && c.Run == nil {
		return c, ErrNoSource
	}
	c.Logger = safelog.New(c.Logger)
	return c, address.CheckTraceURL(c.TraceURL)
}
