package manager

import "github.com/genaievals/genaievals/instrumentation"

// Reasons for which a lane gives an invocation up.
const (
	DropQueueFull = "queue_full" // no room, and the policy drops the newest
	DropTooLarge  = "too_large"  // larger than the whole queue
	DropExpired   = "expired"    // waited longer than MaxAge
	DropEvicted   = "evicted"    // made room for a newer one, or for another priority in its own share
	DropDuplicate = "duplicate"  // was taken before, see [DuplicateMemory]
	DropShutdown  = "shutdown"   // still waiting when the drain time was over
)

// drop is such a reason as an index: counting it costs no hash.
type drop uint8

const (
	notDropped drop = iota
	dropQueueFull
	dropTooLarge
	dropExpired
	dropEvicted
	dropDuplicate
	dropShutdown
	drops
)

var dropNames = [drops]string{"", DropQueueFull, DropTooLarge, DropExpired, DropEvicted, DropDuplicate, DropShutdown}

// dropped tells the drop handlers and wakes the reporter. It is called without
// any lock held.
func (m *Manager) dropped(l *lane, why drop, inv *instrumentation.Invocation) {
	m.wakeReporter()
	m.tellDrop(m.cfg.DropHandlers, Drop{Lane: l.name, Reason: dropNames[why], Invocation: inv})
}

// tellDrop tells one handler after the other, whatever becomes of each.
func (m *Manager) tellDrop(handlers []DropHandler, d Drop) {
	if len(handlers) == 0 {
		return
	}
	defer m.tellDrop(handlers[1:], d)
	returned := false
	defer m.contain("drop handler", &returned)
	handlers[0](d)
	returned = true
}
