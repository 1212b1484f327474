package manager

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/limit"
	"go.opentelemetry.io/otel/attribute"
	"golang.org/x/sync/semaphore"
)

// grace is how long an evaluation whose context has ended may take to return
// before its worker leaves it and counts it as stuck.
const grace = 50 * time.Millisecond

// truncatedOutput is on the results of an output that the provider cut short.
var truncatedOutput = attribute.Bool("genaievals.output.truncated", true)

var (
	errDeadline     = errors.New("the metric's deadline passed")
	errNormalize    = errors.New("the invocation could not be normalised")
	errPaused       = errors.New("the gate is in a pause longer than the metric's deadline")
	errTooManyStuck = errors.New("the evaluator is not asked while too many of its evaluations ignore their deadlines")
	errGoexit       = errors.New("the evaluator ended its goroutine")
)

// evaluation is one invocation being evaluated by a lane's members, or by all
// of them for EvaluateNow.
type evaluation struct {
	m     *Manager
	inv   *instrumentation.Invocation
	point uint64
	now   bool // past sampling, for EvaluateNow
	// probing: the task was taken to find out whether the lane's judge is back.
	probing bool
	turns   *semaphore.Weighted
	// running are the groups that have started; settled is what needed none and
	// is still to be published.
	running sync.WaitGroup
	settled []settled

	mu        sync.Mutex
	share     []evaluators.Result // all results so far
	postponed []postponed
}

// settled are results for which the evaluator was not asked.
type settled struct {
	mb      *member
	results []evaluators.Result
}

// run evaluates what applies and returns all results, in no fixed order, after
// they were published. The pass in hand, if any, is of the only member and used
// by the first group, or left. Groups run side by side up to MaxConcurrent,
// their starts Throttle apart; none can fail another.
func (e *evaluation) run(ctx context.Context, members []*member, makeCase func() (*evaluators.Case, error), inHand *pass) []evaluators.Result {
	c, err := makeCase()
	e.turns = e.m.turn
	if e.turns == nil {
		e.turns = semaphore.NewWeighted(int64(e.m.cfg.MaxConcurrent))
	}
	var started time.Time
	for _, mb := range inOrder(members) {
		for _, metrics := range e.groups(ctx, mb, c, err) {
			if e.refuses(mb, members) {
				e.settle(mb, failAll(mb, metrics, stuckType(mb), errTooManyStuck))
				continue
			}
			if e.passesBy(mb, metrics) {
				e.settle(mb, failAll(mb, metrics, evaluators.ErrorJudgeRateLimited, errPaused))
				continue
			}
			stopped := e.m.pause(ctx, started)
			if stopped == nil {
				stopped = e.letIn(ctx, mb, inHand)
			}
			if stopped != nil {
				e.settle(mb, failAll(mb, metrics, endedType(ctx, mb), context.Cause(ctx)))
				continue
			}
			started = time.Now()
			g := &group{e: e, mb: mb, c: c, metrics: metrics, pass: *inHand}
			*inHand = pass{}
			g.start(ctx)
			e.publishSettled()
			if e.m.cfg.MaxConcurrent == 1 {
				e.running.Wait()
			}
		}
	}
	inHand.close()
	*inHand = pass{}
	e.publishSettled()
	e.running.Wait()
	e.askAgain(ctx)
	if e.m.cfg.Aggregate && len(e.share) > 0 {
		e.m.publishApart(e.inv, e.share)
	}
	return e.share
}

// refuses reports whether a member of which too many are stuck is not asked. A
// lane of its own is halted then, and what it has in hand goes on.
func (e *evaluation) refuses(mb *member, members []*member) bool {
	return (e.now || len(members) > 1) && mb.lane.full(mb)
}

// settle keeps results for which nobody is asked until nothing is in hand.
func (e *evaluation) settle(mb *member, results []evaluators.Result) {
	mb.begin(len(results))
	e.settled = append(e.settled, settled{mb, results})
}

func (e *evaluation) publishSettled() {
	for _, s := range e.settled {
		if e.count(s.mb, s.results); !e.m.cfg.Aggregate {
			e.m.publishApart(e.inv, s.results)
		}
	}
	e.settled = nil
}

// groups returns what a member is to be asked, after settling what need not
// be: without a case everything fails, and a metric whose fields the case
// lacks is skipped.
func (e *evaluation) groups(ctx context.Context, mb *member, c *evaluators.Case, err error) [][]evaluators.Metric {
	selected := mb.selectMetrics(e.inv, e.point, e.now)
	if len(selected) == 0 {
		return nil
	}
	if err != nil {
		e.settle(mb, failAll(mb, selected, caseFailed(ctx, mb, err), err))
		return nil
	}
	asked := selected[:0:0]
	var lacking []evaluators.Metric
	var skipped []evaluators.Result
	for _, metric := range selected {
		if reason, missing := evaluators.NeedsMissing(c, metric.Needs); missing {
			lacking = append(lacking, metric)
			skipped = append(skipped, evaluators.Skipped(metric.Name, reason, ""))
		} else {
			asked = append(asked, metric)
		}
	}
	if len(skipped) > 0 {
		complete(mb, lacking, skipped)
		e.settle(mb, skipped)
	}
	if len(asked) == 0 {
		return nil
	}
	return mb.group(e.m, asked)
}

// pause waits until Throttle has passed since the last start.
func (m *Manager) pause(ctx context.Context, last time.Time) error {
	if m.cfg.Throttle <= 0 || last.IsZero() {
		return ctx.Err()
	}
	timer := time.NewTimer(time.Until(last.Add(m.cfg.Throttle)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// passesBy reports whether a group is not asked because its gate is in a pause
// longer than the group's own deadline, and others would wait behind it: the
// other evaluators of the lane.
func (e *evaluation) passesBy(mb *member, metrics []evaluators.Metric) bool {
	return !e.now && len(mb.lane.members) > 1 && mb.outlasts(e.m.timeoutOf(metrics))
}

// letIn gives a group its turn and completes its pass. A lane does not grow while
// one of its workers waits at the gate or for a slot. The one turn of sequential
// mode comes after the gate, so that nobody waits there who keeps others from
// evaluating; otherwise the gate comes last, so that who is let in there sends
// soon.
func (e *evaluation) letIn(ctx context.Context, mb *member, inHand *pass) error {
	if e.m.turn != nil {
		if err := inHand.admit(ctx, mb, (*limit.Gate).AdmitNext); err != nil {
			return err
		}
	}
	if err := e.turns.Acquire(ctx, 1); err != nil {
		inHand.close()
		*inHand = pass{}
		return err
	}
	err := e.complete(ctx, mb, inHand)
	if err != nil {
		e.turns.Release(1)
	}
	return err
}

// complete gets what the pass of a group lacks.
func (e *evaluation) complete(ctx context.Context, mb *member, inHand *pass) error {
	if inHand.seated {
		return nil
	}
	if !e.now {
		mb.lane.held.Add(1)
		defer mb.lane.held.Add(-1)
	}
	if err := inHand.admit(ctx, mb, (*limit.Gate).AdmitNext); err != nil {
		return err
	}
	return inHand.seat(ctx, mb)
}

// count counts results and adds them to the evaluation's.
func (e *evaluation) count(mb *member, results []evaluators.Result) {
	mb.end(results)
	e.mu.Lock()
	e.share = append(e.share, results...)
	e.mu.Unlock()
}
