package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/genaievals/genaievals/instrumentation"
)

// retriever finds documents by the words that they share with a question, a
// rare word counting more than a common one.
type retriever struct {
	source    string
	documents []instrumentation.Document
	words     []map[string]float64 // how often each document has a word
	weight    map[string]float64   // of a word: ln(documents / documents with it)
}

func newRetriever(source string, documents []instrumentation.Document) *retriever {
	r := &retriever{source: source, documents: documents, weight: map[string]float64{}}
	for _, d := range documents {
		words := wordsOf(d.Text)
		r.words = append(r.words, words)
		for word := range words {
			r.weight[word]++
		}
	}
	for word, n := range r.weight {
		r.weight[word] = math.Log(float64(len(documents)) / n)
	}
	return r
}

// Search returns up to limit documents that share a telling word with the
// query, the best first. The search is recorded as a retrieval, so that a
// backend shows it beside the model call that it was made for.
func (r *retriever) Search(ctx context.Context, query string, limit int) []instrumentation.Document {
	_, inv := instrumentation.Default().StartRetrieval(ctx, instrumentation.Retrieval{
		DataSourceID: r.source, Query: query, TopK: limit,
	})
	defer inv.End()

	var found []instrumentation.Document
	asked := wordsOf(query)
	for i, d := range r.documents {
		d.Score = 0
		for word := range asked {
			if n := r.words[i][word]; n > 0 {
				d.Score += r.weight[word] * (1 + math.Log(n))
			}
		}
		if d.Score >= 1 { // less than a word that a third of the documents have
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b instrumentation.Document) int { return cmp.Compare(b.Score, a.Score) })
	found = found[:min(len(found), limit)]
	inv.SetDocuments(found...)
	return found
}

// wordsOf counts the words of a text. Their first letters stand for them, so
// that "deliver" and "delivered" are one.
func wordsOf(text string) map[string]float64 {
	words := map[string]float64{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		if len(word) > 2 && !strings.Contains(functionWords, " "+word+" ") {
			words[word[:min(len(word), 5)]]++
		}
	}
	return words
}

// functionWords say nothing about what a question is about.
const functionWords = " the and are for you your our not can does did what which who whom how when where why that this " +
	"them they with from out also was were has have had long get should would could make take again "
