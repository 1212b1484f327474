package manager_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/genaievals/genaievals/manager"
	"github.com/google/go-cmp/cmp"
)

func TestQueueBoundsByCountAndBytes(t *testing.T) {
	large := strings.Repeat("x", 400<<10)
	for name, tt := range map[string]struct {
		cfg     manager.Config
		outputs []string
		queued  int
		drops   []string
	}{
		"unbounded count":   {outputs: slices.Repeat([]string{"x"}, 1000), queued: 1000},
		"count":             {cfg: manager.Config{QueueSize: 2}, outputs: []string{"a", "b", "c"}, queued: 2, drops: []string{"queue_full"}},
		"count, oldest":     {cfg: manager.Config{QueueSize: 2, QueuePolicy: manager.DropOldest}, outputs: []string{"a", "b", "c", "d"}, queued: 2, drops: []string{"evicted", "evicted"}},
		"bytes":             {cfg: manager.Config{QueueBytes: 1 << 20}, outputs: []string{large, large, large}, queued: 2, drops: []string{"queue_full"}},
		"bytes, oldest":     {cfg: manager.Config{QueueBytes: 1 << 20, QueuePolicy: manager.DropOldest}, outputs: []string{large, large, large}, queued: 2, drops: []string{"evicted"}},
		"larger than all":   {cfg: manager.Config{QueueBytes: 1 << 20, QueuePolicy: manager.DropOldest}, outputs: []string{"a", strings.Repeat("x", 2<<20)}, queued: 1, drops: []string{"too_large"}},
		"evictions bounded": {cfg: manager.Config{QueueBytes: 1 << 20, QueuePolicy: manager.DropOldest}, outputs: append(slices.Repeat([]string{strings.Repeat("x", 40<<10)}, 24), strings.Repeat("x", 1000<<10)), queued: 24, drops: []string{"queue_full"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBundle(t, tt.cfg, newDouble(good(0), "quality"))
			for _, output := range tt.outputs {
				b.invoke(output)
			}
			s := b.Status()
			checkLaws(t, s)
			if s.Lanes[0].Queued != tt.queued {
				t.Errorf("%d wait, want %d", s.Lanes[0].Queued, tt.queued)
			}
			if limit := tt.cfg.QueueBytes; limit > 0 && s.Lanes[0].QueuedBytes > limit {
				t.Errorf("%d bytes wait, more than %d", s.Lanes[0].QueuedBytes, limit)
			}
			if diff := cmp.Diff(tt.drops, b.drops()); diff != "" {
				t.Errorf("drops (-want +got):\n%s", diff)
			}
			_ = b.Shutdown(context.Background())
			if s := b.Status(); s.Lanes[0].Queued != 0 || s.Lanes[0].QueuedBytes != 0 {
				t.Errorf("after shutdown %d wait with %d bytes", s.Lanes[0].Queued, s.Lanes[0].QueuedBytes)
			}
		})
	}
}

func TestWhatWaitsTooLongExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{MaxAge: time.Minute}, newDouble(good(50*time.Second), "quality")).start(t)
		for i := range 4 { // evaluated at 0 s and 50 s; the others would start at 100 s
			b.invoke(fmt.Sprint(i))
		}
		if err := b.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
		checkLaws(t, b.Status())
		if got, want := b.outcomes(), []string{"0 quality scored Good", "1 quality scored Good"}; !slices.Equal(got, want) {
			t.Errorf("results %q, want %q", got, want)
		}
		if want := []string{"expired", "expired"}; !slices.Equal(b.drops(), want) {
			t.Errorf("drops %q, want %q", b.drops(), want)
		}
	})
}

// What has expired makes room before anything else is refused.
func TestAFullQueueForgetsWhatHasExpiredFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{MaxAge: time.Minute, QueueSize: 2}, newDouble(good(0), "quality"))
		b.invoke("a")
		time.Sleep(40 * time.Second)
		b.invoke("b")
		time.Sleep(40 * time.Second)
		b.invoke("c")
		b.invoke("d")
		if want := []string{"expired", "queue_full"}; !slices.Equal(b.drops(), want) {
			t.Errorf("drops %q, want %q", b.drops(), want)
		}
		checkLaws(t, b.Status())
		_ = b.Shutdown(context.Background())
	})
}

func TestFirstDropIsSaidAtOnceThenOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := newDouble(good(time.Hour), "quality")
		b := newBundle(t, manager.Config{QueueSize: 1, Timeout: 24 * time.Hour}, hang).start(t)
		b.invoke("taken")
		synctest.Wait()
		b.invoke("waits")
		b.invoke("dropped")
		synctest.Wait()
		const said = "invocations dropped"
		if n := b.log.matching(said, "lane=sequential", "reason=queue_full", "dropped=1", "queued=1", "queue_size=1", "CONCURRENT"); n != 1 {
			t.Fatalf("the first drop gave %d warnings: %q", n, b.log.lines)
		}
		for range 100 {
			b.invoke("dropped")
			time.Sleep(500 * time.Millisecond)
		}
		if n := b.log.matching(said); n != 1 {
			t.Fatalf("%d warnings within a minute, want 1", n)
		}
		time.Sleep(20 * time.Second)
		if n := b.log.matching(said, "dropped=100", "dropped_total=101"); n != 1 {
			t.Errorf("no warning with the count after a minute: %q", b.log.lines)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
		if n := b.log.matching(said, "reason=shutdown"); n != 1 {
			t.Errorf("what the shutdown dropped was said %d times, want once", n)
		}
	})
}

func TestConcurrentModeDoesNotNameTheSwitchWhenItDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBundle(t, manager.Config{Concurrent: true, QueueSize: 1, Workers: 1}, newDouble(good(time.Second), "quality")).start(t)
		for range 4 {
			b.invoke("x")
		}
		synctest.Wait()
		if b.log.matching("invocations dropped", "lane=double") != 1 || b.log.matching("CONCURRENT") != 0 {
			t.Errorf("warnings are %q", b.log.lines)
		}
	})
}

func TestASlowLaneDropsItsOwnWorkOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, fast := newDouble(good(time.Hour), "slow"), newDouble(good(time.Millisecond), "fast")
		slow.name, fast.name = "slow", "fast"
		b := newBundle(t, manager.Config{Concurrent: true, Workers: 1, QueueSize: 3, Timeout: 2 * time.Hour}, slow, fast).start(t)
		for i := range 50 {
			b.invoke(fmt.Sprint(i))
			time.Sleep(10 * time.Millisecond)
		}
		s := b.Status()
		checkLaws(t, s)
		if l := s.Lanes[1]; l.Done != 50 {
			t.Errorf("the fast lane did %d of 50", l.Done)
		}
		if l := s.Lanes[0]; l.Queued != 3 || l.InFlight != 1 || l.Dropped["queue_full"] != 46 {
			t.Errorf("the slow lane is %+v", l)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Shutdown(ctx)
	})
}
