package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/judgetest"
)

// demoJudge is a judge without a model: it knows the answers of the demo's shop. It
// has limits, and an outage now and then, so that there is something to see.
type demoJudge struct {
	// front takes the time, keeps the limits and has the outages; it answers what is
	// harmless.
	front *judgetest.Judge
	// knows has a judge for every answer of which there is more to say.
	knows map[string]*judgetest.Judge
}

// What the demo's judge permits and costs. It is a little more than is asked of it
// on average, so that a burst is refused and an outage leaves a backlog.
const (
	demoCalls   = 15
	demoWindow  = 6 * time.Second
	demoLatency = 350 * time.Millisecond
	demoPrice   = "0.15/0.60"
	demoBudget  = "5usd/day"
)

func newDemoJudge() *demoJudge {
	j := &demoJudge{
		front: judgetest.NewJudge(
			judgetest.WithPolicies(judgetest.SlidingWindow(demoCalls, demoWindow), judgetest.Concurrency(8)),
			judgetest.WithDelays(func(call int) time.Duration { return demoLatency + time.Duration(call%7)*90*time.Millisecond }),
			judgetest.WithRecordLimit(0)),
		knows: map[string]*judgetest.Judge{},
	}
	for _, a := range demoAnswers {
		if len(a.verdicts) == 0 {
			continue
		}
		options := []judgetest.JudgeOption{judgetest.WithRecordLimit(0)}
		for _, metric := range slices.Sorted(maps.Keys(a.verdicts)) {
			options = append(options, judgetest.WithAnswers(metric, a.verdicts[metric]))
		}
		j.knows[a.answer] = judgetest.NewJudge(options...)
	}
	return j
}

// Complete implements [judge.Client].
func (j *demoJudge) Complete(ctx context.Context, r judge.Request) (judge.Response, error) {
	harmless, err := j.front.Complete(ctx, r)
	if err != nil {
		return harmless, err
	}
	for _, message := range r.Messages {
		for answer, knows := range j.knows {
			if strings.Contains(message.Text, answer) {
				return knows.Complete(ctx, r)
			}
		}
	}
	return harmless, nil
}

// Endpoint implements [judge.Endpointer].
func (j *demoJudge) Endpoint() judge.Endpoint { return j.front.Endpoint() }

// The outages of the demo's judge: the first one soon, for who looks for a minute.
const (
	demoFirstOutage = 40 * time.Second
	demoOutageEvery = 2 * time.Minute
	demoOutage      = 12 * time.Second
)

// fail has outages until ctx ends.
func (j *demoJudge) fail(ctx context.Context) {
	next := time.NewTimer(demoFirstOutage)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
			j.front.Override(judgetest.Fail("judge_unavailable"), demoOutage)
			next.Reset(demoOutageEvery)
		}
	}
}
