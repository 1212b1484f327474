package runner

import (
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// selection is what an item's names mean: for each lane and kind the metrics, by
// their place in the menu.
type selection struct {
	wanted [][instrumentation.Kinds][]int
	err    error // a name that means nothing
}

// selections remembers what names meant. The reader owns it.
type selections struct {
	lanes []*lane
	known map[string]*selection
}

// mostSelections bounds what is remembered.
const mostSelections = 1024

// of returns what names mean; nil is everything.
func (s *selections) of(names []string) *selection {
	if len(names) == 0 {
		return nil
	}
	key := strings.Join(names, "\x00")
	found := s.known[key]
	if found == nil {
		found = s.resolve(names)
		if len(s.known) < mostSelections {
			s.known[key] = found
		}
	}
	return found
}

func (s *selections) resolve(names []string) *selection {
	wants := make(map[string]bool)
	for _, name := range names {
		wants[evaluators.NormalizeName(name)] = false
	}
	sel := &selection{wanted: make([][instrumentation.Kinds][]int, len(s.lanes))}
	for i, l := range s.lanes {
		all := called(wants, l.name)
		for kind, m := range l.menus {
			if m == nil {
				continue
			}
			for p := range m.metrics {
				if one := l.calls(wants, m.metrics[p].Name); one || all {
					sel.wanted[i][kind] = append(sel.wanted[i][kind], p)
				}
			}
		}
	}
	for _, name := range names {
		if !wants[evaluators.NormalizeName(name)] {
			sel.err = fmt.Errorf("no evaluator or metric is named %q; there are %s", clip(name, 100), s.names())
			break
		}
	}
	return sel
}

// called reports whether a name is wanted, and notes that there is one so called.
func called(wants map[string]bool, name string) bool {
	key := evaluators.NormalizeName(name)
	_, wanted := wants[key]
	if wanted {
		wants[key] = true
	}
	return wanted
}

// calls is called for a metric, which can have other names.
func (l *lane) calls(wants map[string]bool, metric string) bool {
	wanted := called(wants, metric)
	for alias, of := range l.aliases {
		if of == metric && called(wants, alias) {
			wanted = true
		}
	}
	return wanted
}

// names lists what there is: judge (bias, toxicity), builtin (sentiment).
func (s *selections) names() string {
	var b strings.Builder
	for i, l := range s.lanes {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(l.name + " (")
		for j, c := range l.names {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(c.metric.Name)
		}
		b.WriteByte(')')
	}
	return b.String()
}
