package dashboard

import "sync"

const (
	// recentFrames is how many frames a stream that comes back can have missed.
	recentFrames = 64
	// spareFrames of them are made while nobody watches.
	spareFrames = 10
	// linePoints is how long lines are: three minutes while somebody watches.
	linePoints = 180
	// streamBuffer is how many frames a slow stream can be behind.
	streamBuffer = 8
)

// hub is what all streams share, under one lock. The sampler fills it.
type hub struct {
	epoch string

	mu      sync.Mutex
	cells   cells
	points  []point
	recent  []frame // oldest first
	seq     uint64
	streams map[*stream]struct{}
	spare   int // frames that are still kept after the last stream left: it may come back
	closed  bool
}

// stream is one browser. Its goroutine owns it; only behind is the hub's.
type stream struct {
	frames chan frame
	behind bool // frames were lost: it needs everything anew
}

func newHub(epoch string) *hub {
	return &hub{epoch: epoch, cells: make(cells), streams: make(map[*stream]struct{})}
}

// publish makes the cells current and hands what changed to every stream. It
// waits for none of them.
func (h *hub) publish(fresh cells, partial bool, p *point) {
	h.mu.Lock()
	defer h.mu.Unlock()
	changed := h.cells.change(fresh, partial)
	b := body{Cells: changed}
	if p != nil {
		h.points = append(h.points[max(0, len(h.points)-linePoints+1):], *p)
		b.Points = []point{*p}
	}
	if len(changed) == 0 && p == nil {
		return
	}
	h.seq++
	if len(h.streams) == 0 && h.spare == 0 {
		h.recent = h.recent[:0] // there would be a gap
		return
	}
	h.spare = max(0, h.spare-1)
	f := frame{seq: h.seq, second: !partial, data: encode(b)}
	h.recent = append(h.recent[max(0, len(h.recent)-recentFrames+1):], f)
	for s := range h.streams {
		select {
		case s.frames <- f:
		default:
			s.behind = true
		}
	}
}

// join adds a stream, and returns what it has to be sent first: the frames after
// the one that it saw last, or with whole everything.
func (h *hub) join(seen position, known bool, limit int) (s *stream, first []frame, whole bool, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.streams) >= limit {
		return nil, nil, false, false
	}
	s = &stream{frames: make(chan frame, streamBuffer)}
	h.streams[s] = struct{}{}
	if known && seen.epoch == h.epoch && seen.seq <= h.seq {
		if seen.seq == h.seq {
			return s, nil, false, true
		}
		for i, f := range h.recent {
			if f.seq == seen.seq+1 {
				return s, append(first, h.recent[i:]...), false, true
			}
		}
	}
	return s, []frame{h.everything()}, true, true
}

// caughtUp returns everything, if the stream has lost frames. What was waiting for
// it is part of that.
func (h *hub) caughtUp(s *stream) (f frame, needed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !s.behind {
		return frame{}, false
	}
	s.behind = false
	for {
		select {
		case <-s.frames:
			continue
		default:
		}
		return h.everything(), true
	}
}

// everything is a frame of its own; the lock is held.
func (h *hub) everything() frame {
	return frame{seq: h.seq, second: true, data: encode(body{Cells: h.cells, Points: h.points})}
}

func (h *hub) leave(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, s)
	h.spare = spareFrames
}

func (h *hub) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams) > 0
}

// close lets nobody join any more.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
}
