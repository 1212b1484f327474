package judgetest

import (
	"testing"
	"time"
)

func TestRateAdmitsNInAnyWindow(t *testing.T) {
	r := &rate{n: 2, window: 10 * time.Second}
	start := time.Unix(1000, 0)
	for _, tt := range []struct {
		at, wait time.Duration
		ok       bool
	}{
		{0, 0, true},
		{4 * time.Second, 0, true},
		{5 * time.Second, 5 * time.Second, false},
		{9 * time.Second, time.Second, false},
		{10 * time.Second, 0, true},
		{11 * time.Second, 3 * time.Second, false},
		{14 * time.Second, 0, true},
	} {
		wait, ok := r.admit(start.Add(tt.at))
		if ok != tt.ok || wait != tt.wait {
			t.Errorf("at %v: %v, wait %v; want %v, %v", tt.at, ok, wait, tt.ok, tt.wait)
		}
	}
	if r.refused != 3 {
		t.Errorf("%d refused", r.refused)
	}
	none := &rate{window: time.Minute}
	if wait, ok := none.admit(start); ok || wait != time.Minute {
		t.Errorf("a limit of none: %v, wait %v", ok, wait)
	}
}
