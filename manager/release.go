package manager

import (
	"slices"
	"sync"
	"weak"

	"go.opentelemetry.io/otel/metric"
)

// retired are managers that were shut down and whose last counts are still
// reported: providers collect once more when they are shut down, which is
// afterwards. The next manager on the same meter releases them, so that one
// that is started again and again does not add up. It holds none of them in
// memory: a provider that is let go takes its managers along.
var retired struct {
	sync.Mutex
	managers []weak.Pointer[Manager]
}

// retire remembers a manager that was shut down for releaseRetired.
func (m *Manager) retire() {
	if m.cfg.Meter == nil {
		return
	}
	retired.Lock()
	defer retired.Unlock()
	retired.managers = append(retired.managers, weak.Make(m))
}

// releaseRetired releases those that were shut down on that meter.
func releaseRetired(meter metric.Meter) {
	retired.Lock()
	defer retired.Unlock()
	retired.managers = slices.DeleteFunc(retired.managers, func(p weak.Pointer[Manager]) bool {
		m := p.Value()
		if m == nil {
			return true
		}
		if !sameMeter(m.cfg.Meter, meter) {
			return false
		}
		m.Release()
		return true
	})
}

// sameMeter reports whether two meters are one. Those of a type that cannot be
// compared are not.
func sameMeter(a, b metric.Meter) (same bool) {
	defer func() { _ = recover() }()
	return a == b
}

// Release ends the manager's own telemetry. Until then its counts are reported,
// also after Shutdown, so that the meter provider's last collection has the
// final ones. The next [New] with the same Meter releases those that were shut
// down; an application calls Release where it keeps neither the manager nor
// its provider. It does not block, and a second call does nothing.
func (m *Manager) Release() {
	m.releaseOnce.Do(m.unregister)
}
