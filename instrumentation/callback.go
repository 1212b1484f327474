package instrumentation

// CompletionCallback is told of every invocation that was recorded, once, when
// it ends.
type CompletionCallback interface {
	// OnCompletion runs on the application's goroutine, inside End or Fail and
	// before the span ends, whatever the sampling decision and the capture
	// mode. The invocation is complete and no longer changes. It must return
	// at once; a panic is contained and counted. Callbacks run in the order in
	// which they were registered.
	OnCompletion(inv *Invocation)
}

// CompletionCallbackFunc is a function as a [CompletionCallback].
type CompletionCallbackFunc func(inv *Invocation)

// OnCompletion calls f.
func (f CompletionCallbackFunc) OnCompletion(inv *Invocation) { f(inv) }
