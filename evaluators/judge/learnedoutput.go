package judge

import (
	"math"
	"sync"
)

// outputs remembers how long the answers to each metric have been, so that a
// call reserves about what it will use and not the whole output budget, which
// is there for the rare answer. What a call uses beyond its estimate is owed
// afterwards.
// There are as many as forms that are remembered.
type outputs struct {
	mu       sync.Mutex
	byMetric map[string]*outputLength
}

// outputLength is a moving average of tokens and of how far they are off it.
type outputLength struct {
	seen            int
	mean, deviation float64
}

const (
	// outputsToTrust is how many answers are needed before they count.
	outputsToTrust = 8
	// outputWeight is that of the newest answer: the last twenty or so count.
	outputWeight = 0.1
	// outputMargin in deviations: few answers are longer.
	outputMargin = 4
)

func (o *outputs) add(metric string, tokens int64) {
	if tokens <= 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.byMetric[metric]
	if l == nil {
		if o.byMetric == nil {
			o.byMetric = make(map[string]*outputLength)
		}
		makeRoom(o.byMetric)
		l = &outputLength{mean: float64(tokens)}
		o.byMetric[metric] = l
	}
	off := float64(tokens) - l.mean
	l.seen++
	l.mean += outputWeight * off
	l.deviation += outputWeight * (math.Abs(off) - l.deviation)
}

// estimate is what an answer will take, at most the budget, which it also is
// until there is enough to go by.
func (o *outputs) estimate(metric string, budget int) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.byMetric[metric]
	if l == nil || l.seen < outputsToTrust {
		return int64(budget)
	}
	return min(int64(budget), int64(math.Ceil(l.mean+outputMargin*l.deviation)))
}
