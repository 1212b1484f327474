package affinity

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/genaievals/genaievals/evaluators/builtin"
)

// Comparison is a question with its own answer, that of a random other question,
// and that of the other question nearest to it, as the model sees it.
type Comparison struct {
	Row             Row
	Random, Nearest Row
	OfOwn           builtin.Affinity
	OfRandom        builtin.Affinity
	OfNearest       builtin.Affinity
}

// Compare compares every row that is wanted with others of all rows. The same
// rows give the same comparisons.
func Compare(ctx context.Context, m builtin.Model, rows []Row, wanted func(Row) bool) ([]Comparison, error) {
	remembered := Remember(m)
	var questions []builtin.Vector
	for _, r := range rows {
		v, err := remembered.Embed(ctx, r.Question)
		if err != nil {
			return nil, err
		}
		questions = append(questions, v[0])
	}
	var out []Comparison
	for i, r := range rows {
		if !wanted(r) || len(rows) < 2 {
			continue
		}
		random := int(rand.New(rand.NewPCG(r.hash, 1)).Uint64N(uint64(len(rows) - 1)))
		if random >= i {
			random++
		}
		c := Comparison{Row: r, Random: rows[random], Nearest: rows[nearest(questions, i)]}
		for _, pair := range []struct {
			of     *builtin.Affinity
			answer string
		}{{&c.OfOwn, r.Answer}, {&c.OfRandom, c.Random.Answer}, {&c.OfNearest, c.Nearest.Answer}} {
			a, err := builtin.MeasureAffinity(ctx, remembered, r.Question, pair.answer)
			if err != nil {
				return nil, err
			}
			*pair.of = a
		}
		out = append(out, c)
	}
	return out, nil
}

// nearest is the question with the highest cosine to question i.
func nearest(questions []builtin.Vector, i int) int {
	best, at := -2.0, 0
	for j, v := range questions {
		if c := v.Cosine(questions[i]); j != i && c > best {
			best, at = c, j
		}
	}
	return at
}

// Remember makes a model read each text once and keep its vector. It is not safe
// for concurrent use.
func Remember(m builtin.Model) builtin.Model { return memory{m, make(map[string]builtin.Vector)} }

type memory struct {
	builtin.Model
	vectors map[string]builtin.Vector
}

func (m memory) Embed(ctx context.Context, texts ...string) ([]builtin.Vector, error) {
	out := make([]builtin.Vector, len(texts))
	for i, t := range texts {
		if v, ok := m.vectors[t]; ok {
			out[i] = v
			continue
		}
		v, err := m.Model.Embed(ctx, t)
		if err != nil {
			return nil, err
		}
		m.vectors[t], out[i] = v[0], v[0]
	}
	return out, nil
}

// AUC is the chance that one of high is above one of low; ties count half. It is
// 0 where either is empty.
func AUC(high, low []float64) float64 {
	if len(high) == 0 || len(low) == 0 {
		return 0
	}
	low = slices.Sorted(slices.Values(low))
	won := 0.0
	for _, h := range high {
		below, _ := slices.BinarySearch(low, h)
		upTo := below
		for upTo < len(low) && low[upTo] == h {
			upTo++
		}
		won += float64(below) + float64(upTo-below)/2
	}
	return won / float64(len(high)) / float64(len(low))
}

// AUCs are those of own answers against random others and against the nearest.
func AUCs(cs []Comparison) (random, nearest float64) {
	var own, others, near []float64
	for _, c := range cs {
		own = append(own, c.OfOwn.Probability())
		others = append(others, c.OfRandom.Probability())
		near = append(near, c.OfNearest.Probability())
	}
	return AUC(own, others), AUC(own, near)
}
