package affinity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/genaievals/genaievals/evaluators/builtin"
)

// letters is a model for which a text is how often it has each letter.
type letters struct {
	builtin.Model // is asked for vectors only
	asked         map[string]int
}

func (letters) Name() string { return "letters/1" }

func (l letters) Embed(_ context.Context, texts ...string) ([]builtin.Vector, error) {
	out := make([]builtin.Vector, len(texts))
	for i, t := range texts {
		l.asked[t]++
		v := make(builtin.Vector, 26)
		for _, c := range strings.ToLower(t) {
			if c >= 'a' && c <= 'z' {
				v[c-'a'] += 0.1
			}
		}
		out[i] = v
	}
	return out, nil
}

// written makes a set of questions about things, each with its own answer.
func written(t *testing.T, things int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "relevance"), 0o755); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range things {
		thing := fmt.Sprintf("%c%c%c%cor", 'a'+i%26, 'a'+i/26%26, 'b'+i%7, 'a'+i*5%26)
		line, err := json.Marshal(map[string]string{
			"user_query":       "What is a " + thing + " for?",
			"chatgpt_response": "With a " + thing + " people cut wood, and some keep the " + thing + " dry.",
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "relevance", "halueval_general_x.jsonl"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRowsAreDrawnInTwoHalves(t *testing.T) {
	rows, err := Rows(written(t, 200))
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, r := range rows {
		if r.Held() {
			held++
		}
	}
	if len(rows) != 200 || held < 70 || held > 130 {
		t.Errorf("%d rows, %d of them held out", len(rows), held)
	}
	many := make([]Row, 0, 4*Half)
	for i := range uint64(4 * Half) {
		many = append(many, Row{Question: fmt.Sprint(i), hash: mix(i)})
	}
	drawn := draw(slices.Clone(many))
	slices.Reverse(many)
	if again := draw(many); !cmp.Equal(drawn, again, cmp.AllowUnexported(Row{})) {
		t.Error("the order of the file decides what is drawn")
	}
	if len(drawn) != 2*Half {
		t.Errorf("%d rows drawn, want %d", len(drawn), 2*Half)
	}
}

func TestAnAbsentSetIsToldApart(t *testing.T) {
	if _, err := Rows(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOwnAnswersAreToldFromOthers(t *testing.T) {
	rows, err := Rows(written(t, 80))
	if err != nil {
		t.Fatal(err)
	}
	m := letters{asked: make(map[string]int)}
	cs, err := Compare(t.Context(), m, rows, func(r Row) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cs {
		if c.Random.Question == c.Row.Question || c.Nearest.Question == c.Row.Question {
			t.Fatalf("%q is compared with itself", c.Row.Question)
		}
	}
	for text, n := range m.asked {
		if n > 1 {
			t.Errorf("%q was read %d times", text, n)
		}
	}
	if random, nearest := AUCs(cs); random < 0.99 || nearest < 0.9 {
		t.Errorf("AUC %v, nearest %v", random, nearest)
	}
	bias, weights := Fit(cs)
	if again, w := Fit(cs); again != bias || !slices.Equal(w, weights) {
		t.Error("another fit gives other numbers")
	}
	if weights[2] <= 0 {
		t.Errorf("what is shared speaks against an answer: %v", weights)
	}
}

// What Fit finds is the least of its loss: its slope is zero there.
func TestFitStandsAtTheLeastLoss(t *testing.T) {
	var examples []example
	for i := range 40 {
		x := float64(i) / 40
		examples = append(examples, example{features: [size]float64{1, x, x * x, 1 - x, 0.5}, own: i%3 > 0 && i > 10, weight: 1})
	}
	var w [size]float64
	for range steps {
		step := solve(slopes(w, examples))
		for i := range w {
			w[i] += step[i]
		}
	}
	for i, row := range slopes(w, examples) {
		if s := row[size]; s > 1e-9 || s < -1e-9 {
			t.Errorf("slope %d is %v", i, s)
		}
	}
}

func TestAUC(t *testing.T) {
	for name, test := range map[string]struct {
		high, low []float64
		want      float64
	}{
		"apart":   {[]float64{3, 4}, []float64{2, 1}, 1},
		"swapped": {[]float64{1, 2}, []float64{4, 3}, 0},
		"ties":    {[]float64{1, 1}, []float64{1, 1}, 0.5},
		"mixed":   {[]float64{1, 3}, []float64{2, 0}, 0.75},
		"none":    {nil, []float64{1}, 0},
	} {
		if got := AUC(test.high, test.low); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
