package dashboard

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/manager"
)

// sse is one event of a stream.
type sse struct{ id, name, data string }

// watcher reads a stream.
type watcher struct {
	t    *testing.T
	res  *http.Response
	scan *bufio.Scanner
}

func watch(t *testing.T, url string, headers ...string) *watcher {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	scan := bufio.NewScanner(res.Body)
	scan.Buffer(nil, 8<<20)
	return &watcher{t, res, scan}
}

// next returns the next event with that name.
func (w *watcher) next(name string) sse {
	w.t.Helper()
	var e sse
	for w.scan.Scan() {
		key, value, _ := strings.Cut(w.scan.Text(), ": ")
		switch key {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name == name {
				return e
			}
			e = sse{}
		}
	}
	w.t.Fatalf("the stream ended before an event %q: %v", name, w.scan.Err())
	return e
}

func started(t *testing.T, offered *atomic.Uint64, change func(*Config)) (s *Server, url string) {
	t.Helper()
	s = newPage(t, func(c *Config) {
		c.Explanation = true
		c.App = func() manager.Status {
			n := offered.Load()
			return manager.Status{Concurrent: true, Door: manager.DoorStatus{Offered: n, FannedOut: n}, Lanes: []manager.LaneStatus{{Name: "judge", Workers: 4}}}
		}
		if change != nil {
			change(c)
		}
	})
	url, err := s.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return s, url
}

func TestAStreamBeginsWithEverythingAndGoesOnWithWhatChanges(t *testing.T) {
	var offered atomic.Uint64
	offered.Store(7)
	s, url := started(t, &offered, nil)
	s.Offer(scored("tone", "Good", true, time.Now()))
	w := watch(t, url+"events")
	if got := w.res.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("Content-Type %q", got)
	}
	w.next("all")
	if empty := watch(t, url+"events?metric=none").next("results"); empty.data != `{"results":[],"reset":true}` {
		t.Errorf("results that nothing matches are %s", empty.data)
	}
	if r := w.next("results"); !strings.Contains(r.data, `"because of Good"`) || !strings.Contains(r.data, `"reset":true`) {
		t.Errorf("the first results are %s", r.data)
	}
	offered.Store(8)
	for {
		var b body
		if err := json.Unmarshal([]byte(w.next("change").data), &b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b.Cells["flow"]), `"count":8`) {
			break
		}
	}
	s.Offer(scored("tone", "Bad", false, time.Now()))
	if r := w.next("results"); !strings.Contains(r.data, "because of Bad") || strings.Contains(r.data, "because of Good") {
		t.Errorf("the next results are %s, want the new one only", r.data)
	}
}

func TestAStreamThatComesBackIsSentWhatItMissed(t *testing.T) {
	var offered atomic.Uint64
	s, url := started(t, &offered, nil)
	staying := watch(t, url+"events") // so that frames are kept
	first := watch(t, url+"events")
	first.next("all")
	seen := first.next("change")
	_ = first.res.Body.Close()
	offered.Store(3)
	staying.next("change")
	staying.next("change")
	s.Offer(scored("tone", "Late", true, time.Now()))
	for name, w := range map[string]*watcher{
		"header": watch(t, url+"events", "Last-Event-ID", seen.id), "parameter": watch(t, url+"events?last="+seen.id),
	} {
		e := w.next("change")
		if before, _ := readPosition(seen.id); e.id != (position{before.epoch, before.seq + 1, before.results}).String() {
			t.Errorf("%s: goes on with %s after %s", name, e.id, seen.id)
		}
		if r := w.next("results"); !strings.Contains(r.data, "Late") {
			t.Errorf("%s: results %s", name, r.data)
		}
	}
	for _, unknown := range []string{"other-5-0", "garbage", "a-b-c", s.hub.epoch + "-999999-0", s.hub.epoch + "--1-0"} {
		watch(t, url+"events", "Last-Event-ID", unknown).next("all") // or it fails
	}
}

func TestStreamsEndBeforeTheServerDoes(t *testing.T) {
	var offered atomic.Uint64
	s, url := started(t, &offered, nil)
	w := watch(t, url+"events")
	w.next("all")
	offered.Store(9)
	began := time.Now()
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	w.next("bye")
	if err := s.Shutdown(t.Context()); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

func TestThereIsAnEndToStreamsAtOnce(t *testing.T) {
	var offered atomic.Uint64
	s, url := started(t, &offered, nil)
	for range maxStreams {
		if _, _, _, ok := s.hub.join(position{}, false, maxStreams); !ok {
			t.Fatal("refused too early")
		}
	}
	res, err := http.Get(url + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Errorf("%s", res.Status)
	}
}

// A stream that nobody reads is given everything anew when it is read again, and
// keeps nobody waiting meanwhile.
func TestASlowStreamLosesFramesAndCatchesUp(t *testing.T) {
	h := newHub("e")
	slow, _, whole, ok := h.join(position{}, false, 2)
	if !whole || !ok {
		t.Fatal("a new stream is not sent everything")
	}
	for i := range 100 {
		h.publish(cells{"n": json.RawMessage(strings.Repeat("1", i+1))}, true, nil)
	}
	if len(slow.frames) != streamBuffer {
		t.Fatalf("%d frames wait", len(slow.frames))
	}
	f, behind := h.caughtUp(slow)
	if !behind || f.seq != 100 || !strings.Contains(string(f.data), strings.Repeat("1", 100)) || len(slow.frames) != 0 {
		t.Errorf("behind %t, frame %d %s, %d wait", behind, f.seq, f.data, len(slow.frames))
	}
	if _, behind := h.caughtUp(slow); behind {
		t.Error("it is behind for ever")
	}
}

// A browser that takes nothing is let go when its write is overdue; the others go on.
func TestABrowserThatReadsNothingHoldsNobodyUp(t *testing.T) {
	var offered atomic.Uint64
	s, url := started(t, &offered, nil)
	dead, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	if _, err := dead.Write([]byte("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	w := watch(t, url+"events")
	w.next("all")
	w.next("change")
	if err := s.Shutdown(t.Context()); err != nil {
		t.Errorf("shutdown beside it: %v", err)
	}
}

// The sources are asked four times a second while somebody watches, and hardly at
// all while nobody does.
func TestSourcesAreAskedAsOftenAsSomebodyLooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		s, err := New(Config{App: func() manager.Status {
			return manager.Status{Door: manager.DoorStatus{Offered: uint64(asked.Add(1))}, Lanes: []manager.LaneStatus{{Name: "l"}}}
		}})
		if err != nil {
			t.Fatal(err)
		}
		s.Handler()
		time.Sleep(time.Minute + time.Second)
		if n := asked.Load(); n < 12 || n > 14 {
			t.Errorf("asked %d times in a minute that nobody watched", n)
		}
		st, _, _, _ := s.hub.join(position{}, false, 1)
		s.refresh()
		asked.Store(0)
		var frames, seconds int
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			for len(st.frames) > 0 {
				frames++
				if f := <-st.frames; f.second {
					seconds++
				}
			}
		}
		if n := asked.Load(); n < 39 || n > 42 || frames < 39 || frames > 42 {
			t.Errorf("asked %d times, %d frames in 10 s", n, frames)
		}
		if seconds < 9 || seconds > 11 {
			t.Errorf("words came %d times in 10 s", seconds)
		}
		s.hub.leave(st)
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

func TestASourceThatPanicsStopsThePageOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{App: func() manager.Status { panic("the application's") }})
		if err != nil {
			t.Fatal(err)
		}
		s.Handler()
		time.Sleep(20 * time.Second)
		if err := s.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// The only one who watches comes back as well.
func TestTheLastStreamThatLeftIsSentWhatItMissed(t *testing.T) {
	h := newHub("e")
	only, _, _, _ := h.join(position{}, false, 1)
	h.publish(cells{"n": json.RawMessage("1")}, true, nil)
	h.leave(only)
	h.publish(cells{"n": json.RawMessage("2")}, true, nil)
	again, first, whole, _ := h.join(position{epoch: "e", seq: 1}, true, 1)
	if whole || len(first) != 1 || !strings.Contains(string(first[0].data), "2") {
		t.Errorf("is sent everything: %t, %d frames", whole, len(first))
	}
	h.leave(again)
	for i := range 2 * spareFrames {
		h.publish(cells{"n": json.RawMessage(strings.Repeat("3", i+1))}, true, nil)
	}
	if _, _, whole, _ = h.join(position{epoch: "e", seq: 2}, true, 1); !whole {
		t.Error("frames are kept for nobody")
	}
}

func TestNumbersAreFreshThoughNobodyWatches(t *testing.T) {
	var offered atomic.Uint64
	_, url := started(t, &offered, nil)
	for n := range uint64(3) {
		offered.Store(n)
		for {
			var m model
			res, err := http.Get(url + "status.json")
			if err != nil {
				t.Fatal(err)
			}
			err = json.NewDecoder(res.Body).Decode(&m)
			_ = res.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if m.Flow[0].Total.Count == int64(n) {
				break // within a quarter of a second, or the test would hang
			}
		}
	}
}
