package evaluators

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestFunc(t *testing.T) {
	m := Metric{Name: "length", Threshold: 0.5}
	tests := []struct {
		name string
		f    func(context.Context, *Case) Result
		want Result
	}{
		{"named", func(_ context.Context, c *Case) Result { return Scored("length", 1, "ok", c.Output) }, Scored("length", 1, "ok", "out")},
		{"the metric's name may be left out", func(context.Context, *Case) Result { return Skipped("", SkipNeedsJudge, "") }, Skipped("length", SkipNeedsJudge, "")},
		{"another name is kept, to be refused", func(context.Context, *Case) Result { return Scored("width", 1, "", "") }, Scored("width", 1, "", "")},
		{"no function", nil, Failed("length", ErrorEvaluatorBadResult, errNoFunc)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := Func("mine", m, tt.f)
			r := NewRegistry()
			if err := r.Add(e); err != nil {
				t.Fatal(err)
			}
			got := e.Evaluate(context.Background(), &Case{Output: "out"}, e.Metrics())
			if diff := cmp.Diff([]Result{tt.want}, got, cmpopts.EquateErrors()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if got := Func("mine", m, nil).Evaluate(context.Background(), &Case{}, nil); len(got) != 0 {
		t.Errorf("asked for nothing, answered %v", got)
	}
}
