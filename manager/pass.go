package manager

import (
	"context"

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
// A lane of several evaluators waits until all their gates are open, and asks
// them once more as each comes up. The slot of sequential mode comes after its
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

// awaitGates waits until each of the lane's gates has let somebody in, who did
// not stay.
func (l *lane) awaitGates() error {
	for _, mb := range l.members {
		if l.full(mb) {
			continue // its breaker is open, and it is not asked
		}
		var p pass
		if err := p.admit(l.taking, mb, (*limit.Gate).Admit); err != nil {
			return err
		}
		p.ticket.Close()
	}
	return nil
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
