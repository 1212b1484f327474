package builtin

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/genaievals/genaievals/evaluators"
)

// The bounds of a regular expression: of its text, and of the program that it
// becomes. A search takes time in proportion to the text and the program, never
// more: RE2 does not go back.
const (
	longestPattern  = 4 << 10 // bytes
	longestProgram  = 2_000   // instructions
	readBetweenLook = 4 << 10 // runes between two looks at the context
)

// condition is one thing that contains or pattern_match asks of the output: that
// one of the finders finds something, or that none does.
type condition struct {
	what    string // the texts or the expression
	finders []finder
	absent  bool
}

// finder returns where it finds something, or nil. Cut says that the text goes
// on.
type finder func(ctx context.Context, text string, cut bool) ([]int, error)

// prepareContains reads all, any and absent: lists of texts.
func prepareContains(s *settings) judging {
	s.wantOneOf("all", "any", "absent")
	ignoreCase := s.yes("ignore_case")
	var asked []condition
	for _, t := range s.texts("all") {
		asked = append(asked, condition{t, []finder{literal(t, ignoreCase)}, false})
	}
	for _, t := range s.texts("absent") {
		asked = append(asked, condition{t, []finder{literal(t, ignoreCase)}, true})
	}
	if texts := s.texts("any"); len(texts) > 0 {
		c := condition{what: strings.Join(texts, "|")}
		for _, t := range texts {
			c.finders = append(c.finders, literal(t, ignoreCase))
		}
		asked = append(asked, c)
	}
	return search(asked)
}

// literal finds a text.
func literal(t string, ignoreCase bool) finder {
	if ignoreCase {
		return expression(regexp.MustCompile("(?i:" + regexp.QuoteMeta(strings.ToValidUTF8(t, "\uFFFD")) + ")"))
	}
	return func(_ context.Context, text string, _ bool) ([]int, error) {
		if i := strings.Index(text, t); i >= 0 {
			return []int{i, i + len(t)}, nil
		}
		return nil, nil
	}
}

// preparePatternMatch reads pattern and absent: regular expressions.
func preparePatternMatch(s *settings) judging {
	s.wantOneOf("pattern", "absent")
	ignoreCase := s.yes("ignore_case")
	var asked []condition
	for _, option := range []string{"pattern", "absent"} {
		text := s.text(option, longestPattern)
		if text == "" {
			continue
		}
		expr, err := compile(text, ignoreCase)
		if err != nil {
			s.refuse(option, "a regular expression (RE2)", err)
			return nil
		}
		asked = append(asked, condition{text, []finder{expression(expr)}, option == "absent"})
	}
	return search(asked)
}

func compile(text string, ignoreCase bool) (*regexp.Regexp, error) {
	if ignoreCase {
		text = "(?i:" + text + ")"
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if n := len(program.Inst); n > longestProgram {
		return nil, fmt.Errorf("it becomes %d instructions, more than %d", n, longestProgram)
	}
	return regexp.Compile(text)
}

// search judges by the share of the conditions that hold.
func search(asked []condition) judging {
	return func(ctx context.Context, s *subject) (evaluators.Result, error) {
		text, cut := clip(s.c.Output, s.limits.maxOutput)
		s.truncated = s.truncated || cut
		var wrong, right []string
		open := 0 // conditions that hang on the rest
		for _, c := range asked {
			at, err := c.find(ctx, text, cut)
			if err != nil {
				return evaluators.Result{}, err
			}
			switch found := at != nil; {
			case !found && cut:
				open++
			case found && c.absent:
				wrong = append(wrong, quote(text[at[0]:at[1]])+" at "+place(text, at[0]))
			case found:
				right = append(right, quote(text[at[0]:at[1]])+" at "+place(text, at[0]))
			case c.absent:
				right = append(right, "no "+quote(c.what))
			default:
				wrong = append(wrong, "no "+quote(c.what))
			}
		}
		switch {
		case open > 0:
			return unread("output"), nil
		case len(wrong) > 0:
			score := float64(len(right)) / float64(len(asked))
			return evaluators.Scored("", score, labelNoMatch, evidence(wrong)), nil
		}
		return evaluators.Scored("", 1, labelMatch, evidence(right)), nil
	}
}

func (c condition) find(ctx context.Context, text string, cut bool) (at []int, err error) {
	for _, find := range c.finders {
		if at, err = find(ctx, text, cut); at != nil || err != nil {
			break
		}
	}
	return at, err
}

// expression finds a match. It looks at ctx while it reads. In a text that was
// cut, a match up to the cut does not count: it may be one of the end that is
// none.
func expression(expr *regexp.Regexp) finder {
	return func(ctx context.Context, text string, cut bool) ([]int, error) {
		at := expr.FindReaderIndex(&reader{ctx: ctx, text: text})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if at != nil && cut && at[1] == len(text) {
			at = nil
		}
		return at, nil
	}
}

// reader reads the runes of a text until ctx ends.
type reader struct {
	ctx     context.Context
	text    string
	pos, n  int
	stopped bool
}

// ReadRune implements io.RuneReader.
func (r *reader) ReadRune() (c rune, size int, err error) {
	if r.n++; r.n%readBetweenLook == 0 && r.ctx.Err() != nil {
		r.stopped = true
	}
	if r.stopped || r.pos == len(r.text) {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(r.text[r.pos:])
	r.pos += size
	return c, size, nil
}

// place says where in a text a byte is, for people.
func place(text string, at int) string {
	before := text[:at]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	if line == 1 {
		return fmt.Sprintf("character %d", column)
	}
	return fmt.Sprintf("line %d, character %d", line, column)
}

// evidence lists the first few of what was found and counts the rest.
func evidence(found []string) string {
	const most = 3
	if rest := len(found) - most; rest > 0 {
		found = append(slices.Clip(found[:most]), fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(found, "; ")
}
