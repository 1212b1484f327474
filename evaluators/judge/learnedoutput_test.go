package judge

import "testing"

func TestOutputEstimateFollowsTheAnswers(t *testing.T) {
	var o outputs
	if got := o.estimate("bias", 2048); got != 2048 {
		t.Errorf("before any answer %d, want the budget", got)
	}
	for range outputsToTrust - 1 {
		o.add("bias", 60)
		o.add("bias", 0) // not reported
	}
	if got := o.estimate("bias", 2048); got != 2048 {
		t.Errorf("after too few answers %d, want the budget", got)
	}
	o.add("bias", 60)
	if got := o.estimate("bias", 2048); got != 60 {
		t.Errorf("after answers of 60 tokens %d", got)
	}
	if got := o.estimate("bias", 50); got != 50 {
		t.Errorf("with a budget of 50 %d", got)
	}
	if got := o.estimate("toxicity", 2048); got != 2048 {
		t.Errorf("another metric's estimate is %d, want the budget", got)
	}
	for range 40 {
		o.add("bias", 40)
		o.add("bias", 80)
	}
	if got := o.estimate("bias", 2048); got < 100 || got > 200 {
		t.Errorf("answers of 40 and 80 tokens give %d, want room for all of them and not much more", got)
	}
}
