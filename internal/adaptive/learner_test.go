package adaptive

import (
	"math"
	"testing"
	"time"
)

// play drives a learner by hand.
type play struct {
	t   *testing.T
	l   *Learner
	now time.Time
}

func newPlay(t *testing.T, ceiling int) *play {
	now := time.Unix(1e9, 0)
	return &play{t, New(Config{Ceiling: ceiling, Start: now}), now}
}

func (p *play) wait(d time.Duration) { p.now = p.now.Add(d) }

// send sends as soon as the learner allows.
func (p *play) send() Token {
	p.t.Helper()
	for {
		at, ok := p.l.NextSend(p.now)
		if ok {
			return p.l.Send(p.now)
		}
		if !at.After(p.now) {
			p.t.Fatalf("nothing may be sent: %+v", p.l.Status(p.now))
		}
		p.now = at
	}
}

// serve sends n calls one after another, each answered after d.
func (p *play) serve(n int, d time.Duration) {
	p.t.Helper()
	for range n {
		t := p.send()
		p.wait(d)
		p.l.Answered(p.now, t, true)
	}
}

func (p *play) status() Status { return p.l.Status(p.now) }

func TestRetryAfterIsNeverShortened(t *testing.T) {
	p := newPlay(t, 10)
	a, b := p.send(), p.send()
	p.wait(20 * time.Millisecond)
	p.l.Refused(p.now, a, Refusal{RetryAfter: time.Minute})
	until := p.now.Add(time.Minute)
	p.wait(time.Millisecond)
	p.l.Refused(p.now, b, Refusal{RetryAfter: time.Second})
	if at, ok := p.l.NextSend(p.now); ok || at.Before(until) {
		t.Errorf("next send at %v, %t", at, ok)
	}
	p.wait(time.Minute - 2*time.Millisecond)
	if _, ok := p.l.NextSend(p.now); ok {
		t.Error("let go a millisecond early")
	}
	if got := p.status().Until; !got.Equal(until) {
		t.Errorf("until %v, want %v", got, until)
	}
}

func TestAbsurdRetryAfterDoesNotOverflow(t *testing.T) {
	p := newPlay(t, 10)
	p.wait(time.Hour)
	p.l.Refused(p.now, p.send(), Refusal{RetryAfter: math.MaxInt64})
	p.wait(time.Hour)
	if at, ok := p.l.NextSend(p.now); ok || !at.After(p.now) {
		t.Errorf("next send at %v, %t", at, ok)
	}
}

func TestRefusalWithNothingElseInFlightIsAboutTheRate(t *testing.T) {
	p := newPlay(t, 10)
	a := p.send()
	p.wait(20 * time.Millisecond)
	p.l.Refused(p.now, a, Refusal{})
	if s := p.status(); s.RateEpisodes != 1 || s.CapEpisodes != 0 || !s.Blocked {
		t.Errorf("%+v", s)
	}
}

func TestRefusalBeyondWhatWasCarriedIsAboutTheCap(t *testing.T) {
	p := newPlay(t, 10)
	p.serve(50, 100*time.Millisecond) // one at a time
	a := p.send()
	b := p.send()
	p.wait(20 * time.Millisecond)
	p.l.Refused(p.now, b, Refusal{})
	if s := p.status(); s.CapEpisodes != 1 || s.RateEpisodes != 0 || s.Blocked || s.Cap != 1 {
		t.Errorf("%+v", s)
	}
	p.l.Answered(p.now, a, true)
}

func TestRefusalOfAnExhaustedWindowIsAboutTheRate(t *testing.T) {
	p := newPlay(t, 10)
	p.serve(50, 100*time.Millisecond)
	p.send()
	p.l.Refused(p.now, p.send(), Refusal{Exhausted: true})
	if s := p.status(); s.CapEpisodes != 0 || s.RateEpisodes != 1 {
		t.Errorf("%+v", s)
	}
}

func TestOneReactionAnEpisode(t *testing.T) {
	p := newPlay(t, 100)
	var sent []Token
	for range 20 {
		p.wait(time.Second)
		for {
			if _, ok := p.l.NextSend(p.now); !ok {
				break
			}
			sent = append(sent, p.l.Send(p.now))
		}
	}
	if len(sent) < 50 {
		t.Fatalf("only %d in flight", len(sent))
	}
	for _, s := range sent {
		p.wait(time.Millisecond)
		p.l.Refused(p.now, s, Refusal{})
	}
	if s := p.status(); s.CapEpisodes+s.RateEpisodes != 1 || s.Refusals != uint64(len(sent)) {
		t.Errorf("%+v", s)
	}
}

// What was sent before a cut of the cap says nothing about the cut.
func TestSecondRefusalInARowIsAboutTheRate(t *testing.T) {
	for _, tt := range []struct {
		name    string
		between bool // something sent in between survives
		cap     uint64
	}{{"in a row", false, 1}, {"not in a row", true, 2}} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlay(t, 10)
			p.serve(50, 100*time.Millisecond) // one at a time
			sent := []Token{p.l.Send(p.now), p.l.Send(p.now), p.l.Send(p.now), p.l.Send(p.now)}
			p.l.Refused(p.now, sent[3], Refusal{})
			p.wait(time.Second)
			p.l.Answered(p.now, sent[2], true)
			if tt.between {
				p.l.Answered(p.now, p.l.Send(p.now), true)
			}
			p.wait(time.Millisecond)
			p.l.Refused(p.now, p.l.Send(p.now), Refusal{})
			if s := p.status(); s.CapEpisodes != tt.cap || s.RateEpisodes != 2-tt.cap {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A judge that refuses in no time, as in a test, is not asked without end.
func TestRefusalsInNoTimeAreWaitedOut(t *testing.T) {
	p := newPlay(t, 10)
	p.serve(5, 100*time.Millisecond)
	var sent []Token
	for range 4 {
		sent = append(sent, p.l.Send(p.now))
	}
	p.wait(time.Second)
	p.l.Answered(p.now, sent[0], true)
	p.l.Refused(p.now, sent[3], Refusal{}) // the cap, with a slot that is free
	for n := 0; ; n++ {
		if _, ok := p.l.NextSend(p.now); !ok {
			break
		}
		if n > 20 {
			t.Fatalf("no end of it: %+v", p.status())
		}
		p.l.Refused(p.now, p.l.Send(p.now), Refusal{})
	}
}

// A limiter that lets in one a second: the rate between two openings is its.
func TestRateIsLearned(t *testing.T) {
	p := newPlay(t, 10)
	level, last := 1.0, p.now
	for range 400 {
		s := p.send()
		p.wait(20 * time.Millisecond)
		level, last = min(1, level+p.now.Sub(last).Seconds()), p.now
		if level < 1 {
			p.l.Refused(p.now, s, Refusal{})
			continue
		}
		level--
		p.l.Answered(p.now, s, true)
	}
	if s := p.status(); s.Measured < 0.85 || s.Measured > 1.1 {
		t.Errorf("%+v", s)
	}
}

// From few acceptances no rate is measured: the pace rises fast to one.
func TestFewAcceptancesAreNoMeasurement(t *testing.T) {
	const gap = 25 * time.Millisecond
	p := newPlay(t, 10)
	next, accepted, began := p.now, 0, p.now
	for p.now.Sub(began) < 10*time.Second {
		s := p.send()
		p.wait(time.Millisecond)
		if p.now.Before(next) {
			p.l.Refused(p.now, s, Refusal{RetryAfter: next.Sub(p.now), Exhausted: true})
			continue
		}
		next = p.now.Add(gap)
		accepted++
		p.l.Answered(p.now, s, true)
	}
	if accepted < 340 {
		t.Errorf("%d of 400 in the first 10 s: %+v", accepted, p.status())
	}
}

func TestPauseFollowsTheSpeedOfTheJudge(t *testing.T) {
	for _, tt := range []struct {
		name       string
		answer     time.Duration // 0: none before
		refusal    time.Duration
		retryAfter time.Duration
		want       time.Duration
	}{
		{"a slow one", 3 * time.Second, 20 * time.Millisecond, 0, time.Second},
		{"a fast one", 50 * time.Millisecond, 2 * time.Millisecond, 0, 200 * time.Millisecond},
		{"none known", 0, 2 * time.Millisecond, 0, 32 * time.Millisecond},
		{"at once", time.Microsecond, time.Microsecond, 0, beatLeast},
		{"one that says", 50 * time.Millisecond, 2 * time.Millisecond, 25 * time.Millisecond, 25 * time.Millisecond},
		{"one that says long", 50 * time.Millisecond, 2 * time.Millisecond, time.Minute, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlay(t, 10)
			if tt.answer > 0 {
				p.serve(1, tt.answer)
			}
			s := p.send()
			p.wait(tt.refusal)
			p.l.Refused(p.now, s, Refusal{RetryAfter: tt.retryAfter})
			if got := p.status().Until.Sub(p.now); got != tt.want {
				t.Errorf("a pause of %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFailuresLowerNothing(t *testing.T) {
	p := newPlay(t, 10)
	p.serve(50, 100*time.Millisecond)
	before := p.status()
	for range 100 {
		s := p.send()
		p.wait(100 * time.Millisecond)
		p.l.Answered(p.now, s, false)
		s = p.send()
		p.wait(time.Minute) // a time-out
		p.l.Abandoned(p.now, s)
	}
	if s := p.status(); s.Cap < before.Cap || s.Rate != before.Rate || s.Blocked {
		t.Errorf("from %+v to %+v", before, s)
	}
}

func TestAbandonedTrialIsTriedAgain(t *testing.T) {
	p := newPlay(t, 10)
	a := p.send()
	p.l.Refused(p.now, a, Refusal{})
	trial := p.send()
	if at, ok := p.l.NextSend(p.now); ok || !at.Equal(p.now.Add(quietFirst)) {
		t.Errorf("beside the trial: %v, %t", at, ok)
	}
	p.l.Abandoned(p.now, trial)
	if _, ok := p.l.NextSend(p.now); !ok {
		t.Error("the next trial has to wait")
	}
	p.serve(1, 100*time.Millisecond)
	if s := p.status(); s.Blocked {
		t.Errorf("%+v", s)
	}
}

// Too little to send for a while says nothing about the limit.
func TestIdleTimeIsNotMeasured(t *testing.T) {
	p := newPlay(t, 100)
	level, last := 60.0, p.now
	arrive := func(s Token) {
		p.wait(20 * time.Millisecond)
		level, last = min(60, level+p.now.Sub(last).Seconds()), p.now
		if level < 1 {
			p.l.Refused(p.now, s, Refusal{})
			return
		}
		level--
		p.l.Answered(p.now, s, true)
	}
	for range 400 {
		arrive(p.send())
	}
	learned := p.status().Measured
	for range 5 {
		for range 100 {
			p.wait(30 * time.Second)
			arrive(p.send())
		}
		for range 150 {
			arrive(p.send())
		}
		if got := p.status().Measured; got < 0.8*learned {
			t.Errorf("measured %v, before the idle time %v", got, learned)
		}
	}
}

func TestCeilingCanChange(t *testing.T) {
	p := newPlay(t, 0)
	if s := p.status(); s.Ceiling != math.MaxInt {
		t.Errorf("%+v", s)
	}
	a, b := p.send(), p.send()
	p.l.SetCeiling(1)
	if _, ok := p.l.NextSend(p.now); ok {
		t.Error("sent above the ceiling")
	}
	p.wait(time.Second)
	p.l.Answered(p.now, a, true)
	if _, ok := p.l.NextSend(p.now); ok {
		t.Error("sent above the ceiling")
	}
	p.l.Answered(p.now, b, true)
	p.serve(3, time.Second)
	if s := p.status(); s.Cap != 1 || s.InFlight != 0 {
		t.Errorf("%+v", s)
	}
	p.l.SetCeiling(5)
	p.serve(3, time.Second)
}

func TestTimeThatGoesBackStandsStill(t *testing.T) {
	p := newPlay(t, 10)
	a := p.send()
	p.wait(20 * time.Millisecond)
	p.l.Refused(p.now, a, Refusal{RetryAfter: time.Second})
	if at, ok := p.l.NextSend(p.now.Add(-time.Hour)); ok || !at.Equal(p.now.Add(time.Second)) {
		t.Errorf("next send at %v, %t", at, ok)
	}
}

func BenchmarkSend(b *testing.B) {
	now := time.Unix(1e9, 0)
	l := New(Config{Ceiling: 1000, Start: now})
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(10 * time.Microsecond)
		if _, ok := l.NextSend(now); ok {
			l.Answered(now, l.Send(now), true)
		}
	}
}
