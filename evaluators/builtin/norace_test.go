//go:build !race

package builtin_test

// shrink is by how much hostile texts are smaller under the race detector.
const shrink = 1
