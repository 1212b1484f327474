package agreement

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func near(t *testing.T, what string, got *float64, want, tolerance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is absent, want %v", what, want)
	} else if math.Abs(*got-want) > tolerance {
		t.Errorf("%s is %v, want %v", what, *got, want)
	}
}

// The intervals are those that Newcombe (1998), table I, gives for this method.
func TestIntervalsOfProportionsAreThePublishedOnes(t *testing.T) {
	for _, tt := range []struct {
		count, of int
		low, high float64
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		p := NewProportion(tt.count, tt.of)
		near(t, "low", p.Low, tt.low, 5e-5)
		near(t, "high", p.High, tt.high, 5e-5)
	}
}

// The ends of the interval are the shares of which the count is exactly z
// standard deviations away.
func TestIntervalOfAProportionSolvesItsEquation(t *testing.T) {
	for of := 1; of < 60; of++ {
		for count := range of + 1 {
			p := NewProportion(count, of)
			if *p.Low > *p.Value || *p.High < *p.Value || *p.Low < 0 || *p.High > 1 {
				t.Fatalf("%d of %d: %v in %v…%v", count, of, *p.Value, *p.Low, *p.High)
			}
			for _, end := range []float64{*p.Low, *p.High} {
				d := *p.Value - end
				if miss := math.Abs(d*d - z95*z95*end*(1-end)/float64(of)); miss > 1e-12 {
					t.Fatalf("%d of %d: %v misses by %v", count, of, end, miss)
				}
			}
		}
	}
}

func TestNothingOfNothingIsAbsent(t *testing.T) {
	if p := NewProportion(0, 0); p.Value != nil || p.Low != nil || p.High != nil {
		t.Errorf("got %+v", p)
	}
}

func TestKappaIsThePublishedOne(t *testing.T) {
	for name, tt := range map[string]struct {
		matrix    Matrix
		value, se float64
		digits    float64
	}{
		// Cohen (1960), table 1, of 200 pairs.
		"Cohen 1960": {Matrix{{88, 10, 2}, {14, 40, 6}, {18, 10, 12}}, 0.492, math.NaN(), 5e-4},
		// Fleiss, Statistical Methods for Rates and Proportions, diagnoses of 100.
		"Fleiss 1981": {Matrix{{75, 1, 4}, {5, 4, 1}, {0, 0, 10}}, 0.68, 0.087, 5e-3},
	} {
		t.Run(name, func(t *testing.T) {
			k := tt.matrix.Kappa()
			near(t, "kappa", &k.Value, tt.value, tt.digits)
			if !math.IsNaN(tt.se) {
				near(t, "standard error", k.StandardError, tt.se, 1e-3) // the book computes with rounded shares
			}
		})
	}
}

// The standard error is that of the delta method: the gradient of kappa by the
// cells, taken numerically, with the covariance of a multinomial.
func TestErrorOfKappaIsThatOfTheDeltaMethod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		size := 2 + r.IntN(2)
		m := NewMatrix(size)
		for i := range m {
			for j := range m[i] {
				m[i][j] = 1 + r.IntN(30)
			}
		}
		near(t, "standard error", m.Kappa().StandardError, deltaMethod(m), 1e-6)
	}
}

func deltaMethod(m Matrix) float64 {
	n, size := float64(m.Total()), len(m)
	p := make([]float64, size*size)
	for i := range p {
		p[i] = float64(m[i/size][i%size]) / n
	}
	kappa := func(p []float64) float64 {
		var po, pe float64
		for i := range size {
			var row, column float64
			for j := range size {
				row, column = row+p[i*size+j], column+p[j*size+i]
			}
			po, pe = po+p[i*size+i], pe+row*column
		}
		return (po - pe) / (1 - pe)
	}
	const h = 1e-6
	var first, second float64
	for i := range p {
		up, down := slices.Clone(p), slices.Clone(p)
		up[i], down[i] = p[i]+h, p[i]-h
		g := (kappa(up) - kappa(down)) / (2 * h)
		first, second = first+p[i]*g*g, second+p[i]*g
	}
	return math.Sqrt((first - second*second) / n)
}

func TestKappaWhereItIsNotDefined(t *testing.T) {
	for name, tt := range map[string]struct {
		matrix Matrix
		want   *Kappa
	}{
		"no pairs":             {NewMatrix(2), nil},
		"one class only":       {Matrix{{7, 0}, {0, 0}}, nil},
		"all agree":            {Matrix{{7, 0}, {0, 3}}, &Kappa{Value: 1}},
		"all disagree":         {Matrix{{0, 5}, {5, 0}}, &Kappa{Value: -1}},
		"the judge says one":   {Matrix{{3, 0}, {7, 0}}, &Kappa{}},
		"the person says one":  {Matrix{{3, 7}, {0, 0}}, &Kappa{}},
		"what chance would do": {Matrix{{1, 1}, {1, 1}}, &Kappa{StandardError: new(0.5), Low: new(-0.5 * z95), High: new(0.5 * z95)}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.matrix.Kappa()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestRatesOfAClass(t *testing.T) {
	m := Matrix{{8, 2}, {1, 9}} // the fault is class 0
	for name, tt := range map[string]struct {
		got       Proportion
		count, of int
	}{
		"agreement":       {m.Agreement(), 17, 20},
		"true positives":  {m.TruePositives(0), 8, 10},
		"false positives": {m.FalsePositives(0), 1, 10},
		"precision":       {m.Precision(0), 8, 9},
	} {
		if tt.got.Count != tt.count || tt.got.Of != tt.of {
			t.Errorf("%s is %d of %d, want %d of %d", name, tt.got.Count, tt.got.Of, tt.count, tt.of)
		}
	}
}

// Hanley and McNeil (1982), table II: 51 abnormal and 58 normal images in five
// grades; an area of 0.893 with an error of 0.032.
func TestAreaIsThePublishedOne(t *testing.T) {
	var graded []Graded
	for grade, n := range []int{33, 6, 6, 11, 2} {
		graded = append(graded, slices.Repeat([]Graded{{Score: float64(grade)}}, n)...)
	}
	for grade, n := range []int{3, 2, 2, 11, 33} {
		graded = append(graded, slices.Repeat([]Graded{{Score: float64(grade), Fault: true}}, n)...)
	}
	a := NewAUC(graded, true)
	near(t, "area", &a.Value, 0.893, 5e-4)
	near(t, "standard error", a.StandardError, 0.032, 5e-4)
	b := NewAUC(graded, false)
	near(t, "area the other way round", &b.Value, 1-a.Value, 1e-15)
}

func TestAreaIsTheShareOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		graded := random(r)
		twice, pairs := 0, 0
		for _, f := range graded {
			for _, o := range graded {
				if !f.Fault || o.Fault {
					continue
				}
				pairs++
				switch {
				case f.Score > o.Score:
					twice += 2
				case f.Score == o.Score:
					twice++
				}
			}
		}
		want, _ := big.NewRat(int64(twice), int64(2*pairs)).Float64()
		if got := NewAUC(graded, true).Value; got != want {
			t.Fatalf("area %v, want %v, of %v", got, want, graded)
		}
	}
}

// random has both classes and two scores at least, with many ties.
func random(r *rand.Rand) []Graded {
	graded := []Graded{{Score: 0, Fault: true}, {Score: 1}}
	for range r.IntN(30) {
		graded = append(graded, Graded{Score: float64(r.IntN(7)) / 6, Fault: r.IntN(2) == 0})
	}
	return graded
}

func TestAreaWhereItIsNotDefined(t *testing.T) {
	for name, graded := range map[string][]Graded{
		"nothing":   nil,
		"no fault":  {{Score: 0}, {Score: 1}},
		"all fault": {{Score: 0, Fault: true}, {Score: 1, Fault: true}},
		"one score": {{Score: 0.5, Fault: true}, {Score: 0.5}},
	} {
		if a := NewAUC(graded, true); a != nil {
			t.Errorf("%s: got %+v", name, a)
		}
	}
	whole := NewAUC([]Graded{{Score: 1, Fault: true}, {Score: 0}}, true)
	if diff := cmp.Diff(&AUC{Value: 1}, whole); diff != "" {
		t.Errorf("complete separation, -want +got:\n%s", diff)
	}
}

// A point says what counting says, and no threshold at all does better than the
// best.
func TestCurveIsWhatCountingGives(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		graded, lower, configured := random(r), r.IntN(2) == 0, float64(r.IntN(21))/20
		c := NewCurve(graded, lower, configured)
		count := func(threshold float64) (tp, fp, agreeing int) {
			for _, g := range graded {
				called := lower && g.Score > threshold || !lower && g.Score < threshold
				switch {
				case called && g.Fault:
					tp++
				case called:
					fp++
				}
				if called == g.Fault {
					agreeing++
				}
			}
			return tp, fp, agreeing
		}
		faults := 0
		for _, g := range graded {
			if g.Fault {
				faults++
			}
		}
		for _, p := range c.Points {
			tp, fp, agreeing := count(p.Threshold)
			want := Point{
				p.Threshold, new(float64(tp) / float64(faults)), new(float64(fp) / float64(len(graded)-faults)),
				float64(agreeing) / float64(len(graded)), p.Step, agreeing,
			}
			if diff := cmp.Diff(want, p, cmp.AllowUnexported(Point{}), cmpopts.EquateNaNs()); diff != "" {
				t.Fatalf("-want +got:\n%s", diff)
			}
		}
		best := 0
		for i := range 1001 {
			_, _, agreeing := count(float64(i) / 1000)
			best = max(best, agreeing)
		}
		if c.Best.agreeing != best || c.Configured.Threshold != configured {
			t.Fatalf("best %+v, want %d; configured %+v, want %v", c.Best, best, c.Configured, configured)
		}
		for _, p := range c.Points {
			if p.agreeing == best && math.Abs(p.Threshold-configured) < math.Abs(c.Best.Threshold-configured) {
				t.Fatalf("%v agrees as well and is nearer to %v than %v", p.Threshold, configured, c.Best.Threshold)
			}
		}
	}
}

// The shares change at a score, and not half way to the next.
func TestStepsOfTheCurveAreAtScores(t *testing.T) {
	graded := []Graded{{Score: 0.2, Fault: true}, {Score: 0.6}, {Score: 0.6, Fault: true}}
	for _, lower := range []bool{false, true} {
		var steps []float64
		for _, p := range NewCurve(graded, lower, 0.5).Points { // at 0, 0.4, 0.5 and 1
			steps = append(steps, p.Step)
		}
		want := []float64{math.NaN(), 0.2, math.NaN(), 0.6}
		if diff := cmp.Diff(want, steps, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("lower is better: %v, -want +got:\n%s", lower, diff)
		}
	}
}

// Who has a threshold that is as good as any is not told to change it.
func TestConfiguredThresholdIsKeptWhereNoneIsBetter(t *testing.T) {
	graded := []Graded{{Score: 1, Fault: true}, {Score: 0}}
	if c := NewCurve(graded, true, 0.83); c.Best.Threshold != 0.83 {
		t.Errorf("best is %v", c.Best.Threshold)
	}
}

func TestThresholdsHaveFewDigits(t *testing.T) {
	for _, tt := range []struct{ low, high, want float64 }{
		{0, 1, 0.5},
		{2.0 / 3, 0.75, 0.7},
		{0.5, 2.0 / 3, 0.6},
		{0.1, 0.2, 0.15},
		{0.999, 1, 0.9995},
	} {
		if got := between(tt.low, tt.high); got != tt.want {
			t.Errorf("between %v and %v: %v, want %v", tt.low, tt.high, got, tt.want)
		}
	}
}

func TestCurveOfOneScoreIsAbsent(t *testing.T) {
	if c := NewCurve([]Graded{{Score: 1, Fault: true}, {Score: 1}}, true, 0.5); c != nil {
		t.Errorf("got %+v", c)
	}
}

func TestPercentile(t *testing.T) {
	values := []int{40, 10, 30, 20}
	for fraction, want := range map[float64]int{0: 10, 0.25: 10, 0.26: 20, 0.5: 20, 0.95: 40, 1: 40} {
		if got, ok := Percentile(values, fraction); !ok || got != want {
			t.Errorf("%v: %d, %v; want %d", fraction, got, ok, want)
		}
	}
	if _, ok := Percentile([]int(nil), 0.5); ok {
		t.Error("there is none of nothing")
	}
	if !slices.Equal(values, []int{40, 10, 30, 20}) {
		t.Error("the values were changed")
	}
}
