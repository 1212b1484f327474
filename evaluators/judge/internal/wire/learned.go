package wire

import "sync"

// Learned is the dialect of each model asked so far. The zero value has learned
// nothing. It is safe for concurrent use.
type Learned[D comparable] struct {
	mu       sync.Mutex
	dialects map[string]D
}

// Of returns the dialect of a model, the zero one at first.
func (l *Learned[D]) Of(model string) D {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dialects[model]
}

// Change changes a model's dialect. Changes only add to a dialect, so that each
// part of one changes once at most and no two refusals can make it swing.
func (l *Learned[D]) Change(model string, change func(*D)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.dialects[model]
	change(&d)
	if l.dialects == nil {
		l.dialects = map[string]D{}
	}
	l.dialects[model] = d
}
