package heads

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators/builtin"
	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

// Source is one public set.
type Source struct {
	Name string
	// Sum is the SHA-256 of its file.
	Sum  string
	Rows []Row
}

// Row is one text of a source, read as builtin reads an output.
type Row struct {
	// Raw is the text as it is in the source.
	Raw       string
	Sentences []string
	// Toxic is people's label, of sources for toxicity; Rating theirs from -4 to
	// 4, of sources for sentiment.
	Toxic  bool
	Rating float64
	// Odd halves a source by a hash of its texts: one half is trained on, the
	// odd one held out.
	Odd bool

	// Vector is of the text as one, Vectors of its sentences.
	Vector  builtin.Vector
	Vectors []builtin.Vector
}

// text is the row's as one.
func (r Row) text() string { return strings.Join(r.Sentences, " ") }

// The sources, by the names that the functions of this package take.
const (
	Davidson = "davidson" // tweets; MIT
	Surge    = "surge"    // posts; MIT
	Wiki     = "wiki"     // talk pages, of Jigsaw's unintended bias; CC-BY-4.0
	Madlibs  = "madlibs"  // phrases of templates, of the same; CC-BY-4.0
	Replies  = "replies"  // ChatGPT's, of HaluEval general; MIT. All are taken as harmless
	Amazon   = "amazon"   // sentences of reviews, of VADER's ground truth; MIT
	Tweets   = "tweets"   // of the same
	Times    = "nyt"      // sentences of editorials, of the same
)

// files says where a source is, and how many rows of each label are taken at
// most: the first by a hash of their texts. More of the same tweets, or of the
// same templates, change little and take long.
var files = map[string]struct {
	path string
	most int
}{
	Davidson: {"toxicity/davidson_labeled_data.csv", 2000},
	Surge:    {"toxicity/surge_toxicity_en.csv", 0},
	Wiki:     {"toxicity/jigsaw_wiki_nonfuzzed_testset.csv", 0},
	Madlibs:  {"toxicity/jigsaw_bias_madlibs_sample6k.csv", 1000},
	Replies:  {"relevance/halueval_general_sample2500.jsonl", 0},
	Amazon:   {"sentiment/vader_amazonReviewSnippets_GroundTruth.txt", 0},
	Tweets:   {"sentiment/vader_tweets_GroundTruth.txt", 0},
	Times:    {"sentiment/vader_nytEditorialSnippets_GroundTruth.txt", 0},
}

// ToxicitySources and SentimentSources are what the heads that ship are trained
// on, of [Replies] one half.
var (
	ToxicitySources  = []string{Davidson, Surge, Wiki, Madlibs, Replies}
	SentimentSources = []string{Amazon, Tweets, Times}
)

// DropOdd forgets the rows that are held out.
func (s *Source) DropOdd() {
	s.Rows = slices.DeleteFunc(s.Rows, func(r Row) bool { return r.Odd })
}

// Read reads sources from the data folder. A file that is not there is an error
// that is fs.ErrNotExist.
func Read(dir string, names ...string) (map[string]*Source, error) {
	read := make(map[string]*Source, len(names))
	for _, name := range names {
		s, err := readSource(dir, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		read[name] = s
	}
	return read, nil
}

func readSource(dir, name string) (*Source, error) {
	file := files[name]
	path := filepath.Join(dir, filepath.FromSlash(file.path))
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &Source{Name: name, Sum: fmt.Sprintf("%x", sha256.Sum256(data))}
	type hashed struct {
		Row
		hash  uint64
		class string
	}
	var rows []hashed
	add := func(text, class string, r Row) {
		h := fnv.New64a()
		h.Write([]byte(text))
		r.Raw, r.Sentences = text, builtin.Sentences(text)
		r.Odd = h.Sum64()%2 == 1
		if len(r.Sentences) > 0 {
			rows = append(rows, hashed{r, h.Sum64(), class})
		}
	}
	if slices.Contains(SentimentSources, name) {
		err = eachRated(string(data), func(rating float64, text string) { add(text, "", Row{Rating: rating}) })
	} else {
		err = eachLabelled(path, func(label, text string) { add(text, label, Row{Toxic: label == "Toxic"}) })
	}
	if err != nil {
		return nil, err
	}
	if file.most > 0 {
		slices.SortStableFunc(rows, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	}
	taken := make(map[string]int)
	for _, r := range rows {
		if taken[r.class]++; file.most == 0 || taken[r.class] <= file.most {
			s.Rows = append(s.Rows, r.Row)
		}
	}
	if len(s.Rows) == 0 {
		return nil, errors.New("no texts")
	}
	return s, nil
}

func eachLabelled(path string, row func(label, text string)) error {
	all, err := samples.Open(path, "")
	if err != nil {
		return err
	}
	for s, err := range all {
		if err != nil {
			return err
		}
		row(s.Label, s.Case.Output)
	}
	return nil
}

// eachRated reads VADER's ground truth: id, mean rating, text. The reader of
// samples leaves out the ratings between two labels, which a head has to learn
// as well.
func eachRated(data string, row func(rating float64, text string)) error {
	lines := bufio.NewScanner(strings.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		fields := strings.SplitN(lines.Text(), "\t", 3)
		if len(fields) < 3 {
			return fmt.Errorf("line %d: %d fields, want 3", n, len(fields))
		}
		rating, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		row(rating, fields[2])
	}
	return lines.Err()
}

// Embed gives the rows their vectors. It takes 2 ms for a short sentence: for
// all sources about three minutes on a core.
func (s *Source) Embed(ctx context.Context, m builtin.Model) error {
	for i := range s.Rows {
		r := &s.Rows[i]
		texts := []string{r.text()}
		if len(r.Sentences) > 1 {
			texts = append(texts, r.Sentences...)
		}
		vectors, err := m.Embed(ctx, texts...)
		if err != nil {
			return fmt.Errorf("embed row %d of %s: %w", i+1, s.Name, err)
		}
		r.Vector, r.Vectors = vectors[0], vectors[1:]
		if len(r.Vectors) == 0 {
			r.Vectors = vectors
		}
	}
	return nil
}
