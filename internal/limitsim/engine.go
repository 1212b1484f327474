package limitsim

import (
	"cmp"
	"container/heap"
	"math"
	"math/rand/v2"
	"time"
)

// event is something that happens at a moment; of two at once the one that was
// planned first.
type event struct {
	at  time.Duration
	seq int
	do  func()
}

type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(a[i].at, a[j].at), cmp.Compare(a[i].seq, a[j].seq)) < 0
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	e := (*a)[last]
	*a = (*a)[:last]
	return e
}

// run is one simulation.
type run struct {
	Experiment
	random  *rand.Rand
	limiter limiter
	client  client
	report  Report

	now      time.Duration
	agenda   agenda
	seq      int
	wakeAt   time.Duration // 0: none planned
	pause    time.Duration // no send before, as told
	inFlight int
}

// Run plays an experiment. The same experiment gives the same report.
func Run(e Experiment) Report {
	e = e.withDefaults()
	r := &run{Experiment: e, random: rand.New(rand.NewPCG(e.Seed, 1))}
	r.limiter = e.limiter(r.random)
	r.client = e.Client.make(e, rand.New(rand.NewPCG(e.Seed, 2)))
	r.report.accepted = make([]float64, int(math.Ceil(e.Duration.Seconds())))
	r.report.permitted = make([]float64, len(r.report.accepted))
	if e.Halve > 0 {
		r.plan(e.Halve, func() { r.scale(0.5) })
	}
	if e.Restore > 0 {
		r.plan(e.Restore, func() { r.report.Before = r.permitted() / r.Policy.size(); r.scale(2) })
	}
	r.permit(0)
	r.send()
	for len(r.agenda) > 0 {
		e := heap.Pop(&r.agenda).(event)
		if e.at >= r.Duration {
			break
		}
		r.now = e.at
		e.do()
		r.send()
	}
	r.finish()
	return r.report
}

func (r *run) plan(at time.Duration, do func()) {
	heap.Push(&r.agenda, event{max(at, r.now), r.seq, do})
	r.seq++
}

func (r *run) draw(s Span) time.Duration {
	return s.Least + time.Duration(r.random.Float64()*float64(s.Most-s.Least))
}

// permitted is what is permitted a second.
func (r *run) permitted() float64 { return r.limiter.permitted(r.call()) }

func (r *run) scale(by float64) {
	r.limiter.scale(r.now, by)
	r.permit(r.now)
}

// permit notes what is permitted from now on.
func (r *run) permit(from time.Duration) {
	rate := r.permitted()
	for s := int(from / time.Second); s < len(r.report.permitted); s++ {
		r.report.permitted[s] = rate
	}
}

// send sends what the client wants sent now, and plans when to ask it again.
func (r *run) send() {
	for {
		c, at := r.client.next(r.now, r.fresh)
		if c == nil {
			if at > r.now && (r.wakeAt <= r.now || at < r.wakeAt) {
				r.wakeAt = at
				r.plan(at, func() {})
			}
			return
		}
		r.report.Calls++
		if r.now >= r.Warm {
			r.report.CallsLate++
		}
		if r.now < r.pause {
			r.report.Inside++
		}
		c.sent = r.now
		r.inFlight++
		r.plan(r.now+r.draw(r.OneWay), func() { r.arrive(c) })
	}
}

func (r *run) fresh() *call {
	r.report.Items++
	return &call{tokens: tokensLeast + float64(r.random.IntN(tokensMost-tokensLeast+1))}
}

// arrive is when a call comes to the server.
func (r *run) arrive(c *call) {
	refuse := func(wait time.Duration) {
		a := reply{status: 429}
		if wait > 0 {
			a.retryAfter = roundUp(max(wait, 1), r.grain())
		}
		if c.sent < r.Warm {
			r.report.Early++
		}
		r.report.Refused++
		r.answer(c, a, 0)
	}
	if r.Storm.holds(r.now) {
		refuse(r.StormAfter)
		return
	}
	wait, ok := r.limiter.admit(r.now, c.tokens)
	if !ok {
		if !r.Headers {
			wait = 0
		}
		refuse(wait)
		return
	}
	if r.Policy.Token {
		r.report.accepted[int(r.now/time.Second)] += c.tokens
	} else {
		r.report.accepted[int(r.now/time.Second)]++
	}
	a := reply{status: 200}
	if r.Errors.holds(r.now) && r.random.Float64() < r.ErrorShare {
		a.status = 500
	}
	latency := r.draw(r.Latency)
	r.plan(r.now+latency, r.limiter.done)
	r.answer(c, a, latency)
}

// answer sends a reply after the latency; its headers are of now.
func (r *run) answer(c *call, a reply, latency time.Duration) {
	if r.Headers {
		a.limit, a.remaining, a.reset = r.limiter.describe(r.now)
		a.reset = roundUp(a.reset, r.grain())
	}
	r.plan(r.now+latency+r.draw(r.OneWay), func() {
		r.inFlight--
		if a.retryAfter > 0 {
			r.pause = max(r.pause, r.now+a.retryAfter)
		}
		if a.status == 200 {
			r.report.Served++
		}
		r.client.answered(r.now, c, a)
	})
}

func (r *run) finish() {
	p := &r.report
	p.Open = r.inFlight + r.client.waiting()
	for s := int(r.Warm / time.Second); s < len(p.accepted); s++ {
		p.Accepted += p.accepted[s]
		p.Permitted += p.permitted[s]
	}
	if r.Halve > 0 {
		p.Fall = p.recovery(r.Halve)
	}
	if r.Restore > 0 {
		p.Rise = p.recovery(r.Restore)
	}
	if r.Experiment.Storm.For > 0 {
		p.Storm = p.recovery(r.Experiment.Storm.From + r.Experiment.Storm.For)
	}
	if r.Experiment.Errors.For > 0 {
		p.Errors = p.recovery(r.Experiment.Errors.From + r.Experiment.Errors.For)
	}
}

// roundUp rounds up to whole grains, as most servers do.
func roundUp(d, grain time.Duration) time.Duration { return (d + grain - 1).Truncate(grain) }
