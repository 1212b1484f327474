package judge

import (
	"fmt"
	"testing"
)

func TestWhatIsRememberedIsBounded(t *testing.T) {
	var room outputRoom
	var lengths outputs
	for i := range 3 * maxRemembered {
		name := fmt.Sprint("m", i)
		room.took(name, 100)
		lengths.add(name, 10)
		if room.of(name, 200) != 100 || lengths.byMetric[name] == nil {
			t.Fatalf("the latest, %s, is forgotten", name)
		}
	}
	room.took("m0", 100)
	before := room.of("m0", 200)
	room.took("m0", 90) // known: nothing has to go
	if n := len(room.byModel); n != maxRemembered || before != 100 || room.of("m0", 200) != 90 {
		t.Errorf("%d models", n)
	}
	if n := len(lengths.byMetric); n != maxRemembered {
		t.Errorf("%d metrics", n)
	}
}
