package instrumentation

import (
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// Flags are facts about an invocation that decide whether it is evaluated.
type Flags uint8

// The flags.
const (
	FlagSuppressed   Flags = 1 << iota // started below [WithoutEvaluation]
	FlagFailed                         // has an error type
	FlagCancelled                      // the application gave it up
	FlagToolCallOnly                   // the first choice asks for tools and says nothing else
	FlagUnsampled                      // its valid span was not sampled
	FlagUnsupported                    // an operation that is never evaluated: create_agent
	FlagTruncated                      // the recording let some of the output go
	FlagPrioritized                    // the application gave a priority, perhaps normal
)

// Summary is what a completion callback needs to decide at once whether an
// invocation is evaluated. It is computed while the invocation ends, so that
// nobody walks the content on the application's time, and it lies together in
// memory.
type Summary struct {
	// Key places the invocation for sampling: its trace id, so that a trace is
	// sampled as a whole; without one a hash of the response id, which is the
	// same in every process; without either random.
	Key [2]uint64
	// End is when the invocation ended.
	End time.Time
	// Size is the bytes of content that it holds plus a fixed overhead: what it
	// costs to keep.
	Size     int
	Kind     Kind
	Flags    Flags
	Priority Priority // by [WithPriority] or [Invocation.SetPriority], else normal
}

// Has reports whether any of the flags is set.
func (s *Summary) Has(f Flags) bool { return s.Flags&f != 0 }

// Summary is complete in callbacks and after End, and must not be modified.
func (inv *Invocation) Summary() *Summary { return &inv.read().summary }

func (inv *Invocation) summarize() {
	sc := inv.spanContext
	s := Summary{Key: inv.samplingKey(), End: inv.end, Size: inv.size, Kind: inv.kind, Priority: inv.priority}
	for _, f := range []struct {
		flag Flags
		set  bool
	}{
		{FlagSuppressed, inv.suppression != 0},
		{FlagFailed, inv.errorType != ""},
		{FlagCancelled, inv.cancelled},
		{FlagToolCallOnly, inv.toolOnly},
		{FlagUnsampled, sc.IsValid() && !sc.IsSampled()},
		{FlagUnsupported, inv.operation == operationCreateAgent},
		{FlagTruncated, inv.truncated},
		{FlagPrioritized, inv.prioritized},
	} {
		if f.set {
			s.Flags |= f.flag
		}
	}
	inv.summary = s
}

func (inv *Invocation) samplingKey() [2]uint64 {
	switch sc := inv.spanContext; {
	case sc.HasTraceID():
		id := sc.TraceID()
		return [2]uint64{binary.LittleEndian.Uint64(id[:8]), binary.LittleEndian.Uint64(id[8:])}
	case inv.responseID != "":
		return [2]uint64{hashText(inv.responseID), uint64(len(inv.responseID))}
	}
	return [2]uint64{rand.Uint64(), rand.Uint64()}
}

// hashText is FNV-1a, 64 bits.
func hashText(s string) uint64 {
	h := uint64(0xcbf2_9ce4_8422_2325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100_0000_01b3
	}
	return h
}
