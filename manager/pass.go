package manager

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/genaievals/genaievals/limit"
)

// pass is what a group of metrics needs to start: its gate has let it in, and
// it has a slot. The zero pass is nothing yet.
type pass struct {
	ticket           limit.Ticket
	slot             slot
	admitted, seated bool // the ticket and the slot were given
}

// close gives the pass back; call it exactly once.
func (p pass) close() {
	p.ticket.Close()
	p.slot.release()
}

// letIn waits until another task may be taken, or until there is none left. So
// the surplus waits in the queue, where it is bounded, ages and has priorities.
// A lane of several evaluators waits until one of their gates is open, and asks
// each once more as it comes up. The slot of sequential mode comes after its
// turn, so that whoever has the turn gets one.
func (l *lane) letIn() (p pass, err error) {
	if len(l.members) == 1 {
		err = p.admit(l.taking, l.members[0], (*limit.Gate).Admit)
	} else {
		err = l.awaitGates()
	}
	if err == nil && l.m.cfg.Concurrent {
		err = p.seat(l.taking, l.members[0])
	}
	return p, err
}

// awaitGates waits until one of the lane's gates has let somebody in, who did
// not stay: an evaluator that cannot be asked does not hold up the others.
func (l *lane) awaitGates() error {
	var askable []*member
	for _, mb := range l.members {
		if l.full(mb) {
			continue // its breaker is open, and it is not asked
		}
		if mb.gate == nil {
			return l.taking.Err()
		}
		askable = append(askable, mb)
	}
	if len(askable) == 0 {
		return l.taking.Err() // what is taken now fails
	}
	ctx, cancel := context.WithCancel(l.taking)
	defer cancel()
	var asking sync.WaitGroup
	for _, mb := range askable {
		asking.Go(func() {
			var p pass
			if p.admit(ctx, mb, (*limit.Gate).Admit) == nil {
				p.ticket.Close()
				cancel() // the others need not wait
			}
		})
	}
	asking.Wait()
	return l.taking.Err()
}

// inOrder returns members in the order in which they are asked: those first
// that never wait for a gate, those last whose gate is in a pause.
func inOrder(members []*member) []*member {
	if len(members) < 2 {
		return members
	}
	now := time.Now()
	rank := make(map[*member]int, len(members))
	for _, mb := range members {
		switch {
		case mb.gate == nil:
		case mb.gate.Status().PausedUntil.After(now):
			rank[mb] = 2
		default:
			rank[mb] = 1
		}
	}
	ordered := slices.Clone(members)
	slices.SortStableFunc(ordered, func(a, b *member) int { return rank[a] - rank[b] })
	return ordered
}

// outlasts reports whether the gate is in a pause of more than that time.
func (mb *member) outlasts(d time.Duration) bool {
	return time.Until(mb.gate.Status().PausedUntil) > d
}

// admit asks the member's gate, unless it was asked, for a new task by Admit
// and for more of one in hand by AdmitNext. It comes before the slot:
// who waits for a slow judge holds none. Waiting here and not in Evaluate keeps
// a group's deadline from running. It fails only when ctx has ended; a gate that
// is shut for good is left to the evaluator to report.
func (p *pass) admit(ctx context.Context, mb *member, ask func(*limit.Gate, context.Context) (limit.Ticket, error)) error {
	if p.admitted {
		return nil
	}
	ticket, err := ask(mb.gate, ctx)
	if err != nil && ctx.Err() != nil {
		return err
	}
	p.ticket, p.admitted = ticket, true
	return nil
}

// seat waits for a slot, unless there is one. If ctx ends first, the pass is
// given back.
func (p *pass) seat(ctx context.Context, mb *member) (err error) {
	if p.seated {
		return nil
	}
	if p.slot, err = mb.lane.m.slots.acquire(ctx, mb.lane.index); err != nil {
		p.close()
		*p = pass{}
		return err
	}
	p.seated = true
	return nil
}
