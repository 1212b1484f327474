package builtin

import "strings"

// digitRun is digits with single blanks or hyphens between groups of them.
type digitRun struct {
	start, end int
	digits     string
	groups     []int // lengths
}

// digitRuns finds the runs that stand by themselves.
func digitRuns(text string) []digitRun {
	var out []digitRun
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		var digits []byte
		var groups []int
		start, stop := i, i
		for i < len(text) {
			from := i
			for i < len(text) && isDigit(text[i]) {
				i++
			}
			groups = append(groups, i-from)
			digits = append(digits, text[from:i]...)
			stop = i
			if i+1 >= len(text) || text[i] != ' ' && text[i] != '-' || !isDigit(text[i+1]) {
				break
			}
			i++
		}
		const longest = 40 // digits; more is a table or a constant
		if len(digits) <= longest && !beside(text, start, stop) {
			out = append(out, digitRun{start, stop, string(digits), groups})
		}
	}
	return out
}

// findCards finds numbers with the length and first digits of a card network
// and the right check digit (ISO/IEC 7812), written in one piece or in the
// groups that are printed on cards.
func findCards(text string) []span {
	var out []span
	for _, r := range digitRuns(text) {
		if cardNetwork(r.digits) && printedGroups(r.groups) && luhn(r.digits) && distinct(r.digits) > 1 {
			out = append(out, span{start: r.start, end: r.end})
		}
	}
	return out
}

// luhn checks the last digit (ISO/IEC 7812-1, annex B).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// cardNetwork knows the numbers of Visa, Mastercard, American Express, Diners
// Club, Discover, JCB and UnionPay.
func cardNetwork(d string) bool {
	n := len(d)
	if n < 13 || n > 19 {
		return false
	}
	two, three, four := d[:2], d[:3], d[:4]
	switch {
	case d[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= "51" && two <= "55", four >= "2221" && four <= "2720":
		return n == 16
	case two == "34", two == "37":
		return n == 15
	case two == "36", two == "38", two == "39", three >= "300" && three <= "305":
		return n == 14 || n == 16
	case four == "6011", two == "65", three >= "644" && three <= "649",
		four >= "3528" && four <= "3589", two == "62":
		return n >= 16
	}
	return false
}

// printedGroups: in one piece, four by four, or as American Express and Diners
// Club do it.
func printedGroups(groups []int) bool {
	switch {
	case len(groups) == 1:
		return true
	case len(groups) == 3:
		return groups[0] == 4 && groups[1] == 6 && (groups[2] == 5 || groups[2] == 4)
	}
	for i, n := range groups {
		if n != 4 && (i < len(groups)-1 || n > 4) {
			return false
		}
	}
	return true
}

// distinct counts the different bytes of a text.
func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// ibanLengths are those of the SWIFT IBAN registry.
var ibanLengths = func() map[string]int {
	m := make(map[string]int)
	for length, countries := range map[int]string{
		15: "NO", 16: "BE", 18: "DK FI FK FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
		22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ DJ ES MD PK RO SA SE SK TN VG",
		25: "LY PT ST", 26: "IS TR", 27: "BI FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
		29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
	} {
		for c := range strings.FieldsSeq(countries) {
			m[c] = length
		}
	}
	return m
}()

// findIBANs finds account numbers with the length of their country and the right
// check digits (ISO 13616), in one piece or with blanks.
func findIBANs(text string) []span {
	var out []span
	for i := 0; i+4 <= len(text); i++ {
		length, ok := ibanLengths[strings.ToUpper(text[i:i+2])]
		if !ok || !isDigit(text[i+2]) || !isDigit(text[i+3]) || i > 0 && wordByte(text[i-1]) {
			continue
		}
		var b [34]byte
		n, j := 0, i
		for ; j < len(text) && n < length; j++ {
			c := text[j]
			if c == ' ' && j > i+3 && text[j-1] != ' ' {
				continue
			}
			if !isLetter(c) && !isDigit(c) {
				break
			}
			b[n] = c &^ 0x20 // upper case
			if isDigit(c) {
				b[n] = c
			}
			n++
		}
		if n == length && (j == len(text) || !wordByte(text[j])) && mod97(string(b[4:n])+string(b[:4])) == 1 {
			out = append(out, span{start: i, end: j})
			i = j - 1
		}
	}
	return out
}

// mod97 reads letters as 10 to 35 (ISO 7064, MOD 97-10).
func mod97(s string) int {
	rest := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			rest = (rest*10 + int(s[i]-'0')) % 97
		} else {
			rest = (rest*100 + int(s[i]-'A') + 10) % 97
		}
	}
	return rest
}
