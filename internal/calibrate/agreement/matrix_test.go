package agreement_test

import (
	"testing"

	"github.com/genaievals/genaievals/internal/calibrate/agreement"
)

func TestHalvesCountsLabelsAsOneOfTwo(t *testing.T) {
	m := agreement.Matrix{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	h := m.Halves(func(class int) bool { return class != 1 })
	if h[0][0] != 1+3+7+9 || h[0][1] != 2+8 || h[1][0] != 4+6 || h[1][1] != 5 {
		t.Errorf("got %v", h)
	}
}
