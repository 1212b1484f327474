package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/genaievals/genaievals/internal/asking"
)

var errTaskGoexit = errors.New("the task ended its goroutine")

// taskCrew calls the task for items, before the lanes have them.
type taskCrew struct {
	crew[*work]
	r    *Run
	base context.Context // what a task's calls carry
}

func newTaskCrew(r *Run, base context.Context) *taskCrew {
	t := &taskCrew{r: r, base: base}
	t.name, t.ctx, t.most = "task", r.ctx, r.cfg.taskConcurrency
	t.serve, t.conclude, t.flush, t.tooMany = t.call, t.lost, func(*hand[*work]) {}, r.tooManyStuck
	t.abandon = r.abandonItem
	t.hungry = r.hungry
	t.init()
	return t
}

// call produces an item's output. It is false when the call was left.
func (t *taskCrew) call(h *hand[*work], w *work) bool {
	if gate := t.r.cfg.taskGate; gate != nil {
		t.waiting.Add(1)
		permit, err := gate.Acquire(t.ctx)
		t.waiting.Add(-1)
		if t.ctx.Err() != nil {
			permit.Release()
			t.r.abandonItem(w)
			return true
		}
		if err != nil {
			t.failed(w, ErrorTask, err)
			return true
		}
		defer permit.Release()
		h.clock = time.Now()
	}
	timeout := t.r.cfg.itemTimeout
	if timeout > 0 {
		w.clock.start(h.clock)
	}
	call := h.seat.Begin(t.base, h.clock, asking.Bounds{Timeout: timeout})
	h.call = call
	output, err := t.guarded(call, w.item)
	expired := errors.Is(call.Err(), context.DeadlineExceeded)
	if !h.seat.End(call) {
		return false
	}
	h.call = nil
	h.clock = time.Now()
	if timeout > 0 {
		w.clock.stop(h.clock, call.Waited())
	}
	switch {
	case err == nil:
		w.setOutput(t.r, output)
		t.r.outputDone(w)
		t.r.fanOut(w)
	case t.ctx.Err() != nil:
		t.r.abandonItem(w)
	case expired:
		t.failed(w, ErrorItemTimeout, err)
	default:
		t.failed(w, ErrorTask, err)
	}
	return true
}

// guarded calls the task, and asks its error for its text, where a panic is
// contained.
func (t *taskCrew) guarded(ctx context.Context, item Item) (output string, err error) {
	defer func() {
		if p := recover(); p != nil {
			output, err = "", errors.New("panic: "+asking.PanicText(p))
		}
	}()
	output, err = t.r.cfg.task(ctx, item)
	if err != nil {
		err, _ = asking.Plain(err)
	}
	return output, err
}

// lost ends an item whose task was left, or took its goroutine with it.
func (t *taskCrew) lost(h *hand[*work], w *work, call *asking.Call, cause error) {
	if t.r.cfg.itemTimeout > 0 && call != nil {
		w.clock.stop(time.Now(), call.Waited())
	}
	switch {
	case errors.Is(cause, asking.ErrGoexit):
		t.failed(w, ErrorTask, errTaskGoexit)
	case t.ctx.Err() != nil:
		t.r.abandonItem(w)
	default:
		t.failed(w, ErrorItemTimeout, fmt.Errorf("the task: %w", cause))
	}
}

func (t *taskCrew) failed(w *work, errorType string, err error) {
	w.errorType, w.err = errorType, err
	t.r.itemDone(w)
}
