package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// On a fake clock every mode takes exactly what it should.
func TestRunShowsTheTimeOfEachMode(t *testing.T) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "") // empty is unset
		}
	}
	want := `8 answers, a judge that takes 100ms for each metric

MODE                            RESULTS  CALLS  AT ONCE  TIME   TIMES AS FAST
sequential                      32       32     1        3.20s  1.0
2 workers                       32       32     8        0.40s  8.0
4 workers                       32       32     16       0.20s  16.0
4 workers, 2 metrics at a time  32       32     8        0.40s  8.0

All modes give the same results.
`
	synctest.Test(t, func(t *testing.T) {
		var got bytes.Buffer
		if err := run(t.Context(), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
