package wire

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestMembersHaveExactNames(t *testing.T) {
	m, ok := MembersOf([]byte(`{"a":"1","A":"2","n":7,"N":9,"o":{"x":"y","X":"z"},"a":"3"}`))
	n, counted := m.Count("n")
	if !ok || m.Text("a") != "3" || n != 7 || !counted || m.Object("o").Text("x") != "y" || m.Object("a") != nil || m.Object("none").Text("x") != "" {
		t.Errorf("%s", m)
	}
	if _, ok := m.String("n"); ok {
		t.Error("a number is a string")
	}
	for _, raw := range []string{`[]`, `"x"`, `{"a"`, `7`} {
		if _, ok := MembersOf([]byte(raw)); ok {
			t.Errorf("%s is an object", raw)
		}
	}
}

func TestWhatSaysNothing(t *testing.T) {
	for raw, want := range map[string]bool{
		``: true, `null`: true, `false`: true, `0`: true, `""`: true, `" "`: true, `[]`: true, `{}`: true, `[null,{}]`: true, `{"code":null,"message":null}`: true,
		`true`: false, `1`: false, `"x"`: false, `[0,1]`: false, `{"code":429}`: false, `{"a":{"b":["c"]}}`: false, `{`: false,
	} {
		if got := SaysNothing(json.RawMessage(raw)); got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

func TestDialectsAreBounded(t *testing.T) {
	var l Learned[int]
	for i := range 3 * maxLearned {
		l.Change(fmt.Sprint(i), func(d *int) { *d = i + 1 })
		if l.Of(fmt.Sprint(i)) != i+1 {
			t.Fatalf("the latest, %d, is forgotten", i)
		}
	}
	last := fmt.Sprint(3*maxLearned - 1)
	l.Change(last, func(d *int) { *d = 9 })
	if len(l.dialects) != maxLearned || l.Of(last) != 9 {
		t.Errorf("%d dialects are kept", len(l.dialects))
	}
}
