package judge

import (
	"strconv"
	"testing"
)

// What is remembered of models and of forms is bounded, whoever names them.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	l := ladder{formats: []Format{FormatStrictSchema, FormatNone}}
	var lengths outputs
	var room outputRoom
	var combined combining
	for i := range 2000 {
		name := strconv.Itoa(i)
		if next, ok := l.refused(name, FormatStrictSchema); !ok || next != FormatNone {
			t.Fatalf("model %d: next format %v, %v", i, next, ok)
		}
		lengths.add(name, 100)
		room.took(name, 512)
		combined.failed(name)
	}
	if n := len(l.rungs); n > maxRemembered {
		t.Errorf("%d models on the ladder", n)
	}
	if n := len(lengths.byMetric); n > maxRemembered {
		t.Errorf("%d lengths of answers", n)
	}
	if n := len(room.byModel); n > maxRemembered {
		t.Errorf("%d output budgets", n)
	}
	if n := len(combined.inARow); n > maxRemembered {
		t.Errorf("%d models that were asked combined", n)
	}
	if l.format("1999") != FormatNone || room.of("1999", 2048) != 512 || combined.inARow["1999"] != 1 {
		t.Error("the newest is not remembered")
	}
}
