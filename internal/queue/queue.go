// Package queue holds a first-in first-out queue of fixed segments.
//
// A slice that grows copies what it holds while its lock is taken, and a ring
// of the largest size costs its memory when it is empty. Segments do neither:
// pushing touches one slot, and the memory kept is that of what waits, rounded
// up to a segment.
package queue

// segmentLen slots are allocated at once: few enough that a nearly empty queue
// is small, enough that allocation does not show in the cost of a push.
const segmentLen = 128

type segment[T any] struct {
	items [segmentLen]T
	next  *segment[T]
}

// Queue is a first-in first-out queue. The zero value is empty and ready. It
// is not safe for concurrent use: it lives under its owner's lock.
type Queue[T any] struct {
	head, tail *segment[T]
	first      int // of head: the slot of the oldest item
	last       int // of tail: the slot after the newest item
	len        int
	spare      *segment[T] // one drained segment kept for the next push
}

// Len is the number of items waiting.
func (q *Queue[T]) Len() int { return q.len }

// Push adds an item at the end.
func (q *Queue[T]) Push(item T) {
	switch {
	case q.tail == nil:
		q.head = q.segment()
		q.tail, q.first, q.last = q.head, 0, 0
	case q.last == segmentLen:
		s := q.segment()
		q.tail.next = s
		q.tail, q.last = s, 0
	}
	q.tail.items[q.last] = item
	q.last++
	q.len++
}

// Peek returns the oldest item without removing it.
func (q *Queue[T]) Peek() (item T, ok bool) {
	if q.len == 0 {
		return item, false
	}
	return q.head.items[q.first], true
}

// At returns the item that has i before it, without removing any; i must be
// less than Len. It walks the segments between.
func (q *Queue[T]) At(i int) T {
	s, at := q.head, q.first+i
	for ; at >= segmentLen; at -= segmentLen {
		s = s.next
	}
	return s.items[at]
}

// Pop removes and returns the oldest item. Nothing in the queue refers to it
// afterwards.
func (q *Queue[T]) Pop() (item T, ok bool) {
	if q.len == 0 {
		return item, false
	}
	var zero T
	item = q.head.items[q.first]
	q.head.items[q.first] = zero
	q.first++
	q.len--
	switch {
	case q.len == 0:
		q.spare = q.head
		q.head, q.tail = nil, nil
	case q.first == segmentLen:
		drained := q.head
		q.head, q.first = drained.next, 0
		drained.next = nil
		q.spare = drained
	}
	return item, true
}

func (q *Queue[T]) segment() *segment[T] {
	if s := q.spare; s != nil {
		q.spare = nil
		return s
	}
	return new(segment[T])
}
