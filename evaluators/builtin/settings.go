package builtin

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
)

// settings reads the options of one metric. The first one that will not do is
// kept in err; what is read after it does not matter.
type settings struct {
	params map[string]string
	// needs is what the options need besides what the metric announces.
	needs evaluators.Need
	err   error
}

// refuse keeps an error about an option.
func (s *settings) refuse(option, want string, err error) {
	if s.err == nil {
		s.err = &evaluators.ParamError{Param: option, Want: want, Err: err}
	}
}

// given reports whether the plan sets an option.
func (s *settings) given(option string) bool {
	_, ok := s.params[option]
	return ok
}

// wantOneOf refuses a metric that would have nothing to ask.
func (s *settings) wantOneOf(options ...string) {
	if s.err == nil && !slices.ContainsFunc(options, s.given) {
		s.err = errors.New("set " + strings.Join(options, " or "))
	}
}

// text returns what an option says, as it stands, which must not be blank nor
// longer than most bytes.
func (s *settings) text(option string, most int) string {
	v, ok := s.params[option]
	if ok && (evaluators.Blank(v) || len(v) > most) {
		s.refuse(option, fmt.Sprintf("a text of at most %d bytes", most), nil)
	}
	return v
}

// whole returns a whole number from least to a thousand million.
func (s *settings) whole(option string, least, otherwise int) int {
	v, ok := s.params[option]
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || n < least || n > 1_000_000_000 {
		s.refuse(option, fmt.Sprintf("a whole number from %d to 1000000000", least), nil)
	}
	return n
}

// wantTruth is the one rule for all options that are true or false, and the same
// as that of variables.
const wantTruth = "true or false (also 1, yes, on and 0, no, off)"

// yes returns a truth, false unless set. Case and blanks around it do not matter.
func (s *settings) yes(option string) bool {
	v, ok := s.params[option]
	if !ok {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "true", "1", "yes", "on":
		return true
	case "false", "0", "no", "off":
		return false
	}
	s.refuse(option, wantTruth, nil)
	return false
}

// names returns the names in a list that is separated by commas or by |, each
// one of those known.
func (s *settings) names(option, want string, known func(string) bool) []string {
	v, ok := s.params[option]
	if !ok {
		return nil
	}
	var out []string
	for name := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ',' || r == '|' }) {
		name = strings.ToLower(strings.TrimSpace(name))
		if !known(name) {
			s.refuse(option, want, nil)
			return nil
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		s.refuse(option, want, nil)
	}
	return out
}

// The bounds of lists and of what is in them.
const (
	mostTexts   = 100
	longestText = 1 << 10 // bytes
)

// texts returns the texts in a list that is separated by |.
func (s *settings) texts(option string) []string {
	v, ok := s.params[option]
	if !ok {
		return nil
	}
	want := fmt.Sprintf("up to %d texts of at most %d bytes with | between them", mostTexts, longestText)
	var out []string
	for t := range strings.SplitSeq(v, "|") {
		t = strings.TrimSpace(t)
		if evaluators.Blank(t) || len(t) > longestText || len(out) == mostTexts {
			s.refuse(option, want, nil)
			return nil
		}
		out = append(out, t)
	}
	return out
}
