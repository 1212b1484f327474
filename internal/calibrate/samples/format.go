package samples

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/rows"
)

// Format is a way in which labelled cases are written down.
type Format struct {
	// Name is what --format takes.
	Name string
	// Set, Source and Licence: what it is, where it is published, and under
	// which terms. The samples format has no source.
	Set, Source, Licence string
	// Metrics that the labels serve, the one that is read first. NAME:METRIC
	// reads for another of them. Empty means that each row says.
	Metrics []string
	// Columns by which the format is recognised, in lower case.
	Columns []string
	// Doc says which label is which class and which rows are left out, in one
	// or two sentences.
	Doc string
}

// Formats returns all formats, the user's own first. The slice is the caller's.
func Formats() []Format {
	all := make([]Format, 0, len(mappings))
	for _, m := range mappings {
		f := m.Format
		f.Metrics, f.Columns = slices.Clone(f.Metrics), slices.Clone(f.Columns)
		all = append(all, f)
	}
	return all
}

// mapping is a format and what its rows come to.
type mapping struct {
	Format
	// syntax of a table; JSON is recognised whatever this says. names are the
	// columns of a table without a header.
	syntax rows.Syntax
	names  []string
	// Where several formats have the same columns, the path must have this word.
	pathWord string

	// Columns of the fields of a sample. Without an id it is the row's number.
	id, input, output, document, note string
	// label is the column of the label, labels what each of its values, in lower
	// case, means.
	label  string
	labels map[string]string
	// samples makes the samples of a row, for sets in which that takes more.
	// Their ids are what is added to the row's, and Metric is set by the caller. One
	// that is leaving is left out.
	samples func(r rows.Row) ([]Sample, error)
}

// leftOut is the meaning of a label that says neither, and the label of what is
// left out.
const leftOut = ""

// leaving stands for a sample that is left out, and says why.
func leaving(why string) Sample { return Sample{Label: leftOut, Note: why} }

// find returns the format of a name, and the metric to read it for.
func find(name string) (*mapping, string, error) {
	name, metric, wanted := strings.Cut(strings.ToLower(strings.TrimSpace(name)), ":")
	for _, m := range mappings {
		if m.Name != name {
			continue
		}
		switch {
		case wanted && !slices.Contains(m.Metrics, metricNamed(metric)):
			return nil, "", fmt.Errorf("%w %s:%s: its labels serve %s", ErrUnknownFormat, name, metric, strings.Join(m.Metrics, " or "))
		case wanted:
			return m, metricNamed(metric), nil
		case len(m.Metrics) > 0:
			return m, m.Metrics[0], nil
		}
		return m, "", nil
	}
	var names []string
	for _, m := range mappings {
		names = append(names, m.Name)
	}
	return nil, "", fmt.Errorf("%w %q, expected one of %s", ErrUnknownFormat, shortened(name), strings.Join(names, ", "))
}

// read makes the samples of a row.
func (m *mapping) read(r rows.Row, metric string) ([]Sample, error) {
	id := strings.TrimSpace(r.Text(m.id))
	if m.id == "" || id == "" {
		id = strconv.Itoa(r.Number)
	}
	made, err := m.samplesOf(r)
	if err != nil {
		return nil, err
	}
	for i := range made {
		s := &made[i]
		if s.Label == leftOut {
			continue
		}
		if m.Metrics != nil {
			s.ID = m.Name + "-" + id + s.ID
			s.Label = translated(s.Label, m.Metrics[0], metric)
			s.Metric = metric
		} else if s.ID == "" {
			s.ID = id
		}
		s.Case.ID = s.ID
		s.Case.Kind = instrumentation.KindInference
		s.Case.Choices = 1
		needs := questions[s.Metric].needs | evaluators.NeedOutput
		if reason, missing := evaluators.NeedsMissing(&s.Case, needs); missing {
			return nil, fmt.Errorf("%s for %s", strings.ReplaceAll(reason, "_", " "), s.Metric)
		}
	}
	return made, nil
}

func (m *mapping) samplesOf(r rows.Row) ([]Sample, error) {
	if m.samples != nil {
		return m.samples(r)
	}
	label, err := meaning(r, m.label, m.labels)
	if err != nil {
		return nil, err
	}
	if label == leftOut {
		return []Sample{leaving(m.label + " is " + cmp.Or(r.Word(m.label), "blank"))}, nil
	}
	s := Sample{Label: label}
	s.Case.Output = r.Text(m.output)
	if m.input != "" {
		s.Case.Input = r.Text(m.input)
	}
	if m.document != "" {
		s.Case.Documents = documents(r.Text(m.document))
	}
	if m.note != "" {
		s.Note = strings.TrimSpace(r.Text(m.note))
	}
	return []Sample{s}, nil
}

// meaning returns what the value of a column means.
func meaning(r rows.Row, column string, meanings map[string]string) (string, error) {
	word := r.Word(column)
	if m, ok := meanings[word]; ok {
		return m, nil
	}
	var expected []string
	for _, w := range slices.Sorted(maps.Keys(meanings)) {
		if w != "" {
			expected = append(expected, w)
		}
	}
	return "", fmt.Errorf("%s is %q, expected %s", column, shortened(word), strings.Join(expected, ", "))
}

// documents makes documents of texts, without the blank ones.
func documents(texts ...string) []instrumentation.Document {
	var docs []instrumentation.Document
	for _, t := range texts {
		if !evaluators.Blank(t) {
			docs = append(docs, instrumentation.Document{Text: t})
		}
	}
	return docs
}
