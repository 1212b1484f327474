package evaluators

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxPlanLength is the longest text that [Parse] reads, in bytes.
const MaxPlanLength = 64 << 10

// SyntaxError says where a plan cannot be read and what was expected there.
type SyntaxError struct {
	// Offset of the place, in bytes from the start of the text.
	Offset int
	// Msg says what is wrong; Near is the text around the place.
	Msg, Near string
}

// Error returns one line with the column, which is Offset + 1.
func (e *SyntaxError) Error() string {
	s := fmt.Sprintf("evaluators, column %d: %s", e.Offset+1, e.Msg)
	if e.Near != "" {
		s += fmt.Sprintf(", near %q", e.Near)
	}
	return s
}

// Parse reads the grammar of the EVALUATORS variable:
//
//	plan      = "none" | "off" | "false" | evaluator {"," evaluator}
//	evaluator = name [ "(" item {"," item} ")" ]
//	item      = kind [ "(" metric {"," metric} ")" ] | metric
//	metric    = name [ "(" option {"," option} ")" ]
//	option    = name "=" value
//
// as in judge(inference(bias(threshold=0.3),toxicity),agent),builtin. Names
// are of letters, digits, underscores, hyphens, dots and blanks, and contain a
// letter or digit. A value is anything without (),=" and blanks around it, or
// any text in double quotes, with \" and \\ inside. Blanks are free
// everywhere. An empty text is none.
//
// The error is a *[SyntaxError]. What the names mean is decided by
// [Registry.Resolve].
func Parse(s string) (Plan, error) {
	p := parser{in: s}
	if len(s) > MaxPlanLength {
		return Plan{}, p.fail(MaxPlanLength, fmt.Sprintf("the text has %d bytes, more than %d", len(s), MaxPlanLength))
	}
	if !utf8.ValidString(s) {
		return Plan{}, p.fail(invalidOffset(s), "the text is not valid UTF-8")
	}
	if trimmed := strings.TrimSpace(s); trimmed == "" || isOff(trimmed) {
		return Plan{Off: true}, nil
	}
	var plan Plan
	err := p.list(func(name string, at int) error {
		if isOff(name) {
			return p.fail(at, fmt.Sprintf("%q turns everything off and stands alone", name))
		}
		e := PlanEvaluator{Name: name, Offset: at}
		err := p.parens(func() error {
			return p.list(func(name string, at int) error {
				item, err := p.item(name, at)
				e.Items = append(e.Items, item)
				return err
			}, "a kind or a metric")
		})
		plan.Evaluators = append(plan.Evaluators, e)
		return err
	}, "an evaluator")
	if err != nil {
		return Plan{}, err
	}
	if p.skipBlanks(); p.pos < len(p.in) {
		return Plan{}, p.expected(`"," or the end`)
	}
	return plan, nil
}

// parser reads a plan from left to right. Its nesting is that of the grammar:
// it calls itself three levels deep at most, whatever the text.
type parser struct {
	in  string
	pos int
}

// item reads what follows the name of a kind or metric. Whether it is one or
// the other shows in its parentheses: options belong to a metric, names to a
// kind.
func (p *parser) item(name string, at int) (PlanItem, error) {
	item := PlanItem{Name: name, Offset: at}
	if err := p.notOption(name, at); err != nil {
		return item, err
	}
	err := p.parens(func() error {
		return p.list(func(name string, at int) error {
			if p.next() == '=' {
				if item.Metrics != nil {
					return p.fail(at, fmt.Sprintf("option %q beside a metric; options stand in the parentheses of their metric", name))
				}
				o, err := p.option(name, at)
				item.Options = append(item.Options, o)
				return err
			}
			if item.Options != nil {
				return p.expected(fmt.Sprintf(`"=" after option %q`, name))
			}
			m := PlanMetric{Name: name, Offset: at}
			err := p.parens(func() error {
				return p.list(func(name string, at int) error {
					o, err := p.option(name, at)
					m.Options = append(m.Options, o)
					return err
				}, "an option")
			})
			item.Metrics = append(item.Metrics, m)
			return err
		}, "a metric or an option")
	})
	return item, err
}

func (p *parser) notOption(name string, at int) error {
	if p.next() != '=' {
		return nil
	}
	return p.fail(at, fmt.Sprintf("option %q without a metric; options stand in the parentheses of their metric", name))
}

func (p *parser) option(name string, at int) (PlanOption, error) {
	o := PlanOption{Name: name, Offset: at}
	if p.next() != '=' {
		return o, p.expected(fmt.Sprintf(`"=" after option %q`, name))
	}
	p.pos++
	var err error
	if p.next() == '"' {
		o.Value, err = p.quoted()
		return o, err
	}
	end := strings.IndexAny(p.in[p.pos:], `(),="`)
	if end < 0 {
		end = len(p.in) - p.pos
	}
	o.Value = strings.TrimSpace(p.in[p.pos : p.pos+end])
	if o.Value == "" {
		return o, p.expected(fmt.Sprintf("a value for option %q", name))
	}
	p.pos += end
	return o, nil
}

func (p *parser) quoted() (string, error) {
	start := p.pos
	var b strings.Builder
	for p.pos++; p.pos < len(p.in); p.pos++ {
		switch c := p.in[p.pos]; c {
		case '"':
			p.pos++
			return b.String(), nil
		case '\\':
			if next := p.pos + 1; next < len(p.in) && (p.in[next] == '"' || p.in[next] == '\\') {
				b.WriteByte(p.in[next])
				p.pos = next
				continue
			}
			return "", p.fail(p.pos, `a backslash before something else than " or \`)
		default:
			b.WriteByte(c)
		}
	}
	return "", p.fail(start, "a quote that is not closed")
}

// list reads what, one or more times, with commas between.
func (p *parser) list(each func(name string, at int) error, what string) error {
	for {
		name, at, err := p.name(what)
		if err != nil {
			return err
		}
		if err := each(name, at); err != nil {
			return err
		}
		if p.next() != ',' {
			return nil
		}
		p.pos++
	}
}

// parens reads inner between parentheses, if there are any.
func (p *parser) parens(inner func() error) error {
	if p.next() != '(' {
		return nil
	}
	open := p.pos
	p.pos++
	if err := inner(); err != nil {
		return err
	}
	if p.next() == ')' {
		p.pos++
		return nil
	}
	if p.pos == len(p.in) {
		return p.fail(open, `"(" that is not closed`)
	}
	return p.expected(`"," or ")"`)
}

// name reads a name and gives it back with its blanks made single.
func (p *parser) name(what string) (name string, at int, err error) {
	p.skipBlanks()
	at = p.pos
	meaning := false
	for p.pos < len(p.in) {
		r, size := utf8.DecodeRuneInString(p.in[p.pos:])
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter && r != '_' && r != '-' && r != '.' && !unicode.IsSpace(r) {
			break
		}
		meaning = meaning || letter
		p.pos += size
	}
	if !meaning {
		p.pos = at
		return "", at, p.expected(what)
	}
	return strings.Join(strings.Fields(p.in[at:p.pos]), " "), at, nil
}

func (p *parser) skipBlanks() {
	p.pos = len(p.in) - len(strings.TrimLeftFunc(p.in[p.pos:], unicode.IsSpace))
}

// next returns the next byte that is not blank, 0 at the end.
func (p *parser) next() byte {
	if p.skipBlanks(); p.pos < len(p.in) {
		return p.in[p.pos]
	}
	return 0
}

func (p *parser) expected(what string) error {
	if p.skipBlanks(); p.pos == len(p.in) {
		return p.fail(p.pos, fmt.Sprintf("expected %s, found the end", what))
	}
	r, _ := utf8.DecodeRuneInString(p.in[p.pos:])
	return p.fail(p.pos, fmt.Sprintf("expected %s, found %q", what, string(r)))
}

func (p *parser) fail(offset int, msg string) error {
	return &SyntaxError{Offset: offset, Msg: msg, Near: near(p.in, offset)}
}

// near returns the text some 20 bytes around the offset, cut between runes.
func near(s string, offset int) string {
	const around = 20
	from, to := max(0, offset-around), min(len(s), offset+around)
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	out := s[from:to]
	if from > 0 {
		out = "…" + out
	}
	if to < len(s) {
		out += "…"
	}
	return out
}

func invalidOffset(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return 0
}

// isOff reports whether a name turns evaluation off.
func isOff(name string) bool {
	switch strings.ToLower(name) {
	case "none", "off", "false":
		return true
	}
	return false
}
