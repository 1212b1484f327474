//go:build race

package builtin_test

// shrink is by how much hostile texts are smaller where the race detector looks
// on, which takes ten times as long.
const shrink = 16
