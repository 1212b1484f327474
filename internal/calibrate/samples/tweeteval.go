package samples

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/genaievals/genaievals/internal/rows"
)

// tweetEval makes the mapping of one of TweetEval's tasks. They all have the
// same columns: only the path tells which task a file is of.
func tweetEval(task, metric, doc string, labels map[string]string) *mapping {
	return &mapping{
		Format: Format{
			Name:    "tweeteval_" + task,
			Set:     "TweetEval, " + task,
			Source:  "https://github.com/cardiffnlp/tweeteval",
			Licence: "none stated; Twitter's terms",
			Metrics: []string{metric},
			Columns: pairColumns,
			Doc:     doc + " A table, or NAME_text.txt with NAME_labels.txt beside it; recognised if the path has the word " + task + ".",
		},
		pathWord: task,
		output:   "text",
		label:    "label",
		labels:   labels,
	}
}

var (
	tweetSentiment = tweetEval("sentiment", sentiment, "0 is Negative, 1 Neutral, 2 Positive.",
		map[string]string{"0": negative, "1": neutral, "2": positive})
	tweetHate = tweetEval("hate", toxicity, "1 (hate) is Toxic, 0 Non Toxic: some of those are toxic without being hate.",
		map[string]string{"0": nonToxic, "1": toxic})
	tweetOffensive = tweetEval("offensive", toxicity, "1 (offensive) is Toxic, 0 Non Toxic. The set's mapping.txt has it the other way round; its rows do not.",
		map[string]string{"0": nonToxic, "1": toxic})
)

var pairColumns = []string{"text", "label"}

// labelsBeside returns the file of labels that belongs to a file of texts.
func labelsBeside(path string) (string, bool) {
	dir, base := filepath.Split(path)
	stem, ok := strings.CutSuffix(base, "text.txt")
	if !ok {
		return "", false
	}
	labels := filepath.Join(dir, stem+"labels.txt")
	info, err := os.Stat(labels)
	return labels, err == nil && info.Mode().IsRegular()
}

// pair is two files whose lines belong together.
type pair struct {
	texts, labels *rows.Lines
	columns       map[string]int
}

func pairOf(texts, labels io.Reader) *pair {
	return &pair{
		texts:   rows.NewLines(texts),
		labels:  rows.NewLines(labels),
		columns: rows.Columns(pairColumns),
	}
}

func (p *pair) Next() (rows.Row, error) {
	for {
		text, err := p.texts.Next()
		label, labelErr := p.labels.Next()
		switch ended, labelsEnded := errors.Is(err, io.EOF), errors.Is(labelErr, io.EOF); {
		case ended && labelsEnded:
			return rows.Row{}, io.EOF
		case ended && labelErr == nil && len(label) == 0, labelsEnded && err == nil && len(text) == 0:
			continue // an empty line more at the end of one of them
		case ended:
			return rows.Row{}, fmt.Errorf("line %d: a label without a text", p.labels.Number)
		case labelsEnded:
			return rows.Row{}, fmt.Errorf("line %d: a text without a label", p.texts.Number)
		}
		for _, err := range []error{err, labelErr} {
			if errors.Is(err, ErrTooLong) {
				return rows.Row{}, &rows.Error{Number: p.texts.Number, Err: err}
			}
			if err != nil {
				return rows.Row{}, err
			}
		}
		return rows.Of(p.texts.Number, p.columns, string(text), string(label)), nil
	}
}
