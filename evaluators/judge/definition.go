package judge

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/evaluators"
)

//go:embed metrics.yaml
var metricsYAML []byte

// definition is an entry of metrics.yaml, which documents the keys.
type definition struct {
	Name      string   `yaml:"name"`
	Aliases   []string `yaml:"aliases"`
	Default   bool     `yaml:"default"`
	Fields    []string `yaml:"fields"`
	Needs     []string `yaml:"needs"`
	Direction string   `yaml:"direction"`
	Threshold float64  `yaml:"threshold"`
	Question  string   `yaml:"question"`
	Rubric    string   `yaml:"rubric"`
	Answer    string   `yaml:"answer"`
	ClaimsOf  string   `yaml:"claims_of"`
	Options   []option `yaml:"options"`
	Labels    struct {
		Passed string `yaml:"passed"`
		Failed string `yaml:"failed"`
	} `yaml:"labels"`

	// What only a Rubric has.

	Scale *RubricScale `yaml:"-"`
	Steps []string     `yaml:"-"` // numbered
	Notes []string     `yaml:"-"` // on the fields
}

// option is one thing that the judge can say.
type option struct {
	Name  string  `yaml:"name"`
	Score float64 `yaml:"score"`
	Label string  `yaml:"label"`
	When  string  `yaml:"when"`
}

// question is a definition made ready to be asked.
type question struct {
	definition
	claims bool
	shown  fields
	metric evaluators.Metric
	form   *form // that asks it alone
	// base is the question of claims_of: the one that is asked in this one's
	// place of a case that has what it needs.
	base *question
	own  *jsonschema.Resolved // checks the answer to a Rubric; else nil
}

// catalog is what the embedded files define. It is made once and not changed.
type catalog struct {
	questions []*question
	byName    map[string]*question
	aliases   map[string]string
	version   string
}

var builtinCatalog = sync.OnceValues(func() (*catalog, error) {
	return newCatalog(metricsYAML)
})

// newCatalog reads definitions and makes their prompts and schemas. The
// version is a hash of all that decides what the judge is asked.
func newCatalog(definitions []byte) (*catalog, error) {
	var file struct {
		Metrics []definition `yaml:"metrics"`
	}
	d := yaml.NewDecoder(bytes.NewReader(definitions))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("judge: read metrics: %w", err)
	}
	sum := sha256.New()
	sum.Write(definitions)
	sum.Write([]byte(promptText))
	sum.Write([]byte(repairText + replyLabel + replyScore + replyClaims + replyCombined))
	c := &catalog{
		byName:  map[string]*question{},
		aliases: map[string]string{},
		version: hex.EncodeToString(sum.Sum(nil)[:6]),
	}
	for _, def := range file.Metrics {
		q, err := newQuestion(def)
		if err == nil && c.byName[def.Name] != nil {
			err = errors.New("defined twice")
		}
		if err == nil && def.ClaimsOf != "" {
			err = q.rest(c.byName[def.ClaimsOf])
		}
		if err != nil {
			return nil, fmt.Errorf("judge: metric %q: %w", def.Name, err)
		}
		c.questions = append(c.questions, q)
		c.byName[def.Name] = q
		for _, a := range def.Aliases {
			c.aliases[a] = def.Name
		}
	}
	return c, nil
}

func newQuestion(def definition) (*question, error) {
	if err := def.check(); err != nil {
		return nil, err
	}
	q := &question{definition: def, claims: def.Answer == answerClaims}
	q.metric = evaluators.Metric{
		Name:      def.Name,
		Threshold: def.Threshold,
		Labels:    def.labelSet(),
	}
	if def.Direction == evaluators.LowerIsBetter.String() {
		q.metric.Direction = evaluators.LowerIsBetter
	}
	for _, n := range def.Needs {
		q.metric.Needs |= needNames[n]
	}
	for _, f := range def.Fields {
		q.shown |= fieldNames[f]
	}
	var err error
	q.form, err = newForm(q)
	return q, err
}

// rest has a question rest on the claims of another.
func (q *question) rest(base *question) error {
	if base == nil {
		return fmt.Errorf("claims_of names %q, which is not defined before it", q.ClaimsOf)
	}
	same := slices.EqualFunc(q.Options, base.Options, func(a, b option) bool { return a.Name == b.Name })
	if !q.claims || !base.claims || !same {
		return fmt.Errorf("claims_of names %q, which has not the same options for claims", q.ClaimsOf)
	}
	q.base = base
	return nil
}

// The answer forms.
const (
	answerLabel  = "label"
	answerClaims = "claims"
	answerScore  = "score" // of a Rubric with a scale
)

var (
	metricName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
	needNames  = map[string]evaluators.Need{
		"output":             evaluators.NeedOutput,
		"input":              evaluators.NeedInput,
		"documents":          evaluators.NeedDocuments,
		"documents_or_input": evaluators.NeedDocumentsOrInput,
	}
)

// check reports what is missing or contradictory.
func (d definition) check() error {
	switch {
	case !metricName.MatchString(d.Name):
		return errors.New("name must be lower case letters, digits and underscores")
	case d.Question == "":
		return errors.New("question is missing")
	case d.Answer != answerLabel && d.Answer != answerClaims:
		return fmt.Errorf("answer is %q, not label or claims", d.Answer)
	case d.Direction != evaluators.HigherIsBetter.String() && d.Direction != evaluators.LowerIsBetter.String():
		return fmt.Errorf("direction is %q, not higher_is_better or lower_is_better", d.Direction)
	case !within01(d.Threshold):
		return fmt.Errorf("threshold %v is not in 0…1", d.Threshold)
	case len(d.Options) < 2:
		return errors.New("fewer than two options")
	case !slices.Contains(d.Fields, "output"):
		return errors.New("fields must have output")
	}
	for _, n := range d.Needs {
		if needNames[n] == 0 {
			return fmt.Errorf("needs has unknown %q", n)
		}
	}
	for _, f := range d.Fields {
		if fieldNames[f] == 0 {
			return fmt.Errorf("fields has unknown %q", f)
		}
	}
	return d.checkOptions()
}

func (d definition) checkOptions() error {
	seen := map[string]bool{}
	for _, o := range d.Options {
		byThreshold := o.Label == "" || d.Answer == answerClaims
		switch {
		case !metricName.MatchString(o.Name):
			return fmt.Errorf("option %q must be lower case letters, digits and underscores", o.Name)
		case seen[fold(o.Name)]:
			return fmt.Errorf("option %q is there twice", o.Name)
		case !within01(o.Score):
			return fmt.Errorf("option %q: score %v is not in 0…1", o.Name, o.Score)
		case o.Label != "" && d.Answer == answerClaims:
			return fmt.Errorf("option %q: the label of a list of claims is decided by the threshold", o.Name)
		case byThreshold && (d.Labels.Passed == "" || d.Labels.Failed == ""):
			return fmt.Errorf("option %q has no label, and labels has not both passed and failed", o.Name)
		}
		seen[fold(o.Name)] = true
	}
	return nil
}

// within01 is false for NaN too.
func within01(x float64) bool { return x >= 0 && x <= 1 }

// labelSet lists every label that can be emitted, once.
func (d definition) labelSet() []string {
	var labels []string
	add := func(l string) {
		if l != "" && !slices.Contains(labels, l) {
			labels = append(labels, l)
		}
	}
	for _, o := range d.Options {
		add(o.Label)
	}
	add(d.Labels.Passed)
	add(d.Labels.Failed)
	return labels
}
