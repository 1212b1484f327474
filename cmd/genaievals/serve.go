package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/internal/render"
	"github.com/genaievals/genaievals/runner/journal"
)

// serveFlags are what serve is told.
type serveFlags struct {
	address string
	content bool
	gates   gateFlags
}

func (p *program) serveCommand() *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:   "serve JOURNAL",
		Short: "Serve the live page over a journal, of a run that goes on or has ended",
		Long: `serve shows what is in a journal, and what is appended to it while a run goes on, on
the page that run --dashboard shows, until it is interrupted. The journal is only
read: the run may be another process, and may be resumed meanwhile.`,
		Example: `  # Watch a run that another terminal has started
  genaievals serve run.jsonl

  # At another address, with how gates stand
  genaievals serve run.jsonl --address 127.0.0.1:9000 --min-pass-rate faithfulness=0.9`,
		Args: oneJournal,
		RunE: func(c *cobra.Command, args []string) error {
			return p.serve(c.Context(), args[0], f)
		},
	}
	c.Flags().StringVar(&f.address, "address", pageWanted, "where to serve; without: "+defaultPage+", or another port where that is taken")
	c.Flags().Lookup("address").DefValue = ""
	c.Flags().BoolVar(&f.content, "content", false, "show inputs and outputs, where the journal has them")
	f.gates.add(c.Flags())
	completeGates(c)
	c.ValidArgsFunction = completeJournals(1)
	return c
}

func (p *program) serve(ctx context.Context, path string, f *serveFlags) error {
	wrong := func(err error) error { return &exit{exitUsage, err} }
	in, err := journal.Read(path)
	if err != nil {
		return wrong(err)
	}
	header := in.Header()
	_ = in.Close() // it was only read
	gates, err := f.gates.parse(header)
	if err != nil {
		return wrong(err)
	}
	con := newConsole(p.stderr)
	env, _ := envconfig.Load() // only for what the page shows, and to whom
	followed, err := newJournalStatus(header, gates)
	if err != nil {
		return wrong(err)
	}
	server, url, err := startPage(dashboard.Config{
		Run: followed.status, Gates: followed.gatesNow, Name: header.Run, Explanation: env.Explanation, Content: f.content,
		Token:  env.DashboardToken,
		Logger: slog.New(slog.NewTextHandler(con, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}, f.address)
	if err != nil {
		return wrong(fmt.Errorf("--address: %w", explained(err)))
	}
	shown := &page{server: server, url: url}
	defer shown.close()
	fmt.Fprintf(p.stdout, "%s\n", url)
	con.say("%s; Ctrl-C ends", render.Visible(header.Run))
	for event, err := range journal.Follow(ctx, path) {
		switch {
		case errors.Is(err, context.Canceled):
			return nil
		case err != nil:
			return wrong(err)
		}
		if err := followed.take(event); err != nil {
			return wrong(err)
		}
		if event.Record != nil {
			shown.offer(event.Record)
		}
	}
	return nil
}
