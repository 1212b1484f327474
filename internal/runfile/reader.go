package runfile

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/genaievals/genaievals/envconfig"
	"github.com/genaievals/genaievals/internal/yamltext"
)

// reader is the state of reading one file.
type reader struct {
	*yamltext.Reader
	file   *File
	folder string
	text   []byte
	getenv func(string) string
	errors []*Error
}

var topKeys = []string{
	"name", "dataset", "format", "fields", "limit", "journal", "content", "strict",
	"evaluators", "rubrics", "judges", "rate_limit", "token_limit", "budget", "adaptive",
	"concurrency", "timeout", "item_timeout", "run_timeout", "gates", "reports", "dashboard",
}

// The bounds of numbers, which are those of the flags.
const (
	maxConcurrency = 1024
	maxLimit       = 1 << 40
	maxTime        = 365 * 24 * time.Hour
)

func (r *reader) top(root *yaml.Node) {
	m := r.Members("", root, topKeys...)
	if m == nil {
		return
	}
	f := r.file
	f.Name = r.Text(m["name"], "name")
	f.Dataset = r.path(m["dataset"], "dataset")
	f.Format = r.Text(m["format"], "format")
	f.Fields = r.fields(m["fields"])
	f.Limit = int64(r.whole(m["limit"], "limit", 0, maxLimit))
	f.Journal = r.path(m["journal"], "journal")
	f.Content = r.flag(m["content"], "content")
	f.Strict = r.flag(m["strict"], "strict")

	f.Rubrics = r.path(m["rubrics"], "rubrics")
	r.judges(m["judges"])
	f.RateLimit = limits(r, m["rate_limit"], "rate_limit", envconfig.ParseRateLimits)
	f.TokenLimit = limits(r, m["token_limit"], "token_limit", envconfig.ParseTokenLimits)
	f.Budget = limits(r, m["budget"], "budget", envconfig.ParseBudgets)
	f.Adaptive = r.flag(m["adaptive"], "adaptive")
	r.evaluators(m["evaluators"])

	f.Concurrency = r.whole(m["concurrency"], "concurrency", 1, maxConcurrency)
	f.Timeout = r.duration(m["timeout"], "timeout", time.Millisecond, time.Hour)
	f.ItemTimeout = r.duration(m["item_timeout"], "item_timeout", time.Millisecond, maxTime)
	f.RunTimeout = r.duration(m["run_timeout"], "run_timeout", time.Millisecond, maxTime)
	r.gates(m["gates"])
	r.reports(m["reports"])
	f.Dashboard = r.dashboard(m["dashboard"])
}

// place is where a node is, as errors name it.
func (r *reader) place(n *yaml.Node) string {
	return fmt.Sprintf("%s:%d:%d", r.file.Path, n.Line, n.Column)
}

// path reads a path, relative to the file's folder; - is standard input or output.
func (r *reader) path(n *yaml.Node, key string) string {
	p := r.Text(n, key)
	switch {
	case n == nil || r.Told(key) || p == "-":
		return p
	case strings.TrimSpace(p) == "":
		r.Fail(n, key, "is empty")
		return ""
	case filepath.IsAbs(p):
		return p
	}
	return filepath.Join(r.folder, p)
}

func (r *reader) fields(n *yaml.Node) map[string]string {
	var fields map[string]string
	for _, e := range r.Entries(n, "fields") {
		if fields == nil {
			fields = map[string]string{}
		}
		fields[e.Key] = r.Text(e.Value, "fields."+e.Key)
	}
	return fields
}

func (r *reader) flag(n *yaml.Node, path string) *bool {
	if n == nil {
		return nil
	}
	on := r.Boolean(n, path, false)
	return &on
}

func (r *reader) whole(n *yaml.Node, path string, least, most int) int {
	x := r.Integer(n, path)
	if n != nil && !r.Told(path) && (x < least || x > most) {
		r.Fail(n, path, "is %d, want %d to %d", x, least, most)
	}
	return x
}

// any reads the text of a single value of whatever type.
func (r *reader) any(n *yaml.Node, path, want string) (text string, ok bool) {
	if !r.Scalar(n, path, want, "!!str", "!!int", "!!float", "!!bool") {
		return "", false
	}
	return n.Value, true
}

// duration reads a duration, such as 90s or 1h30m, or a number of seconds.
func (r *reader) duration(n *yaml.Node, path string, least, most time.Duration) time.Duration {
	const want = "must be a duration such as 30s or 2m"
	text, ok := r.any(n, path, want)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if seconds, bad := strconv.ParseFloat(text, 64); err != nil && bad == nil && seconds < most.Seconds()+1 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	switch {
	case err != nil:
		r.Fail(n, path, want)
	case d < least || d > most:
		r.Fail(n, path, "is %v, want %v to %v", d, least, most)
	}
	return d
}

// limits reads a limit, or limits by name, with the parser of its variable.
func limits[T any](r *reader, n *yaml.Node, path string, parse func(string) (T, error)) string {
	text, ok := r.any(n, path, "must be a limit such as 60/min")
	if !ok {
		return ""
	}
	if _, err := parse(text); err != nil {
		r.Fail(n, path, "cannot be read: %v", err)
	}
	return text
}

func (r *reader) gates(n *yaml.Node) {
	if n == nil {
		return
	}
	m := r.Members("gates", n, "fail_under", "min_pass_rate", "max_failed", "warn_only")
	g := &r.file.Gates
	g.FailUnder = r.bounds(m["fail_under"], "gates.fail_under")
	g.MinPassRate = r.bounds(m["min_pass_rate"], "gates.min_pass_rate")
	if text, ok := r.any(m["max_failed"], "gates.max_failed", "must be a share such as 2%, or a number"); ok {
		g.MaxFailed = &Gate{Value: text, Place: r.place(m["max_failed"])}
	}
	for i, metric := range r.Texts(m["warn_only"], "gates.warn_only") {
		at := r.Position(fmt.Sprintf("gates.warn_only[%d]", i))
		g.WarnOnly = append(g.WarnOnly, Gate{Metric: metric, Place: r.place(at)})
	}
}

// bounds reads one number for every metric that is named, or one for all.
func (r *reader) bounds(n *yaml.Node, path string) (out []Gate) {
	if n != nil && n.Kind == yaml.ScalarNode {
		return []Gate{r.bound(n, path, "")}
	}
	for _, e := range r.Entries(n, path) {
		out = append(out, r.bound(e.Value, path+"."+e.Key, e.Key))
	}
	return out
}

// bound reads a number from 0 to 1, or a percentage.
func (r *reader) bound(n *yaml.Node, path, metric string) Gate {
	const want = "must be a number from 0 to 1, such as 0.9 or 90%"
	text, ok := r.any(n, path, want)
	number, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if percent {
		x /= 100
	}
	if ok && (err != nil || !(x >= 0 && x <= 1)) {
		r.Fail(n, path, "is %q, want 0 to 1, such as 0.9 or 90%%", text)
	}
	return Gate{Metric: metric, Value: text, Place: r.place(n)}
}

func (r *reader) reports(n *yaml.Node) {
	if n == nil {
		return
	}
	m := r.Members("reports", n, "json", "junit", "markdown", "html")
	r.file.Reports = Reports{
		JSON: r.path(m["json"], "reports.json"), JUnit: r.path(m["junit"], "reports.junit"),
		Markdown: r.path(m["markdown"], "reports.markdown"), HTML: r.path(m["html"], "reports.html"),
	}
}

func (r *reader) dashboard(n *yaml.Node) string {
	text, ok := r.any(n, "dashboard", "must be true or an address such as 127.0.0.1:8377")
	if !ok || n.ShortTag() == "!!bool" && (strings.EqualFold(text, "false") || strings.EqualFold(text, "off") || strings.EqualFold(text, "no")) {
		return ""
	}
	if n.ShortTag() == "!!bool" {
		return "true"
	}
	return text
}
