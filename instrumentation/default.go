package instrumentation

import "sync"

var (
	defaultMu      sync.Mutex
	defaultHandler *Handler // guarded by defaultMu
)

// Default returns the handler that transports use without being passed one.
// Unless [SetDefault] was called, the first call makes it with [NewHandler]
// and no options: on the global OTel providers, whether the application sets
// them before or after. It is never nil and safe for concurrent use.
func Default() *Handler {
	defaultMu.Lock()
	defer defaultMu.Unlock()
	if defaultHandler == nil {
		defaultHandler = NewHandler()
	}
	return defaultHandler
}

// SetDefault makes h what [Default] returns. Callbacks stay with the handler
// that they were registered with. Nil lets the next Default make a new one. It
// is safe for concurrent use.
func SetDefault(h *Handler) {
	defaultMu.Lock()
	defer defaultMu.Unlock()
	defaultHandler = h
}
