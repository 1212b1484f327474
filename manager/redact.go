package manager

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/evaluators"
)

// maxRedactorsStuck is how many calls of a redactor may hang before it is not
// called any more until one returns.
const maxRedactorsStuck = 8

var (
	errRedactor     = errors.New("the redactor panicked")
	errRedactorLate = errors.New("the redactor did not return within the metrics' timeout")
	errRedactorOff  = errors.New("the redactor is not called while too many of its calls hang")
)

// redactions are the redactor's calls that were left because they hang.
type redactions struct {
	left  atomic.Uint64 // so far
	stuck atomic.Int64  // that still run
	said  said          // owned by the reporter goroutine
}

// redact has the redactor change a case, on a goroutine of its own: it is left
// like an evaluator when it takes longer than Timeout, and nothing leaves
// unredacted. The case is then the redactor's alone.
func (m *Manager) redact(ctx context.Context, c *evaluators.Case) error {
	if m.redactions.stuck.Load() >= maxRedactorsStuck {
		return errRedactorOff
	}
	done := make(chan error, 1)
	var left atomic.Bool // decided once: by the call returning or by its being left
	go func() {
		err := errRedactor
		defer func() {
			done <- err
			if left.Swap(true) {
				m.redactions.stuck.Add(-1)
			}
		}()
		if m.callRedactor(c) {
			err = nil
		}
	}()
	timer := time.NewTimer(m.cfg.Timeout)
	defer timer.Stop()
	late := errRedactorLate
	select {
	case err := <-done:
		return err
	case <-timer.C:
	case <-ctx.Done():
		late = context.Cause(ctx)
	}
	m.redactions.stuck.Add(1)
	if left.Swap(true) {
		m.redactions.stuck.Add(-1)
		return <-done
	}
	m.redactions.left.Add(1)
	m.wakeReporter()
	return late
}

func (m *Manager) callRedactor(c *evaluators.Case) (returned bool) {
	defer m.contain("redactor", &returned)
	m.cfg.Redactor(c)
	return true
}

// caseFailed is the error type of a metric for whose invocation there is no case.
func caseFailed(ctx context.Context, mb *member, err error) string {
	switch {
	case errors.Is(err, errRedactorLate), errors.Is(err, errRedactorOff):
		return evaluators.ErrorEvaluatorTimeout
	case errors.Is(err, errRedactor), errors.Is(err, errNormalize):
		return evaluators.ErrorEvaluatorPanic
	}
	return endedType(ctx, mb)
}
