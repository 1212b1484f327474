package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/genaievals/genaievals/runner"
)

// progress is a run as it is told while it goes on.
type progress struct {
	runner.Progress
	// limited: somebody who is asked is under a limit, or can refuse.
	limited bool
	// budget is what may be spent, in US dollars; 0 is not known.
	budget float64
	// plain: no characters but ASCII.
	plain bool
}

// progressOf reads a run.
func progressOf(s runner.Status, plain bool) progress {
	p := progress{Progress: s.Progress, plain: plain}
	all := true
	for _, e := range s.Evaluators {
		if e.Gate == nil {
			continue
		}
		p.limited = true
		if b := e.Gate.Budget; b != nil && !b.Budget.Tokens && !b.Budget.Unlimited() {
			p.budget += b.Budget.Amount
		} else {
			all = false
		}
	}
	if !all { // not all that is spent counts against a budget
		p.budget = 0
	}
	return p
}

const (
	barCells = 20
	nameMost = 24
)

// line is the run in one line of fewer columns than width. Where it is narrow it
// loses, in this order: in flight, 429s, waiting, the bar, the name, the spend, the
// rate, the failed.
func (p progress) line(width int) string {
	parts := p.parts()
	for _, lost := range []int{inFlight, refused, waiting, bar, name, spend, rate, failed} {
		if columns(join(parts)) < width {
			break
		}
		parts[lost] = ""
	}
	return clip(join(parts), width-1)
}

// The parts of the line, in their order.
const (
	name = iota
	percent
	bar
	count
	rate
	eta
	inFlight
	waiting
	refused
	failed
	spend
	lineParts
)

func (p progress) parts() (parts [lineParts]string) {
	parts[name] = clip(p.shownName(), nameMost)
	parts[count] = grouped(p.Done)
	if p.Total > 0 {
		parts[percent] = fmt.Sprintf("%.1f%%", math.Floor(1000*p.share())/10)
		parts[bar] = p.bar()
		parts[count] += "/" + grouped(p.Total)
		if p.ETA > 0 {
			parts[eta] = "ETA " + roughly(max(p.ETA, time.Second))
		}
	}
	parts[rate] = fmt.Sprintf("%.1f/s", p.Rate)
	parts[inFlight] = "in flight " + grouped(p.InFlight)
	if p.limited {
		parts[waiting] = fmt.Sprintf("waiting %.0f%%", 100*p.Waiting)
		parts[refused] = "429s " + strconv.FormatUint(p.RateLimited, 10)
	}
	parts[failed] = "failed " + grouped(p.Failed)
	if p.HasSpend {
		parts[spend] = fmt.Sprintf("$%.2f", p.Spend)
		if p.budget > 0 {
			parts[spend] += fmt.Sprintf("/$%.2f", p.budget)
		}
	}
	return parts
}

// join puts two blanks between the parts, and one before the bar.
func join(parts [lineParts]string) string {
	var b strings.Builder
	for i, part := range parts {
		switch {
		case part == "":
			continue
		case b.Len() == 0:
		case i == bar && parts[percent] != "":
			b.WriteString(" ")
		default:
			b.WriteString("  ")
		}
		b.WriteString(part)
	}
	return b.String()
}

// share is how much of the total is done, from 0 to 1.
func (p progress) share() float64 {
	return min(1, float64(p.Done)/float64(p.Total))
}

func (p progress) bar() string {
	full, rest := "━", "─"
	if p.plain {
		full, rest = "#", "-"
	}
	done := int(barCells * p.share())
	return strings.Repeat(full, done) + strings.Repeat(rest, barCells-done)
}

// shownName is the run's name as a terminal can show it.
func (p progress) shownName() string {
	return strings.Map(func(r rune) rune {
		if !p.plain || r < unicode.MaxASCII {
			return r
		}
		return -1
	}, printable(p.Name))
}

// printable is a text without what would do something on a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}

// log is the run in one line of names and values.
func (p progress) log() string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, " "+format, args...) }
	b.WriteString("progress")
	add("done=%d", p.Done)
	if p.Total > 0 {
		add("total=%d", p.Total)
	}
	add("rate=%.1f/s", p.Rate)
	if p.Total > 0 && p.ETA > 0 {
		add("eta=%s", roughly(max(p.ETA, time.Second)))
	}
	add("in_flight=%d waiting=%.2f status_429=%d failed=%d", p.InFlight, p.Waiting, p.RateLimited, p.Failed)
	if p.HasSpend {
		add("spend_usd=%.2f", p.Spend)
	}
	return b.String()
}

// grouped is a number with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// roughly is a duration in its two largest units, such as 1m38s or 3h2m.
func roughly(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= day:
		return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	if d = d.Round(time.Second); d >= time.Minute {
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
