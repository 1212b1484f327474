package evaluators

import "unicode"

// NeedsMissing reports whether a case lacks something that a metric needs, and
// the Skip constant that says what. The first of these that applies counts:
// suppressed; then of the output tool_call_only, non_text_output,
// empty_output; content_truncated, when more than output and expected is needed
// and some of the input was not recorded; empty_input; no_documents; no_history;
// no_system; no_expected. The manager calls it before Evaluate, so that no call
// is spent on what cannot be judged.
func NeedsMissing(c *Case, need Need) (reason string, missing bool) {
	has := func(n Need) bool { return need&n != 0 }
	documents := func() bool {
		for _, d := range c.Documents {
			if !Blank(d.Text) {
				return true
			}
		}
		return false
	}
	switch {
	case c.Suppressed:
		return SkipSuppressed, true
	case has(NeedOutput) && c.ToolCallOnly:
		return SkipToolCallOnly, true
	case has(NeedOutput) && c.NonText:
		return SkipNonTextOutput, true
	case has(NeedOutput) && Blank(c.Output):
		return SkipEmptyOutput, true
	case c.InputTruncated && has(NeedInput|NeedDocuments|NeedDocumentsOrInput|NeedHistory|NeedSystem):
		return SkipContentTruncated, true
	case has(NeedInput) && Blank(c.Input):
		return SkipEmptyInput, true
	case has(NeedDocuments) && !documents(),
		has(NeedDocumentsOrInput) && Blank(c.Input) && !documents():
		return SkipNoDocuments, true
	case has(NeedHistory) && len(c.History) == 0:
		return SkipNoHistory, true
	case has(NeedSystem) && Blank(c.System):
		return SkipNoSystem, true
	case has(NeedExpected) && Blank(c.Expected):
		return SkipNoExpected, true
	}
	return "", false
}

// Blank reports whether a text has nothing to read: it is empty, or all blanks
// and invisible characters, such as a no-break space, a zero width space or a
// byte order mark.
func Blank(s string) bool {
	for _, r := range s {
		if !invisible(r) {
			return false
		}
	}
	return true
}

func invisible(r rune) bool {
	const brailleBlank = '\u2800'
	return unicode.IsSpace(r) || r == brailleBlank || unicode.In(r,
		unicode.Cc, unicode.Cf, unicode.Z,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
