package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/genaievals/genaievals/internal/dashboard"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// browser is a headless Chromium with one page, which must not say anything in its
// console.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu   sync.Mutex
	said []string
}

func newBrowser(t *testing.T, width, height int) *browser {
	t.Helper()
	program := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if program == "" {
			program, _ = exec.LookPath(name)
		}
	}
	if program == "" {
		t.Fatal("there is no Chromium: install Debian's package chromium, or name one by CHROMIUM")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WindowSize(width, height))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	b := &browser{t: t, ctx: ctx}
	t.Cleanup(func() {
		end()
		endAllocator()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, line := range b.said {
			t.Errorf("the console says: %s", line)
		}
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(int64(width), int64(height)))
	return b
}

// listen keeps what went wrong: errors, refusals by the policy, exceptions. That a
// server is gone is what a test did.
func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if !strings.Contains(e.Entry.Text, "ERR_CONNECTION_REFUSED") && !strings.Contains(e.Entry.Text, "ERR_INCOMPLETE_CHUNKED") {
			b.said = append(b.said, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, string(e.Type))
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns what a JavaScript expression is.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression))
}

// run returns what an action does.
func run[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// until waits for an expression to become true.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(patience); !eval[bool](b, "Boolean("+expression+")"); {
		if time.Now().After(end) {
			b.t.Fatalf("%s: not within %v\n%s", what, patience, eval[string](b, "document.body.innerText"))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// open opens the page and waits for its first numbers.
func (b *browser) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.until("numbers", `document.querySelector("#live.up") && !document.body.classList.contains("starting")`)
}

// serve serves a page of the scene; change alters its configuration.
func serve(t *testing.T, s *scene, addr string, change func(*dashboard.Config)) (page *dashboard.Server, url string) {
	t.Helper()
	cfg := dashboard.Config{
		App: s.Status, Name: "shop-assistant", Explanation: true, Content: true, QueueBytes: 8 << 20,
		TraceURL: "http://localhost:16686/trace/{trace_id}",
	}
	if change != nil {
		change(&cfg)
	}
	page, err := dashboard.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.page = page
	s.play(s.before)
	url, err = page.Start(addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shutdown(t, page) })
	return page, url
}

// visit opens a page of a scene into which so many invocations have come.
func visit(t *testing.T, before, width, height int) (*scene, *browser) {
	t.Helper()
	s := newScene()
	s.before = before
	_, url := serve(t, s, "127.0.0.1:0", nil)
	b := newBrowser(t, width, height)
	b.open(url)
	return s, b
}

func shutdown(t *testing.T, page *dashboard.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := page.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}
