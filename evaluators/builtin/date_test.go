package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

func TestDatesThatNoDocumentHas(t *testing.T) {
	for name, test := range map[string]struct {
		document, answer string
		missing          string // what is flagged, or nothing
	}{
		"other month":            {"The contract was signed on 3 May 2016.", "It was signed on 3 March 2016.", "3 March 2016"},
		"other month, day last":  {"It opened on May 3 to all.", "The bridge opened on June 3 to all.", "June 3"},
		"other month of a year":  {"The mill closed in May 1974.", "The mill closed in April 1974.", "April 1974"},
		"ordinal with of":        {"It is due on 3 May.", "The rent is due on the 3rd of June.", "3rd of June"},
		"same":                   {"The contract was signed on 3 May 2016.", "It was signed on May 3, 2016.", ""},
		"shortened":              {"The contract was signed on 3 Sep 2016.", "It was signed on 3 September 2016.", ""},
		"in digits":              {"Signed: 2016-05-03.", "It was signed on 3 May 2016.", ""},
		"in digits, either way":  {"Signed: 3/5/2016.", "It was signed on 5 March 2016.", ""},
		"in digits with points":  {"Signed: 3.5.2016 in Lund.", "It was signed on 3 May 2016.", ""},
		"by the time of writing": {"It opened on the 3rd of last month, in 2016.", "It opened on 3 June 2016.", ""},
		"month without a number": {"The garden opens in spring.", "It opens in March or so.", ""},
		"no month":               {"It takes 3 days, may be 5.", "It may 3 times fail, or 5.", ""},
		"a verb":                 {"The 3 companies of soldiers walk.", "The 3 march on.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := evaluate(t, "faithfulness", &evaluators.Case{Output: test.answer, Documents: documents(test.document)})
			flagged := r.Label == "Unfaithful"
			if flagged != (test.missing != "") || flagged && !strings.HasPrefix(r.Explanation, `"`+test.missing+`" is in no document`) {
				t.Errorf("got %s (%s), want flagged: %q", r.Label, r.Explanation, test.missing)
			}
		})
	}
}

func TestADateOfTheQuestionNeedsNoDocument(t *testing.T) {
	c := &evaluators.Case{Input: "Was it signed on 3 March 2016?", Output: "No, it was not signed on 3 March 2016.", Documents: documents("It was signed on 3 May 2016.")}
	if r := evaluate(t, "faithfulness", c); r.Label == "Unfaithful" {
		t.Errorf("flagged: %s", r.Explanation)
	}
}
