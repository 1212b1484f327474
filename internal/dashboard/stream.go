package dashboard

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"time"
)

const (
	maxStreams   = 64
	heartbeat    = 15 * time.Second
	writeTimeout = 10 * time.Second
	firstResults = 40 // sent when a stream begins
	moreResults  = 12 // sent a second
)

// events serves one browser's stream, until it leaves, is too slow to be written to,
// or the server shuts down.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	seen, known := readPosition(cmp.Or(r.Header.Get("Last-Event-ID"), q.Get("last")))
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream")
		return
	}
	s.refresh()
	st, first, whole, ok := s.hub.join(seen, known, maxStreams)
	if !ok {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "as many pages are open as there can be, or the server is ending", http.StatusServiceUnavailable)
		return
	}
	defer s.hub.leave(st)
	out := writer{
		s: s, w: w, control: http.NewResponseController(w), filter: filterOf(q),
		at: position{epoch: s.hub.epoch},
	}
	if !whole {
		out.at = seen
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold it back
	out.buffer.WriteString("retry: 2000\n\n")
	for _, f := range first {
		out.frame(f, whole)
	}
	out.results(firstResults)
	if out.flush() == nil {
		out.serve(r, st)
	}
}

// writer writes one stream.
type writer struct {
	s       *Server
	w       http.ResponseWriter
	control *http.ResponseController
	filter  filter
	at      position
	buffer  bytes.Buffer
}

func (o *writer) serve(r *http.Request, st *stream) {
	beat := time.NewTimer(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-o.s.ended:
			o.rest(st)
			event(&o.buffer, "bye", "", []byte("{}"))
			_ = o.flush()
			return
		case f := <-st.frames:
			if all, behind := o.s.hub.caughtUp(st); behind {
				o.frame(all, true)
			} else {
				o.frame(f, false)
			}
			if f.second {
				o.results(moreResults)
			}
		case <-beat.C:
			o.buffer.WriteString(": still here\n\n")
		}
		if o.flush() != nil {
			return
		}
		beat.Reset(heartbeat)
	}
}

// rest writes what is left of a stream that ends.
func (o *writer) rest(st *stream) {
	for {
		select {
		case f := <-st.frames:
			o.frame(f, false)
		default:
			o.results(moreResults)
			return
		}
	}
}

func (o *writer) frame(f frame, whole bool) {
	name := "change"
	if whole {
		name = "all"
	}
	o.at.seq = f.seq
	event(&o.buffer, name, o.at.String(), f.data)
}

// results sends what is new for the filter.
func (o *writer) results(n int) {
	after := o.at.results
	last := o.s.feed.last()
	if last == after && last > 0 {
		return
	}
	found := o.s.results(o.filter, after, n)
	o.at.results = last
	if len(found) > 0 { // some may have come meanwhile
		o.at.results = max(last, found[0].Seq)
	}
	if len(found) == 0 && after > 0 {
		return
	}
	data, err := json.Marshal(struct {
		Results []kept `json:"results"`
		Reset   bool   `json:"reset"`
	}{found, after == 0})
	if err == nil {
		event(&o.buffer, "results", o.at.String(), data)
	}
}

func (o *writer) flush() error {
	if o.buffer.Len() == 0 {
		return nil
	}
	// Not every writer can have a deadline or be flushed: one that cannot waits.
	_ = o.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := o.w.Write(o.buffer.Bytes())
	o.buffer.Reset()
	if err != nil {
		return err
	}
	return o.control.Flush()
}
