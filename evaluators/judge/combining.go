package judge

import "sync"

// maxCombinedFailures is how many combined calls in a row may fail to give a
// single answer before a model is asked one by one. Such a call is paid for in
// vain.
const maxCombinedFailures = 3

// combining remembers how combined calls went for each model. It is safe for
// concurrent use.
type combining struct {
	mu     sync.Mutex
	inARow map[string]int
}

// pays reports whether a model is worth asking several questions at once.
func (c *combining) pays(model string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.inARow[model] < maxCombinedFailures
}

// failed notes a combined call without any answer.
func (c *combining) failed(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inARow == nil {
		c.inARow = make(map[string]int)
	}
	if _, known := c.inARow[model]; !known {
		makeRoom(c.inARow)
	}
	if c.inARow[model] < maxCombinedFailures {
		c.inARow[model]++
	}
}

// answered notes one with an answer, whole or in part.
func (c *combining) answered(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inARow[model] < maxCombinedFailures {
		delete(c.inARow, model)
	}
}
