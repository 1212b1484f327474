package judge

// maxRemembered is how many models, or metrics, something is remembered of. An
// application has a few; names that are made up as it runs must not add up.
const maxRemembered = 256

// makeRoom forgets one entry, whichever, of a map that is full: what it said is
// learned again.
func makeRoom[K comparable, V any](m map[K]V) {
	if len(m) < maxRemembered {
		return
	}
	for k := range m {
		delete(m, k)
		return
	}
}
