package dataset

import "sync/atomic"

// Counts is what was read of a file so far. It may be looked at any time.
type Counts struct {
	items, bad, passed atomic.Int64
}

// Items were yielded.
func (c *Counts) Items() int64 { return c.items.Load() }

// Bad are rows that are no items: their errors were yielded.
func (c *Counts) Bad() int64 { return c.bad.Load() }

// PassedOver are spans of an OTLP file that are no call of a model, an agent or a
// workflow.
func (c *Counts) PassedOver() int64 { return c.passed.Load() }
