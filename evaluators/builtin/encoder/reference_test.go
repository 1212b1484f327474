package encoder

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reference are texts of ours with their pieces and vectors by the model as it
// was published, in float32: some computed by TensorFlow.js (by tfjs), the
// others by a float64 program written from the graph, which differs from
// TensorFlow.js by at most 4e-7 in any value of those.
type reference struct {
	By, Text string
	Pieces   []uint16
	Vector   []float32
}

func references(t testing.TB) []reference {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []reference
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 20 {
		t.Fatalf("%d references, want 20", len(list))
	}
	return list
}

// sharedModel is the embedded model.
func sharedModel(t testing.TB) *model {
	t.Helper()
	m, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestVectorsAreThoseOfTheModel(t *testing.T) {
	m := sharedModel(t)
	for name, portable := range map[string]bool{"portable": true, "assembly where there is": false} {
		t.Run(name, func(t *testing.T) {
			s := newScratch()
			s.portable = portable
			least, total := 1.0, 0.0
			list := references(t)
			for _, r := range list {
				var v [1]Vector
				m.some(s, []string{r.Text}, v[:])
				var product, square float64
				for i, x := range v[0].Values {
					product += float64(x) * float64(r.Vector[i])
					square += float64(x) * float64(x)
				}
				if product < 0.998 {
					t.Errorf("%q: cosine %v", r.Text, product)
				}
				if math.Abs(square-1) > 1e-5 {
					t.Errorf("%q: length² %v", r.Text, square)
				}
				least, total = min(least, product), total+product
			}
			t.Logf("cosines: least %.5f, mean %.5f", least, total/float64(len(list)))
		})
	}
}

func TestPiecesAreThoseOfTheModel(t *testing.T) {
	m := sharedModel(t)
	var tokens tokens
	for _, r := range references(t) {
		got := m.vocabulary.cut(r.Text, &tokens)
		if diff := cmp.Diff(r.Pieces, got[:min(len(got), MaxPieces)]); diff != "" {
			t.Errorf("%q: -want +got:\n%s", r.Text, diff)
		}
	}
}
