package limitsim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/genaievals/genaievals/internal/adaptive"
)

// Span is a range from which values are drawn evenly.
type Span struct{ Least, Most time.Duration }

func (s Span) mean() time.Duration { return (s.Least + s.Most) / 2 }

// Phase is a stretch of the run; the zero value: none.
type Phase struct{ From, For time.Duration }

func (p Phase) holds(now time.Duration) bool { return now >= p.From && now < p.From+p.For }

// Experiment is one run. Zero values take the defaults given.
type Experiment struct {
	Policy Policy
	Client Client
	// Headers: refusals carry Retry-After in whole seconds, rounded up, and all
	// answers those of the request limit.
	Headers bool
	Seed    uint64

	// Scale: the server is so many times as fast: its rates, and the times that
	// it keeps. Above 1, headers are exact to the millisecond. Default 1.
	Scale float64

	Duration time.Duration // default 30m
	Warm     time.Duration // not counted in Accepted and Permitted; default 3m
	Latency  Span          // in the server; default 0.5–3s by Scale
	OneWay   Span          // in the network, each way; default 10–30ms, 0–2ms where Scale is above 1

	Halve   time.Duration // when the limit is halved; 0: never
	Restore time.Duration // when it is restored; 0: never

	Storm      Phase         // every call is refused
	StormAfter time.Duration // with this Retry-After; 0: without
	Errors     Phase         // ErrorShare of the calls let in fail with 500
	ErrorShare float64

	Ceiling   int     // of the learner; 0: none
	RateLimit float64 // calls a second that the learner was told; 0: none

	check func(now time.Duration, l *adaptive.Learner)
}

func (e Experiment) withDefaults() Experiment {
	e.Duration = cmp.Or(e.Duration, 30*time.Minute)
	e.Warm = cmp.Or(e.Warm, 3*time.Minute)
	e.Scale = cmp.Or(e.Scale, 1)
	e.Latency = cmp.Or(e.Latency, Span{seconds(0.5 / e.Scale), seconds(3 / e.Scale)})
	if e.Scale > 1 {
		e.OneWay = cmp.Or(e.OneWay, Span{0, 2 * time.Millisecond})
	}
	e.OneWay = cmp.Or(e.OneWay, Span{10 * time.Millisecond, 30 * time.Millisecond})
	return e
}

// limiter starts the policy anew, at the speed of the server.
func (e Experiment) limiter(r *rand.Rand) limiter {
	l := e.Policy.limiter(r)
	if e.Scale == 1 {
		return l
	}
	return scaled{l, e.Scale}
}

// grain is what times in headers are rounded up to.
func (e Experiment) grain() time.Duration {
	if e.Scale > 1 {
		return time.Millisecond
	}
	return time.Second
}

// call is how long a call takes on average.
func (e Experiment) call() time.Duration { return e.Latency.mean() + 2*e.OneWay.mean() }

// PermittedCalls is how many calls a second the policy permits before any
// change, on average.
func (e Experiment) PermittedCalls() float64 {
	e = e.withDefaults()
	l := e.limiter(rand.New(rand.NewPCG(0, 0)))
	return l.permitted(e.call()) / e.Policy.size()
}

// Report is what one run came to. A quantity is in calls, or in tokens where
// the policy counts them.
type Report struct {
	Accepted  float64 // let in after Warm
	Permitted float64 // would have been permitted after Warm
	Calls     int     // sent, whole run
	Refused   int     // of them refused
	Early     int     // refused before Warm
	CallsLate int     // sent after Warm
	Inside    int     // sent before the end of a Retry-After that was received
	Items     int     // that the client took to send
	Served    int     // of them answered with 200
	Open      int     // of them in flight or waiting for another attempt at the end

	// Fall and Rise are the times from Halve and Restore, Storm from the end of
	// the storm, to the start of the first minute in which at least 0.85 of the
	// permitted was let in; NotRecovered if there is none.
	Fall, Rise, Storm, Errors time.Duration
	// Before is how many calls were permitted a second before the restoring.
	Before float64

	accepted  []float64 // let in, in each second
	permitted []float64 // permitted, in each second
}

// NotRecovered: the permitted throughput was not seen again in this run.
const NotRecovered = time.Duration(math.MaxInt64)

// Share is accepted over permitted.
func (r Report) Share() float64 { return r.Accepted / r.Permitted }

// RefusedShare is the share of all calls that was refused.
func (r Report) RefusedShare() float64 { return ratio(r.Refused, r.Calls) }

// RefusedLate is the share of the calls after Warm that was refused.
func (r Report) RefusedLate() float64 { return ratio(r.Refused-r.Early, r.CallsLate) }

// RiseCalls is how many calls the old rate would have permitted until the
// restored limit was used; +Inf if it never was.
func (r Report) RiseCalls() float64 {
	if r.Rise == NotRecovered {
		return math.Inf(1)
	}
	return r.Rise.Seconds() * r.Before
}

// Lost is how many items were neither served nor are still open.
func (r Report) Lost() int { return r.Items - r.Served - r.Open }

func ratio(a, b int) float64 { return float64(a) / float64(max(b, 1)) }

// RunSeeds runs an experiment with n seeds from first on.
func RunSeeds(e Experiment, first uint64, n int) []Report {
	reports := make([]Report, n)
	for i := range reports {
		e.Seed = first + uint64(i)
		reports[i] = Run(e)
	}
	return reports
}

// Median returns the median of a quantity over the reports.
func Median(reports []Report, of func(Report) float64) float64 {
	v := make([]float64, len(reports))
	for i, r := range reports {
		v[i] = of(r)
	}
	slices.Sort(v)
	n := len(v)
	if n == 0 {
		return math.NaN()
	}
	return (v[(n-1)/2] + v[n/2]) / 2
}

// recovery finds the start of the first minute from a moment on in which at
// least 0.85 of the permitted was let in.
func (r *Report) recovery(from time.Duration) time.Duration {
	const span, wanted = 60, 0.85
	for s := int(from / time.Second); s+span <= len(r.accepted); s++ {
		got, could := 0.0, 0.0
		for i := s; i < s+span; i++ {
			got += r.accepted[i]
			could += r.permitted[i]
		}
		if got >= wanted*could {
			return time.Duration(s)*time.Second - from
		}
	}
	return NotRecovered
}
