package judge

import (
	"math"
	"slices"
)

// part is a class of evaluated text. Where there is not room for all, those
// that come first here are served first.
type part int

const (
	partOutput part = iota
	partInput
	partExpected
	partSystem
	partDocuments
	partHistory
	parts
)

// floors are what a part is sure of, in sixteenths of the room: an endless
// output must not leave its judge without the question. The output is served
// first and so is sure of the rest.
var floors = [parts]int{
	partInput:     2,
	partExpected:  2,
	partSystem:    2,
	partDocuments: 4,
	partHistory:   1,
}

// shares divides a room among the parts, given what each would take. All get
// what they want if there is room. Else each gets that or its floor, whichever
// is less, and what is left goes to the parts in their order.
func shares(room int, wants [parts]int) [parts]int {
	if fits(room, wants[:]) {
		return wants
	}
	room = max(0, room) / 16 * 16 // else a floor could grow faster than the room
	var got [parts]int
	left := room
	for p, want := range wants {
		got[p] = min(want, room/16*floors[p])
		left -= got[p]
	}
	for p, want := range wants {
		more := min(want-got[p], left)
		got[p] += more
		left -= more
	}
	return got
}

// fits reports whether there is room for all sizes.
func fits(room int, sizes []int) bool {
	for _, size := range sizes {
		if size > room {
			return false
		}
		room -= size
	}
	return true
}

// level is the most that each of several texts may take, so that together they
// do not take more than the room: short ones whole, long ones all the same. It
// is endless when all fit.
func level(room int, sizes []int) int {
	left := max(0, room)
	sorted := slices.Clone(sizes)
	slices.Sort(sorted)
	for i, size := range sorted {
		if each := left / (len(sizes) - i); size > each {
			return each
		}
		left -= size
	}
	return math.MaxInt
}

// served counts how many of several texts, from the first, can take so much as
// least, or all that they want.
func served(room int, sizes []int, least int) int {
	for i, size := range sizes {
		if room -= min(size, least); room < 0 {
			return i
		}
	}
	return len(sizes)
}
