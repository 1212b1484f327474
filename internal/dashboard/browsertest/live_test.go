package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/internal/dashboard"
	"github.com/genaievals/genaievals/limit"
	"github.com/genaievals/genaievals/manager"
)

func TestNumbersChangeWithoutAReload(t *testing.T) {
	s, b := visit(t, 500, 1280, 900)
	b.until("the offered", `document.querySelector(".sum .huge").textContent === "500"`)
	b.until("the law", `document.querySelector(".sum .check").textContent === "✓ adds up"`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".sum").dataset.same = "yes"`))
	s.play(250)
	b.until("the new number", `document.querySelector(".sum .huge").textContent === "750"`)
	if !eval[bool](b, `document.querySelector(".sum").dataset.same === "yes"`) {
		t.Error("the element was made anew")
	}
	b.until("lanes", `document.querySelectorAll(".lanes tbody tr").length === 4`)
	b.until("results", `document.querySelectorAll("tr.result").length > 5`)
	b.until("lines", `document.querySelectorAll("canvas").length >= 10`)
}

func TestAFilterIsAppliedByTheServer(t *testing.T) {
	s, b := visit(t, 3000, 1280, 900)
	b.until("choices", `[...document.querySelectorAll("#results select option")].some((o) => o.value === "Unfaithful")`)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#scores .labels button")].find((x) => x.textContent === "Unfaithful").click()`))
	only := `document.querySelectorAll("tr.result").length && [...document.querySelectorAll("tr.result .says")].every((x) => x.textContent.includes("Unfaithful"))`
	b.until("only Unfaithful", only)
	s.play(500)
	b.until("only Unfaithful after more came", only)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#reasons button")].find((x) => x.textContent.includes("judge_")).click()`))
	b.until("only failed", `document.querySelectorAll("tr.result").length && [...document.querySelectorAll("tr.result .says")].every((x) => x.textContent.includes("failed"))`)
	b.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#results button")].find((x) => x.textContent === "Clear filters").click()`))
	b.until("all again", `[...document.querySelectorAll("tr.result .says")].some((x) => !x.textContent.includes("failed"))`)
}

func TestResultsHoldWhileOneIsOpen(t *testing.T) {
	s, b := visit(t, 400, 1280, 900)
	b.until("results", `document.querySelectorAll("tr.result").length > 5`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("button.open").click()`))
	top := eval[string](b, `document.querySelector("tr.result").textContent`)
	for range 4 {
		s.play(200)
		time.Sleep(600 * time.Millisecond)
	}
	b.until("newer ones are announced", `!document.querySelector(".newer").hidden && /^\d+ newer$/.test(document.querySelector(".newer").textContent)`)
	if now := eval[string](b, `document.querySelector("tr.result").textContent`); now != top {
		t.Errorf("what is read has moved: %q was %q", now, top)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".newer").click()`))
	b.until("they are shown", `document.querySelector(".newer").hidden`)
}

func TestThePageFindsItsServerAgain(t *testing.T) {
	s := newScene()
	s.before = 100
	first, address := serve(t, s, "127.0.0.1:0", nil)
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, 1280, 900)
	b.open(address)
	shutdown(t, first)
	b.until("it says so", `document.querySelector("#live-word").textContent === "disconnected" && /next try in \d+ s/.test(document.querySelector("#live-more").textContent) && !document.querySelector("#retry").hidden && document.body.classList.contains("stale")`)
	again := newScene()
	again.before = 77
	serve(t, again, at.Host, nil)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#retry").click()`))
	b.until("the new server's numbers", `document.querySelector("#live-word").textContent === "live" && document.querySelector(".sum .huge").textContent === "77" && !document.body.classList.contains("stale")`)
}

// What models and users wrote is shown as text, and characters that hide or turn it
// by their numbers.
func TestHostileTextIsText(t *testing.T) {
	const hostile = `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>` + "\u202egnp.exe\u2066\x00\x1b[31m</td></table>"
	s := newScene()
	s.before = 10
	s.status.Name = hostile
	for i := range s.status.Lanes {
		s.status.Lanes[i].Evaluators[0].Metrics[0].LastError = hostile
	}
	page, url := serve(t, s, "127.0.0.1:0", func(c *dashboard.Config) { c.Name = hostile })
	r := evaluators.Scored(hostile, 0.5, hostile, hostile)
	r.Evaluator, r.JudgeModel = hostile, hostile
	page.Offer(dashboard.Result{Result: r, TraceID: `"><script>1</script>`, Item: "", Content: func() (string, string) { return hostile, hostile }})
	b := newBrowser(t, 1280, 900)
	b.open(url)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#content").click()`))
	b.until("the result with its content", `(() => {
		const row = [...document.querySelectorAll("tr.result")].find((x) => x.textContent.includes("<img"));
		if (row && !row.classList.contains("opened")) row.querySelector("button").click();
		return document.querySelectorAll(".details .text").length >= 3;
	})()`)
	for _, text := range []string{eval[string](b, `document.querySelector(".details").textContent`), eval[string](b, `document.querySelector(".facts").textContent`)} {
		for _, want := range []string{"<script>", "[U+202E]gnp.exe[U+2066]", "[U+0000][U+001B][31m"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %q", want, text)
			}
		}
	}
	if n := eval[int](b, `document.querySelectorAll("main img, main script").length`); n > 0 {
		t.Errorf("%d elements were made of text", n)
	}
	if title := eval[string](b, `document.title`); title == "pwned" {
		t.Error("a script of the text ran")
	}
}

func TestAPhoneNeedsNoSidewaysScroll(t *testing.T) {
	_, b := visit(t, 3000, 380, 800)
	b.until("scores", `document.querySelectorAll(".card").length >= 6`)
	wide := func(when string) {
		t.Helper()
		if over := eval[string](b, `document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll("body *")].filter((x) => x.getBoundingClientRect().right > innerWidth + 1).map((x) => x.className || x.tagName).slice(0, 9).join() : ""`); over != "" {
			t.Errorf("%s: wider than the window: %s", when, over)
		}
	}
	wide("at first")
	if h := eval[int](b, `document.documentElement.scrollHeight`); h > 3*800 {
		t.Errorf("%d pixels high, want at most three screens", h)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`for (const d of document.querySelectorAll("details")) d.open = true; for (const m of document.querySelectorAll("button.more")) m.click()`))
	b.until("results", `document.querySelectorAll("tr.result").length > 5`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("button.open").click()`))
	wide("all open")
	for _, width := range []int64{320, 660, 800, 1024} {
		b.do(chromedp.EmulateViewport(width, 800))
		wide(fmt.Sprint(width, " pixels"))
	}
}

func TestEverythingIsReachedByKeyboard(t *testing.T) {
	_, b := visit(t, 3000, 1280, 900)
	b.until("results", `document.querySelectorAll("tr.result").length > 5`)
	seen := make(map[string]bool)
	for i := range 120 {
		b.do(chromedp.KeyEvent(kb.Tab))
		at := eval[string](b, `((x) => x.className || x.id || x.tagName)(document.activeElement)`)
		seen[at] = true
		if i == 0 && at != "skip" {
			t.Errorf("the first stop is %q, not the skip link", at)
		}
		if !eval[bool](b, `((x) => x === document.body || getComputedStyle(x).outlineStyle !== "none")(document.activeElement)`) {
			t.Errorf("%q does not show that it has the focus", at)
		}
		if seen["open"] {
			break
		}
	}
	for _, want := range []string{"skip", "content", "theme", "SUMMARY", "link", "SELECT", "open"} {
		if !seen[want] {
			t.Errorf("%s is not reached: %v", want, seen)
		}
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.until("Enter opens a result", `document.querySelector(".details:not([hidden])")`)
}

func TestManyLanesAndMetricsStayInHand(t *testing.T) {
	s := newScene()
	for i := range 30 {
		name := fmt.Sprintf("judge%02d", i)
		l := manager.LaneStatus{Name: name, Workers: 1024, Dropped: map[string]uint64{}}
		l.Evaluators = []manager.EvaluatorStatus{{Name: name, Metrics: []manager.MetricStatus{{Name: fmt.Sprintf("metric%02d", i), Skipped: map[string]uint64{}, Failed: map[string]uint64{}}}}}
		s.status.Lanes = append(s.status.Lanes, l)
	}
	s.status.Lanes[33].Evaluators[0].Gate = &limit.Status{Breaker: &limit.BreakerStatus{State: limit.BreakerOpen, Until: time.Now().Add(time.Hour), Reason: "judge_auth"}}
	s.before = 10
	_, url := serve(t, s, "127.0.0.1:0", nil)
	b := newBrowser(t, 1280, 900)
	b.open(url)
	b.until("eight lanes", `document.querySelectorAll(".lanes tbody tr").length === 8`)
	b.until("nine metrics", `document.querySelectorAll(".card").length === 9`)
	if !eval[bool](b, `document.querySelector(".lanes").textContent.includes("judge29")`) {
		t.Error("the lane in trouble is not among them")
	}
	b.until("attention", `document.querySelector("#attention").textContent.includes("judge29: breaker open (judge_auth)")`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#lanes .many button").click()`))
	b.until("all lanes", `document.querySelectorAll(".lanes tbody tr").length === 34`)
	b.do(chromedp.SendKeys("#scores .many input", "metric17"))
	b.until("the metric that was looked for", `document.querySelectorAll(".card").length === 1 && document.querySelector(".card").textContent.includes("metric17")`)
}

func TestStatesBeforeAnythingCame(t *testing.T) {
	s := newScene()
	lanes := s.status.Lanes
	s.status.Lanes = nil
	_, url := serve(t, s, "127.0.0.1:0", nil)
	b := newBrowser(t, 1280, 900)
	b.do(chromedp.Navigate(url))
	b.until("starting", `document.querySelector("#attention").textContent.includes("Starting") && document.querySelector("#lanes").hidden`)
	s.mu.Lock()
	s.status.Lanes = lanes
	s.mu.Unlock()
	b.until("nothing offered", `document.querySelector("#attention").textContent.includes("Running, nothing offered yet") && document.querySelectorAll("#empty .steps li").length === 4 && document.querySelector("#scores").hidden`)
	s.play(20)
	b.until("running", `document.querySelector("#empty").hidden && !document.querySelector("#scores").hidden`)
}

func TestATokenIsAskedForOnce(t *testing.T) {
	s := newScene()
	s.before = 10
	_, url := serve(t, s, "0.0.0.0:0", func(c *dashboard.Config) { c.Token = "open sesame" })
	b := newBrowser(t, 1280, 900)
	b.open(url + "?token=open+sesame")
	if at := eval[string](b, `location.href`); at != url {
		t.Errorf("the page's address is %s, with the token in it", at)
	}
	if eval[string](b, `document.cookie`) != "" {
		t.Error("scripts can read the cookie")
	}
	b.do(chromedp.Reload())
	b.until("it is remembered", `document.querySelector("#live.up")`)
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Title()); err != nil {
		t.Error(err)
	}
}
