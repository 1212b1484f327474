package builtin

import "strings"

// vocabulary is every word that is looked for behind a disguise. Short words
// are not: too many things look like them.
var vocabulary = func() map[string]bool {
	m := make(map[string]bool)
	for _, list := range []map[string]bool{abuse, insults, profanity, set("bitch bitches stupid bastard kill loser")} {
		for w := range list {
			if len(w) >= 4 {
				m[w] = true
			}
		}
	}
	return m
}()

// disguising reports whether a sign can stand for a letter.
func disguising(c byte) bool {
	return c == '*' || c == '@' || c == '$' || c == '#' || c == '!' || c == '_' || c == '+' || c == '%' || c == '&'
}

// unmask lowers a word and takes simple disguises off: signs and digits for
// letters, stars, letters repeated, look-alikes from another script. A word
// that is not a toxic one then stays as it was.
func unmask(raw string) string {
	w := fold(raw)
	plain, stars, repeats, lookalikes := true, false, false, false
	for i := 0; i < len(w); i++ {
		c := w[i]
		plain = plain && (isLetter(c) || c == '\'')
		stars = stars || c == '*' || c == '#' || c == '_' || c == '+' || c == '%' || c == '&'
		repeats = repeats || i > 1 && c == w[i-1] && c == w[i-2]
		lookalikes = lookalikes || c >= 0x80
	}
	if plain && !repeats || len(w) > 40 {
		return w
	}
	if lookalikes {
		if v := cyrillic.Replace(w); vocabulary[v] {
			return v
		}
	}
	if stars {
		if v := behindStars(w); v != "" {
			return v
		}
		return strings.Trim(w, "*#_+$@!%&")
	}
	v := w
	if !plain {
		v = leet.Replace(w)
	}
	if addressed[v] {
		return v // y0u
	}
	for _, most := range [...]int{2, 1} {
		if short := squeeze(v, most); vocabulary[short] {
			return short
		}
	}
	if v = strings.Replace(v, "i", "l", 1); !plain && vocabulary[v] {
		return v
	}
	return strings.Trim(w, "$@!")
}

var leet = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

var cyrillic = strings.NewReplacer("а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "і", "i", "к", "k", "т", "t", "м", "m", "н", "h", "в", "b")

// squeeze shortens runs of one letter to at most n.
func squeeze(w string, n int) string {
	var b strings.Builder
	run := 0
	for i := 0; i < len(w); i++ {
		if i > 0 && w[i] == w[i-1] {
			run++
		} else {
			run = 1
		}
		if run <= n {
			b.WriteByte(w[i])
		}
	}
	return b.String()
}

// behindStars finds the toxic word of which a masked one shows the first
// letter and at least half of them: f*ck, a**hole.
func behindStars(w string) string {
	shown := 0
	for i := 0; i < len(w); i++ {
		if isLetter(w[i]) {
			shown++
		}
	}
	if !isLetter(w[0]) || shown*2 < len(w) {
		if v, ok := censored[w]; ok {
			return v
		}
		return ""
	}
	best := ""
	for v := range vocabulary {
		if len(v) != len(w) || v < best && best != "" {
			continue
		}
		match := true
		for i := 0; i < len(w) && match; i++ {
			match = w[i] == v[i] || !isLetter(w[i]) && !isDigit(w[i])
		}
		if match {
			best = v
		}
	}
	return best
}

// censored are masks too heavy to see through but for custom.
var censored = map[string]string{
	"f***": "fuck", "f**k": "fuck", "f***ing": "fucking", "f****ing": "fucking", "f*****g": "fucking", "s***": "shit", "s**t": "shit", "b****": "bitch",
	"b***h": "bitch", "c***": "cunt", "a******": "asshole", "a**": "ass",
}

func splitPhrases(text string) [][]string {
	var out [][]string
	for line := range strings.Lines(text) {
		for p := range strings.SplitSeq(line, "|") {
			if words := strings.Fields(p); len(words) > 0 {
				out = append(out, words)
			}
		}
	}
	return out
}
