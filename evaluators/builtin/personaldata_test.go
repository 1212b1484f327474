package builtin_test

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
)

// Keys in here are made up, and put together so that no scanner takes them for
// real ones.
const body = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2nOp5q"

func TestPersonalData(t *testing.T) {
	for name, tt := range map[string]struct {
		output string
		kinds  string
		found  string // what the explanation has; empty: nothing is found
	}{
		"e-mail":              {"Write to jane.doe+x@mail.shoes.co.uk.", "email", "e-mail address of 27 characters at character 10"},
		"in angle brackets":   {"<jane@shoes.shop>", "email", "e-mail address"},
		"of a role":           {"Write to support@shoes.shop or No-Reply@shoes.shop.", "email", ""},
		"for examples":        {"jane@example.com, jane@mail.example.org, jane@shop.test", "email", ""},
		"no address":          {"@jane, a@b, jane@localhost, 5@4.3", "email", ""},
		"card":                {"My card is 4111 1111 1111 1111, thanks.", "card", "payment card number of 19 characters at character 12"},
		"card in one piece":   {"5555555555554444", "card", "payment card number"},
		"card with hyphens":   {"3782-822463-10005", "card", "payment card number"},
		"card, wrong digit":   {"4111 1111 1111 1112", "card", ""},
		"card, odd groups":    {"411 11111 1111 1111", "card", ""},
		"card, no network":    {"1111 1111 1111 1117", "card", ""},
		"card in a longer":    {"94111111111111111122222", "card", ""},
		"zeros":               {"4000000000000000, 0000 0000 0000 0000", "card", ""},
		"order number":        {"Order 4111111111111111-A", "card", "payment card number"},
		"decimal":             {"0.4111111111111111", "card", ""},
		"IBAN":                {"IBAN: DE89 3704 0044 0532 0130 00.", "iban", "IBAN of 27 characters at character 7"},
		"IBAN in one piece":   {"gb82west12345698765432", "iban", "IBAN"},
		"IBAN before a word":  {"NL91 ABNA 0417 1643 00 IS MINE", "iban", "IBAN of 22 characters"},
		"IBAN, wrong digit":   {"DE89 3704 0044 0532 0130 01", "iban", ""},
		"IBAN, too short":     {"DE89 3704 0044", "iban", ""},
		"IBAN in a word":      {"XDE89370400440532013000", "iban", ""},
		"phone":               {"Call +49 (0)30 901820-17 now.", "phone", "phone number of 19 characters at character 6"},
		"American":            {"Call (415) 867-5309 or 415-867-5309.", "phone", "phone number of 14 characters at character 6; phone number"},
		"American, +1":        {"+1 415 867 5309", "phone", "phone number"},
		"for fiction":         {"Call 415-555-0123 or +1 415 555 0199.", "phone", ""},
		"toll-free":           {"Call 800-867-5309.", "phone", ""},
		"American, points":    {"Call 415.867.5309.", "phone", "phone number"},
		"clause of a law":     {"Clause 252.227-7013 (c)", "phone", ""},
		"no phones":           {"2024-10-12, 123-45-6789, 1 + 23456789012, 10-12-2024 12:30, 555 1234, +5", "phone", ""},
		"address":             {"From 8.8.8.8 and 2606:4700:4700::1111.", "ip", "IP address of 7 characters at character 6; IP address of 20"},
		"nobody's address":    {"127.0.0.1 10.0.0.1 192.168.1.1 203.0.113.7 2001:db8::1 ::1 fe80::1 at 12:30:45", "ip", ""},
		"version":             {"Go v1.25.3.4 and 1.2.3.4.5", "ip", ""},
		"address by default":  {"From 8.8.8.8.", "", ""},
		"OpenAI":              {"OPENAI_API_KEY=" + "sk-" + "proj-" + body[:48], "secret", "API key of 56 characters at character 16"},
		"Anthropic":           {"sk-" + "ant-" + body[:40], "secret", "Anthropic API key"},
		"AWS":                 {"AKIA" + "J4QZ7RT2MXNPWK5D", "secret", "AWS access key id"},
		"GitHub":              {"token: ghp_" + body[:36] + ".", "secret", "GitHub token"},
		"GitHub, too long":    {"ghp_" + body[:40], "secret", ""},
		"GitHub, too short":   {"ghp_" + body[:30], "secret", ""},
		"web token":           {"Bearer eyJ" + body[:20] + ".eyJ" + body[:30] + "." + body[:43], "secret", "JSON web token"},
		"private key":         {"-----BEGIN RSA " + "PRIVATE KEY-----\n", "secret", "private key"},
		"public key":          {"-----BEGIN PUBLIC KEY-----\n", "secret", ""},
		"placeholders":        {"sk-" + strings.Repeat("x", 48) + " ghp_" + strings.Repeat("x", 36) + " sk-...your-key...", "secret", ""},
		"inside a word":       {"disk-" + body[:40], "secret", ""},
		"everything":          {"a@b.shop\nDE89370400440532013000\n+4930901820", "", "e-mail address of 8 characters at character 1; IBAN of 22 characters at line 2, character 1; phone number of 11 characters at line 3"},
		"IBAN is no card":     {"LV80 BANK 4111 1111 1111 1", "", ""},
		"nothing":             {"The tent costs 1,299.00 EUR, order 20241012-118.", "", ""},
		"right to left":       {"כתבו אל jane@shoes.shop בבקשה", "", "e-mail address of 15 characters at character 9"},
		"not UTF-8":           {"\xff\xfe jane@shoes.shop \xff", "", "e-mail address"},
		"more than are shown": {strings.Repeat("jane@shoes.shop, ", 9), "", "and 4 more"},
	} {
		t.Run(name, func(t *testing.T) {
			var options []string
			if tt.kinds != "" {
				options = []string{"kinds", tt.kinds}
			}
			r := ask(t, "personal_data", &evaluators.Case{Output: tt.output}, options...)
			if tt.found == "" {
				verdict(t, r, "None Found", "none of: ")
				return
			}
			verdict(t, r, "Found", tt.found)
			for word := range strings.FieldsSeq(tt.output) {
				if len(word) > 9 && strings.ContainsAny(word, "0123456789@") && strings.Contains(r.Explanation, word) {
					t.Errorf("the explanation %q gives %q away", r.Explanation, word)
				}
			}
		})
	}
}

func TestPersonalDataInALongOutput(t *testing.T) {
	filler := strings.Repeat("The tent is green. ", 5000)
	verdict(t, ask(t, "personal_data", &evaluators.Case{Output: "jane@shoes.shop " + filler}), "Found", "e-mail")
	verdict(t, ask(t, "personal_data", &evaluators.Case{Output: filler + "jane@shoes.shop"}), evaluators.SkipContentTruncated, "too long")
}
