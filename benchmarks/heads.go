package main

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/heads"
)

func headClaims() []claim {
	return []claim{
		{name: "toxicity_auc", bound: 0.93, atLeast: true, says: "AUC of overt toxicity on a source that its head was not trained on, the smaller of that on Surge and on Jigsaw wiki, trained for each without it",
			measure: toxicityAUC},
		{name: "toxicity_false_alarms", bound: 0.003, says: "share of an assistant's replies, taken as harmless and held out of training, that builtin calls Toxic",
			measure: toxicityFalseAlarms},
		{name: "sentiment_auc", bound: 0.93, atLeast: true, says: "AUC of builtin's scores of positive over negative tweets, with heads trained on no tweet",
			measure: sentimentAUC},
	}
}

// embedded reads sources and embeds them. They are thousands of texts: it takes
// minutes.
func embedded(names ...string) (map[string]*heads.Source, builtin.Model, error) {
	read, err := heads.Read(labelled(), names...)
	if err != nil {
		return nil, nil, absent(err)
	}
	encoder := semantic.Open(1)
	for _, name := range names {
		if name == heads.Replies {
			read[name].DropOdd() // held out
		}
		if err := read[name].Embed(context.Background(), encoder); err != nil {
			return nil, nil, err
		}
	}
	return read, encoder, nil
}

func toxicityAUC() (float64, error) {
	read, encoder, err := embedded(heads.ToxicitySources...)
	if err != nil {
		return 0, err
	}
	least := 1.0
	for _, held := range []string{heads.Surge, heads.Wiki} {
		var others []*heads.Source
		for _, name := range heads.ToxicitySources {
			if name != held {
				others = append(others, read[name])
			}
		}
		m := heads.Model{Encoder: encoder, OfToxicity: heads.FitToxicity(others...)}
		var asUsed, worst []agreement.Graded
		var called, right, toxic int
		for _, r := range read[held].Rows {
			vectors, err := asRead(encoder, r)
			if err != nil {
				return 0, err
			}
			p, _ := builtin.Overt(m, vectors)
			asUsed = append(asUsed, agreement.Graded{Score: p, Fault: r.Toxic})
			highest := 0.0
			for _, v := range r.Vectors {
				highest = max(highest, m.Toxicity(v))
			}
			worst = append(worst, agreement.Graded{Score: highest, Fault: r.Toxic})
			if r.Toxic {
				toxic++
			}
			if p >= 0.7 {
				called++
				if r.Toxic {
					right++
				}
			}
		}
		value := agreement.NewAUC(asUsed, true)
		fmt.Printf("trained without %s, on its %d texts: AUC %.4f (%.3f to %.3f); of the worst sentence alone %.4f. At 0.7 precision %.3f, recall %.3f\n",
			held, len(asUsed), value.Value, *value.Low, *value.High, agreement.NewAUC(worst, true).Value,
			float64(right)/float64(max(called, 1)), float64(right)/float64(toxic))
		least = min(least, value.Value)
	}
	return least, nil
}

// asRead are the vectors of what toxicity reads of a text, which are not all those
// of the sentences that a head is trained on.
func asRead(encoder builtin.Model, r heads.Row) ([]builtin.Vector, error) {
	known := make(map[string]builtin.Vector, len(r.Sentences))
	for i, s := range r.Sentences {
		known[s] = r.Vectors[i]
	}
	texts := builtin.ToxicityReading(r.Raw)
	vectors := make([]builtin.Vector, len(texts))
	for i, text := range texts {
		v, ok := known[text]
		if !ok {
			embedded, err := encoder.Embed(context.Background(), text)
			if err != nil {
				return nil, err
			}
			v = embedded[0]
		}
		vectors[i] = v
	}
	return vectors, nil
}

func toxicityFalseAlarms() (float64, error) {
	read, err := heads.Read(labelled(), heads.Replies)
	if err != nil {
		return 0, absent(err)
	}
	e := builtin.New(builtin.WithModel(semantic.Open), builtin.WithShare(1))
	var all, toxic, skipped int
	for _, r := range read[heads.Replies].Rows {
		if !r.Odd {
			continue
		}
		c := &evaluators.Case{Kind: instrumentation.KindInference, Output: r.Raw}
		all++
		switch result := e.Evaluate(context.Background(), c, []evaluators.Metric{{Name: builtin.MetricToxicity}})[0]; {
		case result.Outcome != evaluators.OutcomeScored:
			skipped++
		case result.Label == "Toxic":
			toxic++
		}
	}
	fmt.Printf("%d replies held out: %d called Toxic, %d skipped, the others Non Toxic\n", all, toxic, skipped)
	return float64(toxic) / float64(all), nil
}

func sentimentAUC() (float64, error) {
	read, encoder, err := embedded(heads.SentimentSources...)
	if err != nil {
		return 0, err
	}
	sources := []*heads.Source{read[heads.Amazon], read[heads.Tweets], read[heads.Times]}
	value := 0.0
	for _, trial := range []struct {
		says  string
		test  *heads.Source
		takes func(s *heads.Source, r heads.Row) bool
		holds func(r heads.Row) bool
	}{
		{"tweets, trained without any", sources[1], not(sources[1]), func(heads.Row) bool { return true }},
		{"half of the tweets, trained with the other", sources[1],
			func(s *heads.Source, r heads.Row) bool { return s != sources[1] || !r.Odd },
			func(r heads.Row) bool { return r.Odd }},
		{"reviews, trained without any", sources[0], not(sources[0]), func(heads.Row) bool { return true }},
		{"editorials, trained without any", sources[2], not(sources[2]), func(heads.Row) bool { return true }},
	} {
		m := heads.Model{Encoder: remembering(encoder, trial.test)}
		m.Negative, m.Positive = heads.FitSentiment(trial.takes, sources...)
		e := builtin.New(builtin.WithModel(func(float64) builtin.Model { return m }), builtin.WithShare(1))
		var asShipped, byHeads, byWords []agreement.Graded
		skipped, called, right := 0, 0, 0
		for _, r := range trial.test.Rows {
			if !trial.holds(r) || r.Rating > -0.5 && r.Rating < 0.5 {
				continue
			}
			result := e.Evaluate(context.Background(), &evaluators.Case{Kind: instrumentation.KindInference, Output: r.Raw}, []evaluators.Metric{{Name: builtin.MetricSentiment}})[0]
			score := 0.5 // what is skipped says nothing
			if result.Outcome == evaluators.OutcomeScored {
				score = result.Score
			} else {
				skipped++
			}
			if side := (map[string]float64{"Negative": -1, "Positive": 1})[result.Label]; side != 0 {
				called++
				if side*r.Rating > 0 {
					right++
				}
			}
			asShipped = append(asShipped, agreement.Graded{Score: score, Fault: r.Rating < 0})
			difference, compound := 0.0, 0.0
			for i, v := range r.Vectors {
				tone := builtin.ToneOf(r.Sentences[i])
				n, p := m.Sentiment(v, tone)
				difference += p - n
				compound += tone.Compound
			}
			count := float64(len(r.Vectors))
			byHeads = append(byHeads, agreement.Graded{Score: difference / count, Fault: r.Rating < 0})
			byWords = append(byWords, agreement.Graded{Score: compound / count, Fault: r.Rating < 0})
		}
		a := agreement.NewAUC(asShipped, false)
		fmt.Printf("%s: AUC %.4f of the scores of %d texts rated beyond ±0.5, %d of them skipped and taken as 0.5; of the heads alone %.4f, VADER alone %.4f. Called Negative or Positive %d, right %.3f\n",
			trial.says, a.Value, len(asShipped), skipped, agreement.NewAUC(byHeads, false).Value, agreement.NewAUC(byWords, false).Value, called, float64(right)/float64(max(called, 1)))
		if value == 0 {
			value = a.Value // the first is the claim
		}
	}
	return value, nil
}

func not(source *heads.Source) func(*heads.Source, heads.Row) bool {
	return func(s *heads.Source, _ heads.Row) bool { return s != source }
}

// remembered is an encoder that knows the vectors of a source's sentences.
type remembered struct {
	builtin.Model
	vectors map[string]builtin.Vector
}

func remembering(m builtin.Model, s *heads.Source) builtin.Model {
	r := remembered{m, make(map[string]builtin.Vector)}
	for _, row := range s.Rows {
		for i, v := range row.Vectors {
			r.vectors[row.Sentences[i]] = v
		}
	}
	return r
}

func (r remembered) Embed(ctx context.Context, texts ...string) ([]builtin.Vector, error) {
	out := make([]builtin.Vector, len(texts))
	for i, t := range texts {
		v, ok := r.vectors[t]
		if !ok {
			embedded, err := r.Model.Embed(ctx, t)
			if err != nil {
				return nil, err
			}
			v = embedded[0]
		}
		out[i] = v
	}
	return out, nil
}
