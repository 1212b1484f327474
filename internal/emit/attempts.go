package emit

// attempts makes several calls of an application's providers, so that one
// that panics does not keep the others from being made. It belongs to one
// goroutine.
type attempts struct {
	panicked bool
	cause    any // of the first panic
}

func (a *attempts) try(f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if cause := recover(); !a.panicked {
			a.panicked, a.cause = true, cause
		}
	}()
	f()
	returned = true
}

// raise panics as the first of the calls that did, after all were made:
// whoever called the emitter contains, counts and reports it.
func (a *attempts) raise() {
	if a.panicked {
		panic(a.cause)
	}
}
