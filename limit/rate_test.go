package limit

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseRate(t *testing.T) {
	tests := []struct {
		in   string
		want Rate
		out  string // of String
	}{
		{"60/min", Rate{PerSecond: 1, Burst: 1}, "1/sec"},
		{"10/sec", Rate{PerSecond: 10, Burst: 1}, "10/sec"},
		{"1000/hour", Rate{PerSecond: 1000.0 / 3600, Burst: 1}, "1000/hour"},
		{"100/min", Rate{PerSecond: 100.0 / 60, Burst: 1}, "100/min"},
		{"100/s", Rate{PerSecond: 100, Burst: 10}, "100/sec"},
		{"6000/M", Rate{PerSecond: 100, Burst: 10}, "100/sec"},
		{"7/H", Rate{PerSecond: 7.0 / 3600, Burst: 1}, "7/hour"},
		{"0.5/sec,burst=4", Rate{PerSecond: 0.5, Burst: 4}, "30/min,burst=4"},
		{"  0.5 / SECOND , Burst = 4 ", Rate{PerSecond: 0.5, Burst: 4}, "30/min,burst=4"},
		{"1e3/Minute", Rate{PerSecond: 1000.0 / 60, Burst: 1}, "1000/min"},
		{"100/sec,burst=10", Rate{PerSecond: 100, Burst: 10}, "100/sec"},
		{"strict:2/sec", Rate{PerSecond: 2, Strict: true, Margin: time.Millisecond}, "strict:2/sec"},
		{"STRICT: 2/sec , margin=2MS", Rate{PerSecond: 2, Strict: true, Margin: 2 * time.Millisecond}, "strict:2/sec,margin=2ms"},
		{"strict:2/sec,margin=0s", Rate{PerSecond: 2, Strict: true}, "strict:2/sec,margin=0s"},
		{"1000000/sec", Rate{PerSecond: 1e6, Burst: 100000}, "1000000/sec"},
	}
	for _, tt := range tests {
		got, err := ParseRate(tt.in)
		if err != nil {
			t.Errorf("ParseRate(%q): %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseRate(%q) (-want +got):\n%s", tt.in, diff)
		}
		if got.String() != tt.out {
			t.Errorf("ParseRate(%q).String() = %q, want %q", tt.in, got, tt.out)
		}
		if again, err := ParseRate(got.String()); err != nil || again != got {
			t.Errorf("ParseRate(%q) = %+v, %v, want %+v", got, again, err, got)
		}
	}
}

func TestParseRateRefuses(t *testing.T) {
	tests := []struct{ in, why string }{
		{"", "no unit"},
		{"60", "no unit"},
		{"/min", "no number"},
		{"60/", `"" is no unit`},
		{"60/day", `"day" is no unit`},
		{"60/min/sec", `"min/sec" is no unit`},
		{"sixty/min", `"sixty" is no number`},
		{"1 000/min", `"1 000" is no number`},
		{"0/min", "not between"},
		{"-1/min", "not between"},
		{"NaN/sec", `"nan" is no number`},
		{"+Inf/sec", `"+inf" is no number`},
		{"0x10p1/sec", "is no number"},
		{"1e400/sec", "is no number"},
		{"1e12/sec", "not between"},
		{"1e-12/sec", "not between"},
		{"10/sec,burst=0", `burst "0"`},
		{"10/sec,burst=-1", `burst "-1"`},
		{"10/sec,burst=1.5", `burst "1.5"`},
		{"10/sec,burst=1e12", `burst "1e12"`},
		{"10/sec,burst", `burst ""`},
		{"10/sec,", `"" is no option`},
		{"10/sec,speed=3", `"speed" is no option`},
		{"10/sec,burst=1,burst=2", "given twice"},
		{"10/sec,margin=2ms", "only strict pacing"},
		{"strict:10/sec,burst=3", "no burst"},
		{"strict:10/sec,margin=-1ms", `margin "-1ms"`},
		{"strict:10/sec,margin=2", `margin "2"`},
		{"strict:10/sec,margin=2h", `margin "2h"`},
		{"strict:strict:2/sec", "is no number"},
	}
	for _, tt := range tests {
		got, err := ParseRate(tt.in)
		if err == nil {
			t.Errorf("ParseRate(%q) = %v, want an error", tt.in, got)
			continue
		}
		if !errors.Is(err, ErrRate) || got != (Rate{}) {
			t.Errorf("ParseRate(%q) = %v, %v, want zero and ErrRate", tt.in, got, err)
		}
		for _, want := range []string{tt.in, tt.why, "60/min"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("ParseRate(%q): error %q does not say %q", tt.in, err, want)
			}
		}
	}
}

func TestParseRates(t *testing.T) {
	five, minute := Rate{PerSecond: 5, Burst: 1}, Rate{PerSecond: 1, Burst: 1}
	burst := Rate{PerSecond: 0.5, Burst: 4}
	strict := Rate{PerSecond: 2, Strict: true, Margin: 2 * time.Millisecond}
	tests := []struct {
		in   string
		want map[string]Rate
	}{
		{"60/min", map[string]Rate{"": minute}},
		{"mine=5/sec;judge=60/min", map[string]Rate{"mine": five, "judge": minute}},
		{" mine = 5/sec ; 60/min ; ", map[string]Rate{"mine": five, "": minute}},
		{"0.5/sec,burst=4", map[string]Rate{"": burst}},
		{"strict:2/sec,margin=2ms;fast=0.5/sec,burst=4", map[string]Rate{"": strict, "fast": burst}},
		{"a=strict:2/sec,margin=2ms", map[string]Rate{"a": strict}},
	}
	for _, tt := range tests {
		got, err := ParseRates(tt.in)
		if err != nil {
			t.Errorf("ParseRates(%q): %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("ParseRates(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
	for _, in := range []string{"", " ; ", "=60/min", "a=60/min;a=1/sec", "1/sec;2/sec", "a=60", "a=", "a=b=1/sec", "60/min;x"} {
		if got, err := ParseRates(in); !errors.Is(err, ErrRate) {
			t.Errorf("ParseRates(%q) = %v, %v, want ErrRate", in, got, err)
		}
	}
}

func TestRateCheck(t *testing.T) {
	for _, r := range []Rate{{}, {PerSecond: 1}, {PerSecond: MinPerSecond}, {PerSecond: MaxPerSecond, Burst: MaxBurst}, {PerSecond: 1, Strict: true, Margin: MaxMargin}} {
		if err := r.Check(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	for _, r := range []Rate{
		{PerSecond: math.NaN()}, {PerSecond: math.Inf(1)}, {PerSecond: -1}, {Burst: 1}, {Strict: true},
		{PerSecond: 1, Burst: -1}, {PerSecond: 1, Strict: true, Margin: -1}, {PerSecond: 2 * MaxPerSecond},
	} {
		if err := r.Check(); !errors.Is(err, ErrRate) {
			t.Errorf("%+v: %v, want ErrRate", r, err)
		}
	}
	if got := (Rate{}).String(); got != "unlimited" {
		t.Errorf("zero rate is %q", got)
	}
	if got := (Rate{PerSecond: 200}).String(); got != "200/sec" {
		t.Errorf("rate with default burst is %q", got)
	}
}

// FuzzParseRate: what is read is finite, within bounds, and written so that it
// reads back as itself.
func FuzzParseRate(f *testing.F) {
	for _, s := range []string{
		"60/min", "10/sec", "1000/hour", "0.5/sec,burst=4", "strict:2/sec", "strict:2/sec,margin=2ms",
		"mine=5/sec;judge=60/min", "60", "0/s", "-1/m", "NaN/h", "1e999/sec", "0.00001157407407407407/s", "7.3/hour", ",,,", "strict:",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if rates, err := ParseRates(s); err == nil && len(rates) == 0 {
			t.Errorf("ParseRates(%q) is empty without an error", s)
		}
		r, err := ParseRate(s)
		if err != nil {
			if !errors.Is(err, ErrRate) {
				t.Errorf("ParseRate(%q): %v is not ErrRate", s, err)
			}
			return
		}
		if r.Unlimited() || r.Check() != nil || (r.Burst < 1) != r.Strict {
			t.Errorf("ParseRate(%q) = %+v", s, r)
		}
		if distance(r) <= 0 {
			t.Errorf("distance of %+v is %v", r, distance(r))
		}
		if again, err := ParseRate(r.String()); err != nil || again != r {
			t.Errorf("%q is written %q, which reads as %+v, %v", s, r, again, err)
		}
	})
}
