package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShares(t *testing.T) {
	const room, endless = 1600, 1 << 30
	for _, tt := range []struct {
		name  string
		wants [parts]int
		want  [parts]int
	}{
		{"nothing", [parts]int{}, [parts]int{}},
		{"all_fit_to_the_byte", [parts]int{1000, 300, 0, 0, 200, 100}, [parts]int{1000, 300, 0, 0, 200, 100}},
		{"one_part_has_all", [parts]int{endless}, [parts]int{1600}},
		{"an_endless_output_leaves_the_question", [parts]int{endless, endless}, [parts]int{1400, 200}},
		{"a_short_question_needs_no_floor", [parts]int{endless, 50}, [parts]int{1550, 50}},
		{"output_before_input", [parts]int{1500, endless}, [parts]int{1400, 200}},
		{"input_before_documents", [parts]int{100, endless, 0, 0, endless}, [parts]int{100, 1100, 0, 0, 400}},
		{"documents_before_history", [parts]int{100, 100, 0, 0, endless, endless}, [parts]int{100, 100, 0, 0, 1300, 100}},
		{"history_has_what_is_left", [parts]int{100, 100, 0, 0, 100, endless}, [parts]int{100, 100, 0, 0, 100, 1300}},
		{"all_endless", [parts]int{endless, endless, endless, endless, endless, endless}, [parts]int{500, 200, 200, 200, 400, 100}},
	} {
		t.Run("L02_"+tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shares(room, tt.wants)); diff != "" {
				t.Errorf("shares (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSharesKeepTheirLaws for any room and any wants.
func TestSharesKeepTheirLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		room := r.IntN(1 << r.IntN(20))
		var wants [parts]int
		total := 0
		for p := range wants {
			if r.IntN(3) > 0 {
				wants[p] = r.IntN(1 << r.IntN(20))
			}
			total += wants[p]
		}
		got, sum := shares(room, wants), 0
		short := false // a part before has less than it wants
		for p := range wants {
			sum += got[p]
			floor := min(wants[p], room/16*floors[p])
			switch {
			case got[p] > wants[p] || got[p] < floor:
				t.Fatalf("room %d, %v: %v gives part %d more than it wants or less than its floor %d", room, wants, got, p, floor)
			case short && got[p] > floor:
				t.Fatalf("room %d, %v: %v serves part %d before those that come first", room, wants, got, p)
			case total <= room && got[p] != wants[p]:
				t.Fatalf("room %d, %v: %v, where all fit", room, wants, got)
			}
			short = short || got[p] < wants[p]
		}
		if sum > room || total > room && sum < room-15 {
			t.Fatalf("room %d, %v: %v takes %d", room, wants, got, sum)
		}
		more := shares(room+1+r.IntN(100), wants)
		for p := range got {
			if more[p] < got[p] {
				t.Fatalf("room %d, %v: more room takes from part %d: %v, %v", room, wants, p, got, more)
			}
		}
	}
}

func TestFloorsLeaveTheOutputMost(t *testing.T) {
	sum := 0
	for _, f := range floors {
		sum += f
	}
	for p, f := range floors {
		if f > 16-sum {
			t.Errorf("part %d is sure of %d sixteenths, the output of %d", p, f, 16-sum)
		}
	}
}

func TestLevel(t *testing.T) {
	for _, tt := range []struct {
		name  string
		room  int
		sizes []int
		want  int
	}{
		{"none", 10, nil, math.MaxInt},
		{"all_fit_to_the_byte", 60, []int{10, 20, 30}, math.MaxInt},
		{"the_longest_is_cut", 59, []int{10, 30, 20}, 29},
		{"short_ones_stay_whole", 100, []int{500, 10, 500, 10}, 40},
		{"all_alike", 100, []int{300, 300, 300}, 33},
		{"no_room", 0, []int{5, 5}, 0},
		{"less_than_no_room", -5, []int{5}, 0},
	} {
		t.Run("L02_"+tt.name, func(t *testing.T) {
			if got := level(tt.room, tt.sizes); got != tt.want {
				t.Errorf("level %d, want %d", got, tt.want)
			}
		})
	}
}

// TestLevelKeepsItsLaws: it is the highest that fits, and more room does not
// lower it.
func TestLevelKeepsItsLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		room := r.IntN(1 << r.IntN(16))
		sizes := make([]int, r.IntN(20))
		for i := range sizes {
			sizes[i] = r.IntN(1 << r.IntN(14))
		}
		taken := func(each int) (sum int) {
			for _, size := range sizes {
				sum += min(size, each)
			}
			return sum
		}
		got := level(room, sizes)
		switch {
		case taken(got) > room:
			t.Fatalf("room %d, %v: level %d takes %d", room, sizes, got, taken(got))
		case got == math.MaxInt:
		case taken(got+1) <= room:
			t.Fatalf("room %d, %v: level %d is not the highest", room, sizes, got)
		case level(room+1, sizes) < got:
			t.Fatalf("room %d, %v: more room lowers level %d", room, sizes, got)
		}
	}
}

func TestServed(t *testing.T) {
	for _, tt := range []struct {
		name        string
		room, least int
		sizes       []int
		want        int
	}{
		{"all", 100, 50, []int{500, 500}, 2},
		{"not_the_last", 99, 50, []int{500, 500}, 1},
		{"short_ones_need_less", 60, 50, []int{5, 5, 500}, 3},
		{"none", 0, 50, []int{1}, 0},
		{"of_none", 0, 50, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := served(tt.room, tt.sizes, tt.least); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}
