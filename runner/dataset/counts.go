package dataset

import "sync/atomic"

// Counts is what was read of a file so far. It may be looked at any time; a nil
// Counts has counted nothing.
type Counts struct {
	items, bad, passedOver atomic.Int64
}

// Items were yielded.
func (c *Counts) Items() int64 {
	if c == nil {
		return 0
	}
	return c.items.Load()
}

// Bad are rows that are no items: their errors were yielded.
func (c *Counts) Bad() int64 {
	if c == nil {
		return 0
	}
	return c.bad.Load()
}

// PassedOver are spans of an OTLP file that are no call of a model, an agent or a
// workflow, or one that failed.
func (c *Counts) PassedOver() int64 {
	if c == nil {
		return 0
	}
	return c.passedOver.Load()
}
