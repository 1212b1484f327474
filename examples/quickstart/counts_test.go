package main

import (
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/manager"
)

func TestCountsOf(t *testing.T) {
	status := manager.Status{
		Door: manager.DoorStatus{
			Offered: 41, FannedOut: 19,
			Skipped: map[string]uint64{evaluators.SkipUnsupportedKind: 20, evaluators.SkipToolCallOnly: 2},
		},
		Lanes: []manager.LaneStatus{{
			Dropped: map[string]uint64{manager.DropQueueFull: 1, manager.DropExpired: 2},
			Evaluators: []manager.EvaluatorStatus{{Metrics: []manager.MetricStatus{
				{Scored: 5, Skipped: map[string]uint64{evaluators.SkipNoDocuments: 1, evaluators.SkipNeedsJudge: 2}},
				{Scored: 7, Failed: map[string]uint64{evaluators.ErrorJudgeTimeout: 4}},
			}}},
		}, {
			Evaluators: []manager.EvaluatorStatus{{Metrics: []manager.MetricStatus{{Scored: 1}}}},
		}},
	}
	want := "offered=21 evaluated=16 scored=13 skipped=3 failed=4 dropped=3"
	if got := countsOf(status, 16).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
