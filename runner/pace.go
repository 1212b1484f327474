package runner

import (
	"math"
	"time"
)

// pace is a moving average of completions a second: of what was long ago, an
// e-th part counts after paceMemory.
type pace struct {
	rate    float64
	weight  float64   // of what the average knows, from 0 to 1
	at      time.Time // until when it knows
	pending int       // completions since
}

const (
	paceMemory = 20 * time.Second
	paceStep   = 100 * time.Millisecond // completions closer together count as one
)

// add counts n completions.
func (p *pace) add(now time.Time, n int) {
	p.pending += n
	if now.Sub(p.at) >= paceStep {
		*p = p.until(now)
	}
}

// until is the average with what has been pending.
func (p pace) until(now time.Time) pace {
	dt := now.Sub(p.at).Seconds()
	keep := math.Exp(-dt / paceMemory.Seconds())
	p.rate = p.rate*keep + float64(p.pending)/dt*(1-keep)
	p.weight = p.weight*keep + 1 - keep
	p.at, p.pending = now, 0
	return p
}

// perSecond is the average now. Time without a completion counts once it is
// longer than usual.
func (p pace) perSecond(now time.Time) float64 {
	dt := now.Sub(p.at)
	if p.weight == 0 && dt > 0 || p.weight > 0 && dt >= paceStep && dt.Seconds()*p.rate > 2*p.weight {
		p = p.until(now)
	}
	if p.weight == 0 {
		return 0
	}
	return p.rate / p.weight
}
