package limit

import (
	"fmt"
	"math"
	"time"
)

// meter is a token bucket for quantities that are known only afterwards: what
// is expected is taken when a send starts, and when it is over the past is put
// right, as if what was used had been known from the start. So what is given
// back never fills the bucket beyond what it would have held, and over any
// window no more is used than the rate permits, plus the burst or the largest
// single need.
//
// It is arithmetic only: its caller holds the gate's lock and passes the time,
// which must not go back.
type meter struct {
	perSecond, burst float64

	base   float64 // level at baseAt, before the uses in log
	baseAt time.Time
	log    []use // from head on: uses since the oldest one that is not settled
	head   int
	first  uint64 // number of log[head]

	typical float64 // running mean of needs, to estimate those that are to come
}

type use struct {
	at      time.Time
	amount  float64
	after   float64 // level when it was taken
	settled bool
}

// longest log: beyond it the oldest use stands as it was reserved.
const longestLog = 1024

// checkTokens says whether r can be the rate of tokens.
func checkTokens(r Rate) error {
	if r.Strict {
		return fmt.Errorf("%w: tokens have no strict pacing", ErrRate)
	}
	return r.Check()
}

// newMeter returns a meter that holds level, at most its burst, and counts uses
// from first. Those that came before, at another meter, stand as reserved.
func newMeter(r Rate, now time.Time, level float64, first uint64) *meter {
	burst := float64(r.burst())
	return &meter{perSecond: r.PerSecond, burst: burst, base: min(level, burst), baseAt: now, first: first}
}

// next is the number of the next use.
func (m *meter) next() uint64 { return m.first + uint64(len(m.log)-m.head) }

// level now; below zero while more was used than there was.
func (m *meter) level(now time.Time) float64 {
	if m.head < len(m.log) {
		last := m.log[len(m.log)-1]
		return m.grown(last.after, last.at, now)
	}
	return m.grown(m.base, m.baseAt, now)
}

func (m *meter) grown(level float64, from, to time.Time) float64 {
	return min(m.burst, level+max(0, to.Sub(from).Seconds())*m.perSecond)
}

// due is when a send that needs n may go: the bucket has it, or is full.
func (m *meter) due(now time.Time, n float64) time.Time {
	return m.reaches(now, min(n, m.burst))
}

// dueAfter is about when a send may go before which ahead others will, all of
// the usual size.
func (m *meter) dueAfter(now time.Time, ahead int) time.Time {
	return m.reaches(now, float64(ahead)*m.typical+min(m.typical, m.burst))
}

// reaches is when the level would be n if nothing were taken and the bucket
// were large enough.
func (m *meter) reaches(now time.Time, n float64) time.Time {
	missing := n - m.level(now)
	if missing <= 0 {
		return now
	}
	ns := math.Ceil(missing / m.perSecond * float64(time.Second))
	if ns > float64(farOff) {
		return now.Add(farOff)
	}
	return now.Add(time.Duration(ns))
}

// take reserves n, which must be due, and returns the number to settle it by.
func (m *meter) take(now time.Time, n float64) uint64 {
	m.typical += (n - m.typical) / 8
	return m.add(use{at: now, amount: n})
}

func (m *meter) add(u use) uint64 {
	if len(m.log)-m.head >= longestLog {
		m.fold()
	}
	if m.head > longestLog { // room for all that may come before the next time
		m.log = m.log[:copy(m.log, m.log[m.head:])]
		m.head = 0
	}
	u.after = m.level(u.at) - u.amount
	m.log = append(m.log, u)
	return m.next() - 1
}

// longestDebt is the longest time that what sends use beyond their needs can keep
// others from going.
const longestDebt = time.Hour

// deepest is the level below which nothing that was not reserved takes it.
func (m *meter) deepest() float64 { return -m.perSecond * longestDebt.Seconds() }

// settle says that of a reserved need, taken under a number, used was used. What
// is beyond the need and would be owed for longer than an hour is forgiven.
func (m *meter) settle(now time.Time, number uint64, need, used float64) (forgiven bool) {
	if room := max(0, m.level(now)-m.deepest()); used-need > room {
		used, forgiven = need+room, true
	}
	m.correct(now, number, need, used)
	return forgiven
}

func (m *meter) correct(now time.Time, number uint64, need, used float64) {
	if number < m.first {
		// It stands as reserved; only what it used beyond that is missing.
		if used > need {
			m.add(use{at: now, amount: used - need, settled: true})
		}
		return
	}
	i := m.head + int(number-m.first)
	m.log[i].settled = true
	if used != need {
		m.log[i].amount = used
		m.replay(i)
	}
	for m.head < len(m.log) && m.log[m.head].settled {
		m.fold()
	}
}

// replay computes the levels anew from the i-th use on.
func (m *meter) replay(i int) {
	level, at := m.base, m.baseAt
	if i > m.head {
		level, at = m.log[i-1].after, m.log[i-1].at
	}
	for ; i < len(m.log); i++ {
		u := &m.log[i]
		u.after = m.grown(level, at, u.at) - u.amount
		level, at = u.after, u.at
	}
}

// fold makes the oldest use part of the base: it can no longer change.
func (m *meter) fold() {
	m.base, m.baseAt = m.log[m.head].after, m.log[m.head].at
	m.head++
	m.first++
	if m.head == len(m.log) {
		m.log, m.head = m.log[:0], 0
	}
}
