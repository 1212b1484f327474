package instrumentation_test

import (
	"reflect"
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

// TestNilAndZeroInvocationAcceptEveryCall calls every method there is, with
// zero values, and reads only zero values.
func TestNilAndZeroInvocationAcceptEveryCall(t *testing.T) {
	for name, inv := range map[string]*instrumentation.Invocation{"nil": nil, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			v := reflect.ValueOf(inv)
			called := 0
			for i := range v.NumMethod() {
				method := v.Type().Method(i)
				var args []reflect.Value
				for j := 1; j < method.Type.NumIn(); j++ {
					in := method.Type.In(j)
					if method.Type.IsVariadic() && j == method.Type.NumIn()-1 {
						in = in.Elem()
					}
					args = append(args, reflect.Zero(in))
				}
				out := v.Method(i).Call(args)
				called++
				for _, o := range out {
					if o.Kind() == reflect.Pointer && !o.IsNil() {
						o = o.Elem() // of nothing
					}
					if method.Name != "Span" && name == "nil" && !o.IsZero() {
						t.Errorf("%s returned %v", method.Name, o)
					}
				}
			}
			if called < 40 {
				t.Errorf("only %d methods called", called)
			}
			if span := inv.Span(); span == nil || span.IsRecording() {
				t.Errorf("span %v", span)
			}
			inv.Span().AddEvent("harmless")
		})
	}
}
