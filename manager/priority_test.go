package manager_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/manager"
	"github.com/google/go-cmp/cmp"
)

var priorities = map[byte]instrumentation.Priority{
	'h': instrumentation.PriorityHigh, 'n': instrumentation.PriorityNormal, 'l': instrumentation.PriorityLow,
}

// as records an invocation of the priority that the output begins with.
func (b *bundle) as(output string) {
	b.invokeIn(instrumentation.WithPriority(context.Background(), priorities[output[0]]), output)
}

// queuedAs is how many of each priority wait, "high normal low".
func queuedAs(s manager.Status) string {
	var n []any
	for _, p := range s.Lanes[0].Priorities {
		n = append(n, p.Queued)
	}
	return strings.TrimSuffix(fmt.Sprintln(n...), "\n")
}

func TestEachPriorityOwnsAShareOfTheQueueAndBorrowsWhatIsFree(t *testing.T) {
	const kib = 1 << 10
	repeat := func(s string, n int) []string { return slices.Repeat([]string{s}, n) }
	large := func(p string, size int) string { return p + strings.Repeat("x", size) }
	for name, tt := range map[string]struct {
		cfg     manager.Config
		outputs []string
		queued  string // high normal low
		drops   []string
	}{
		"normal alone has it all":     {outputs: repeat("n", 13), queued: "0 12 0", drops: []string{"queue_full"}},
		"low alone has it all":        {outputs: repeat("l", 13), queued: "0 0 12", drops: []string{"queue_full"}},
		"high takes back its share":   {outputs: append(repeat("l", 12), repeat("h", 9)...), queued: "8 0 4", drops: append(repeat("evicted", 8), "queue_full")},
		"normal takes back its share": {outputs: append(repeat("l", 12), repeat("n", 4)...), queued: "0 3 9", drops: append(repeat("evicted", 3), "queue_full")},
		"low takes back its share":    {outputs: append(repeat("h", 12), repeat("l", 2)...), queued: "11 0 1", drops: []string{"evicted", "queue_full"}},
		"all take back their shares": {
			outputs: slices.Concat(repeat("n", 12), repeat("l", 3), repeat("h", 12)),
			queued:  "8 3 1", drops: slices.Concat([]string{"evicted"}, repeat("queue_full", 2), repeat("evicted", 8), repeat("queue_full", 4)),
		},
		"the lowest that borrowed goes first": {
			outputs: slices.Concat(repeat("l", 4), repeat("n", 8), repeat("h", 4)),
			queued:  "4 7 1", drops: repeat("evicted", 4),
		},
		"oldest: beyond its share a priority evicts its own": {
			cfg:     manager.Config{QueuePolicy: manager.DropOldest},
			outputs: slices.Concat(repeat("h", 8), repeat("n", 3), repeat("l", 3)),
			queued:  "8 3 1", drops: repeat("evicted", 2),
		},
		"oldest: of what is borrowed before its own": {
			cfg:     manager.Config{QueuePolicy: manager.DropOldest},
			outputs: slices.Concat(repeat("n", 2), repeat("l", 10), repeat("n", 2)),
			queued:  "0 3 9", drops: repeat("evicted", 2),
		},
		"bytes": {
			cfg:     manager.Config{QueueSize: -1, QueueBytes: 1200 * kib},
			outputs: slices.Concat(repeat(large("l", 95*kib), 12), repeat(large("n", 95*kib), 4)),
			queued:  "0 3 9", drops: slices.Concat(repeat("evicted", 3), repeat("queue_full", 1)),
		},
		"bytes: one larger than its share only borrows": {
			cfg:     manager.Config{QueueSize: -1, QueueBytes: 1200 * kib},
			outputs: slices.Concat([]string{large("l", 500*kib)}, repeat(large("h", 390*kib), 2), []string{large("l", 500*kib)}),
			queued:  "2 0 0", drops: []string{"evicted", "queue_full"},
		},
		"bounded evictions": {
			cfg:     manager.Config{QueueSize: -1, QueueBytes: 1200 * kib},
			outputs: append(repeat(large("l", 20*kib), 53), large("h", 700*kib)),
			queued:  "0 0 53", drops: []string{"queue_full"},
		},
		"as many evictions as may be": {
			cfg:     manager.Config{QueueSize: -1, QueueBytes: 1200 * kib},
			outputs: append(repeat(large("l", 20*kib), 53), large("h", 360*kib)),
			queued:  "1 0 37", drops: repeat("evicted", 16),
		},
		"oldest: its own are not enough, and stay": {
			cfg:     manager.Config{QueueSize: -1, QueueBytes: 1200 * kib, QueuePolicy: manager.DropOldest},
			outputs: []string{large("l", 700*kib), large("n", 100*kib), large("n", 600*kib)},
			queued:  "0 1 1", drops: []string{"queue_full"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := tt.cfg
			switch cfg.QueueSize {
			case 0:
				cfg.QueueSize = 12
			case -1:
				cfg.QueueSize = 0
			}
			b := newBundle(t, cfg, newDouble(good(0), "quality"))
			for _, output := range tt.outputs {
				b.as(output)
			}
			s := b.Status()
			checkLaws(t, s)
			if got := queuedAs(s); got != tt.queued {
				t.Errorf("%s wait, want %s (high, normal, low)", got, tt.queued)
			}
			if diff := cmp.Diff(tt.drops, b.drops()); diff != "" {
				t.Errorf("drops (-want +got):\n%s", diff)
			}
			var bytes int64
			for _, p := range s.Lanes[0].Priorities {
				bytes += p.QueuedBytes
			}
			if l := s.Lanes[0]; bytes != l.QueuedBytes || l.QueuedBytes > 64<<20 || cfg.QueueBytes > 0 && bytes > cfg.QueueBytes {
				t.Errorf("%d bytes wait, those of the priorities are %d", l.QueuedBytes, bytes)
			}
			_ = b.Shutdown(context.Background())
			checkLaws(t, b.Status())
		})
	}
}

// The oldest of the borrowed goes, whatever the policy.
func TestWhatIsEvictedIsTheOldestOfWhatWasBorrowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{QueueSize: 3}, newDouble(good(0), "quality"))
		for _, output := range []string{"l1", "l2", "l3", "h1", "n1", "n2"} {
			b.as(output)
		}
		b.start(t)
		_ = b.Flush(context.Background())
		want := []string{"h1 quality scored Good", "l3 quality scored Good", "n1 quality scored Good"}
		if got := b.outcomes(); !slices.Equal(got, want) {
			t.Errorf("results are %q, want %q", got, want)
		}
	})
}

func TestServiceIsInTheSharesOfThePriorities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const length = 10 * time.Minute
		cfg := manager.Config{Concurrent: true, Workers: 1, QueueSize: 120}
		b := newBundle(t, cfg, newDouble(good(100*time.Millisecond), "quality")).start(t)
		for began := time.Now(); time.Since(began) < length; { // 10 a second are served, 60 are offered
			for _, output := range []string{"l", "n", "h"} {
				b.as(output)
			}
			time.Sleep(50 * time.Millisecond)
		}
		s := b.Status()
		checkLaws(t, s)
		l := s.Lanes[0]
		if most := 10 * length.Seconds(); float64(l.Done) < 0.999*most {
			t.Errorf("%d done, want %.0f: somebody idled", l.Done, most)
		}
		for i, want := range []float64{8. / 12, 3. / 12, 1. / 12} {
			p := l.Priorities[i]
			if share := float64(p.Taken) / float64(l.Done+uint64(l.InFlight)); math.Abs(share/want-1) > 0.03 {
				t.Errorf("%v got %.4f of the service, want %.4f", p.Priority, share, want)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
	})
}

func TestOnePriorityIsServedInOrderOfArrivalAndOthersOvertakeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(good(time.Second), "quality")
		b := newBundle(t, manager.Config{}, d)
		for _, output := range []string{"l1", "n1", "n2", "n3", "n4", "l2", "h1", "h2", "h3", "h4"} {
			b.as(output)
		}
		b.start(t)
		_ = b.Flush(context.Background())
		var order []string
		for _, asked := range d.asked {
			order = append(order, strings.TrimSuffix(asked, "/quality"))
		}
		for _, p := range "hnl" {
			var own []string
			for _, o := range order {
				if strings.HasPrefix(o, string(p)) {
					own = append(own, o)
				}
			}
			if !slices.IsSorted(own) {
				t.Errorf("%c was served in the order %q", p, own)
			}
		}
		if order[0] != "h1" || slices.Index(order, "h4") > 6 {
			t.Errorf("the order is %q", order)
		}
	})
}

func TestRulesGivePrioritiesWhereTheApplicationGaveNone(t *testing.T) {
	flagged := func(inv *instrumentation.Invocation) bool {
		for _, p := range inv.Properties() {
			if p.Key == "panics" {
				panic("x")
			}
			if p.Key == "flagged" && p.Value.AsBool() {
				return true
			}
		}
		return false
	}
	rules := []manager.PriorityRule{
		{Priority: instrumentation.PriorityHigh, Match: flagged},
		{Priority: instrumentation.PriorityLow, Models: []string{"m-small", "m-tiny"}, Kinds: []instrumentation.Kind{instrumentation.KindInference}},
		{Priority: instrumentation.PriorityHigh, Agents: []string{"billing"}},
		{Priority: instrumentation.PriorityLow, Kinds: []instrumentation.Kind{instrumentation.KindAgent}},
	}
	background := context.Background()
	for name, tt := range map[string]struct {
		ctx   context.Context
		model string
		agent string // an invocation of kind agent if there is no model
		want  instrumentation.Priority
	}{
		"none matches":                  {model: "m", want: instrumentation.PriorityNormal},
		"model":                         {model: "m-tiny", want: instrumentation.PriorityLow},
		"agent around":                  {model: "m", agent: "billing", want: instrumentation.PriorityHigh},
		"the first counts":              {model: "m-small", agent: "billing", want: instrumentation.PriorityLow},
		"kind":                          {agent: "support", want: instrumentation.PriorityLow},
		"flagged":                       {ctx: instrumentation.WithProperties(background, boolean("flagged")), model: "m-small", want: instrumentation.PriorityHigh},
		"a panic is a no":               {ctx: instrumentation.WithProperties(background, boolean("panics")), model: "m-small", want: instrumentation.PriorityLow},
		"the application's before all":  {ctx: instrumentation.WithPriority(background, instrumentation.PriorityHigh), model: "m-small", want: instrumentation.PriorityHigh},
		"the application's normal, too": {ctx: instrumentation.WithPriority(background, instrumentation.PriorityNormal), model: "m-small", want: instrumentation.PriorityNormal},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDouble(good(0), "quality")
			a := d.assignment()
			a.Metrics[instrumentation.KindAgent] = d.metrics
			b := newBundle(t, manager.Config{PriorityRules: rules, Assignments: []evaluators.Assignment{a}})
			ctx := tt.ctx
			if ctx == nil {
				ctx = background
			}
			var agent, inv *instrumentation.Invocation
			if tt.agent != "" {
				ctx, agent = b.handler.StartAgent(ctx, instrumentation.Agent{Name: tt.agent})
				inv = agent
			}
			if tt.model != "" {
				_, inv = b.handler.StartInference(ctx, instrumentation.Inference{Model: tt.model})
			}
			inv.End()
			for _, p := range b.Status().Lanes[0].Priorities {
				if want := map[bool]int{true: 1}[p.Priority == tt.want]; p.Queued != want {
					t.Errorf("%d wait as %v, want %d", p.Queued, p.Priority, want)
				}
			}
			checkLaws(t, b.Status())
		})
	}
}

// Flush waits for what came before it, whichever priority overtakes.
func TestFlushWaitsForLowPrioritiesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{}, newDouble(good(time.Second), "quality")).start(t)
		for range 3 {
			b.as("h")
		}
		b.as("l")
		stop := make(chan struct{})
		go func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(500 * time.Millisecond):
					b.as("h")
				}
			}
		}()
		if err := b.Flush(context.Background()); err != nil {
			t.Error(err)
		}
		if !slices.Contains(b.outcomes(), "l quality scored Good") {
			t.Error("Flush returned before the low one was done")
		}
		close(stop)
		_ = b.Shutdown(context.Background())
	})
}
