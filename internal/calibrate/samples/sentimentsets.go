package samples

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/genaievals/genaievals/internal/rows"
)

// vaderColumns are the names that the set's own notes give to its columns: no
// table with a header is taken for it by chance.
var vaderColumns = []string{"id", "mean-sentiment-rating", "text"}

// rated is how a line of VADER's ground truth begins, which has no header.
var rated = regexp.MustCompile(`^\d+(_\d+)?\t-?\d+(\.\d+)?(e-?\d+)?\t`)

var vader = &mapping{
	Format: Format{
		Name:    "vader",
		Set:     "VADER ground truth: tweets, and sentences of reviews and editorials",
		Source:  "https://github.com/cjhutto/vaderSentiment",
		Licence: "MIT",
		Metrics: []string{sentiment},
		Columns: vaderColumns,
		Doc: "Tabs and no header; the ratings are means from -4 to 4. A rating of at most -1 is Negative, of at least 1 Positive, strictly between -0.5 and 0.5 Neutral; " +
			"what is between is left out.",
	},
	syntax: rows.RawTab,
	names:  vaderColumns,
	id:     "id",
	samples: func(r rows.Row) ([]Sample, error) {
		rating, err := strconv.ParseFloat(r.Word("mean-sentiment-rating"), 64)
		if err != nil {
			return nil, fmt.Errorf("rating is %q, expected a number from -4 to 4", shortened(r.Text("mean-sentiment-rating")))
		}
		var s Sample
		switch {
		case rating <= -1:
			s.Label = negative
		case rating >= 1:
			s.Label = positive
		case rating > -0.5 && rating < 0.5:
			s.Label = neutral
		default:
			return []Sample{leaving("rating between neutral and clear")}, nil
		}
		s.Case.Output = r.Text("text")
		return []Sample{s}, nil
	},
}

var sstColumns = []string{"sentence", "label"}

var sst2 = &mapping{
	Format: Format{
		Name:    "sst2",
		Set:     "SST-2 of GLUE, phrases of film reviews",
		Source:  "https://gluebenchmark.com/tasks",
		Licence: "none stated",
		Metrics: []string{sentiment},
		Columns: sstColumns,
		Doc:     "0 is Negative, 1 Positive; there is no Neutral. The test set has no labels. Quotes are letters.",
	},
	syntax: rows.RawTab,
	output: "sentence",
	label:  "label",
	labels: map[string]string{"0": negative, "1": positive},
}
