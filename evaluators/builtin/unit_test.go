package builtin

import "testing"

func TestUnitsConvert(t *testing.T) {
	for _, test := range []struct {
		value float64
		from  string
		want  float64
		to    string
	}{
		{1, "TB", 1000, "GB"},
		{1, "MB", 8, "Mbit"},
		{1, "MW", 1e9, "mW"},
		{3, "GHz", 3000, "MHz"},
		{1, "ha", 10000, "m2"},
		{36, "km/h", 10, "m/s"},
		{1, "bar", 100, "kPa"},
		{1, "kWh", 3600, "kJ"},
		{99, "cents", 0.99, "dollars"},
	} {
		from, to := unitNamed(test.from, test.from), unitNamed(test.to, test.to)
		if got := test.value * from.size / to.size; !from.converts(to) || got < test.want*0.999 || got > test.want*1.001 {
			t.Errorf("%v %s are %v %s, want %v", test.value, test.from, got, test.to, test.want)
		}
	}
	if unitNamed("GB", "gb").converts(unitNamed("GHz", "ghz")) || units["usd"].converts(units["eur"]) {
		t.Error("what measures something else converts")
	}
}
