package runner

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/genaievals/genaievals/internal/asking"
	"github.com/genaievals/genaievals/internal/queue"
)

// How a worker of a crew that takes several units at a time decides how many:
// what took about chunkTime the last time, at most mostChunk, and no more than
// its share, so that nothing waits for long behind what it was taken with.
const (
	mostChunk = 64
	chunkTime = 200 * time.Microsecond
)

// crew is a queue and the workers that serve it. A worker is started when there
// is work and none is idle, up to most, and stays until the crew is closed. It
// owns what it took, until the call that it makes is left: then a timer's
// goroutine concludes the unit under way, and a new worker takes over the rest.
type crew[T any] struct {
	name    string
	ctx     context.Context // that of the run
	most    int
	several bool // units are taken several at a time

	// serve does one unit. It is false when the call was left: the worker then
	// touches nothing any more.
	serve func(h *hand[T], unit T) bool
	// conclude is serve for a unit whose call was left, or ended its goroutine.
	conclude func(h *hand[T], unit T, call *asking.Call, cause error)
	// abandon is for a unit that is not served because the run has ended.
	abandon func(unit T)
	// flush hands on what a worker has done.
	flush func(h *hand[T])
	// tooMany is called when as many calls are stuck as may be.
	tooMany func(name string)

	hungry chan<- struct{} // the reader should go on

	waiting atomic.Int64 // calls that wait for a limit

	mu      sync.Mutex     // guards what follows
	wake    sync.Cond      // there is work, or none ever
	gone    sync.Cond      // a worker is
	first   queue.Queue[T] // goes before queue
	queue   queue.Queue[T]
	started int // workers, to begin with
	live    int // workers, but for the stuck
	idle    int
	busy    int // workers that have units
	held    int // units that they have beside the one under way
	stuck   int
	closed  bool
}

// hand is what a worker owns.
type hand[T any] struct {
	crew  *crew[T]
	seat  *asking.Seat
	call  *asking.Call // under way; its own goroutine's to look at
	units []T
	next  int           // of units: the one under way
	taken int           // units that are counted as the worker's
	each  time.Duration // what a unit took lately

	done    []*share  // and not flushed
	held    int64     // by results, and not counted in the window
	began   time.Time // with units
	clock   time.Time // the last that was read
	scratch scratch
}

func (c *crew[T]) init() {
	c.wake.L, c.gone.L = &c.mu, &c.mu
}

// push adds a unit, and reports whether the crew would take more soon. It does
// not block.
func (c *crew[T]) push(unit T) (more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue.Push(unit)
	c.staff(1)
	return c.queue.Len() < c.enough()
}

// enough is how many units are worth having in the queue: what more is read only
// takes memory. One that is ahead of others has the window for that.
func (c *crew[T]) enough() int { return 4 * mostChunk * max(1, c.most/mostChunk) }

// pushFirst adds units that go before all others.
func (c *crew[T]) pushFirst(units []T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, u := range units {
		c.first.Push(u)
	}
	c.staff(len(units))
}

// staff sees to it that n more units find workers. The lock is held.
func (c *crew[T]) staff(n int) {
	if c.closed {
		return
	}
	for range min(n, c.idle) {
		c.wake.Signal()
	}
	for n -= c.idle; n > 0 && c.started < c.most; n-- {
		c.started++
		c.hire(nil, 0)
	}
}

// hire starts a worker, with units of another's. The lock is held.
func (c *crew[T]) hire(units []T, taken int) {
	c.live++
	go c.work(&hand[T]{crew: c, units: units, taken: taken})
}

// left counts a worker that is gone. The lock is held.
func (c *crew[T]) left() {
	c.live--
	c.gone.Broadcast()
}

// wait blocks until all workers are gone but the stuck.
func (c *crew[T]) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.live > 0 {
		c.gone.Wait()
	}
}

// work serves units until the crew is closed.
func (c *crew[T]) work(h *hand[T]) {
	h.seat = asking.NewSeat(c.ctx, &c.waiting, func(call *asking.Call, cause error) { c.leave(h, call, cause) })
	returned := false
	defer func() {
		if !returned { // the evaluator, or the task, ended the goroutine
			c.replace(h)
		}
	}()
	for more := true; more; more = c.take(h) {
		h.began = time.Now()
		h.clock = h.began
		for ; h.next < len(h.units); h.next++ {
			if c.ctx.Err() != nil {
				c.abandon(h.units[h.next])
				continue
			}
			if !c.serve(h, h.units[h.next]) {
				c.returnOfStuck()
				returned = true
				return
			}
			if len(h.done) > 0 && h.clock.Sub(h.began) > 20*chunkTime {
				c.flush(h) // what is done waits for nothing slow
			}
		}
	}
	h.seat.Close()
	returned = true
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left()
}

// take flushes, and waits for units. It is false when there will be none.
func (c *crew[T]) take(h *hand[T]) bool {
	if n := len(h.units); n > 0 {
		h.each = h.clock.Sub(h.began) / time.Duration(n)
	}
	c.flush(h)
	clear(h.units)
	h.units, h.next = h.units[:0], 0
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest(h)
	for c.first.Len()+c.queue.Len() == 0 && !c.closed {
		c.idle++
		c.wake.Wait()
		c.idle--
	}
	if c.closed {
		return false
	}
	n := 1
	if c.several {
		n = mostChunk
		if h.each > 0 {
			n = int(min(mostChunk, max(1, chunkTime/h.each)))
		}
		n = min(n, max(1, c.queue.Len()/c.most))
	}
	for len(h.units) < n {
		u, ok := c.first.Pop()
		if !ok {
			if u, ok = c.queue.Pop(); !ok {
				break
			}
		}
		h.units = append(h.units, u)
	}
	if c.queue.Len() < c.enough()/2 {
		select {
		case c.hungry <- struct{}{}:
		default:
		}
	}
	h.taken = len(h.units)
	c.busy++
	c.held += h.taken - 1
	return true
}

// underWay are the units that are being served, and those of them that wait for
// a limit.
func (c *crew[T]) underWay() (running, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.busy, min(int(c.waiting.Load()), c.busy)
}

// rest takes what a worker had from the counts. The lock is held.
func (c *crew[T]) rest(h *hand[T]) {
	if h.taken > 0 {
		c.busy--
		c.held -= h.taken - 1
		h.taken = 0
	}
}

// leave takes over from a worker whose call ignores its end. It runs on a
// timer's goroutine.
func (c *crew[T]) leave(h *hand[T], call *asking.Call, cause error) {
	c.takeOver(h, call, cause)
	c.mu.Lock()
	c.stuck++
	full := c.stuck == max(8, c.most)
	c.left()
	c.mu.Unlock()
	if full {
		c.tooMany(c.name)
	}
}

// returnOfStuck is called by a worker that finds itself left.
func (c *crew[T]) returnOfStuck() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stuck--
}

// replace is called by a worker whose goroutine is being ended.
func (c *crew[T]) replace(h *hand[T]) {
	if h.call != nil && !h.seat.End(h.call) {
		c.returnOfStuck()
		return
	}
	h.seat.Close()
	c.takeOver(h, h.call, asking.ErrGoexit)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left()
}

// takeOver concludes the unit under way and gives the rest to a new worker.
func (c *crew[T]) takeOver(h *hand[T], call *asking.Call, cause error) {
	if h.next < len(h.units) {
		c.conclude(h, h.units[h.next], call, cause)
		h.next++
	}
	c.flush(h)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hire(h.units[min(h.next, len(h.units)):], h.taken)
}

// close lets the workers go, at once, and returns what was waiting.
func (c *crew[T]) close() (waiting []T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.wake.Broadcast()
	for _, q := range []*queue.Queue[T]{&c.first, &c.queue} {
		for {
			u, ok := q.Pop()
			if !ok {
				break
			}
			waiting = append(waiting, u)
		}
	}
	return waiting
}
