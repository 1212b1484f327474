package builtin

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// block is a run of text between two boundaries that no sentence crosses.
type block struct {
	text string
	item bool
}

// plain takes a text's markup away. Code spans, fenced code, addresses and
// citation marks are left out; code is the number of bytes that were code.
func plain(text string) (blocks []block, code int) {
	text = strings.Map(plainRune, measures.Replace(strings.ToValidUTF8(text, " ")))
	if strings.IndexByte(text, '<') >= 0 {
		text = stripTags(text)
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	fenced := ""
	open := false // the last block may be continued by the next line
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if fence := fenceOf(line); fence != "" && (fenced == "" || fence == fenced) {
			if fenced == "" {
				fenced = fence
			} else {
				fenced = ""
			}
			open = false
			continue
		}
		if fenced != "" {
			code += len(line)
			continue
		}
		if line == "" {
			open = false
			continue
		}
		body, item, marked := stripMarker(line)
		if strings.HasPrefix(body, "|") {
			for cell := range strings.SplitSeq(body, "|") {
				cell, n := inline(cell)
				code += n
				if strings.ContainsFunc(cell, func(r rune) bool { return r != '-' && r != ':' }) {
					blocks = append(blocks, block{text: cell, item: true})
				}
			}
			open = false
			continue
		}
		body, n := inline(body)
		code += n
		if body == "" {
			continue
		}
		if open && !marked && startsLower(body) {
			last := &blocks[len(blocks)-1]
			last.text += " " + body
		} else {
			blocks = append(blocks, block{text: body, item: item})
		}
		// A full line that goes on in lower case was wrapped, not ended.
		open = len(line) >= 50 && len(blocks[len(blocks)-1].text) < 8<<10
	}
	return blocks, code
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

func fenceOf(line string) string {
	for _, f := range [...]string{"```", "~~~"} {
		if strings.HasPrefix(line, f) {
			return f
		}
	}
	return ""
}

// measures keeps what is no footnote: the powers of units, and fractions.
var measures = strings.NewReplacer("m²", "m2", "ft²", "ft2", "m³", "m3", "½", " 1/2", "¼", " 1/4", "¾", " 3/4", "⅓", " 1/3", "⅔", " 2/3")

// plainRune folds typographic variants, so that the rules see one form of
// each, and drops what is invisible.
func plainRune(r rune) rune {
	switch {
	case r < 0x80:
		switch {
		case r == '\r':
			return '\n'
		case r == '\n', r >= ' ' && r != 0x7f:
			return r
		}
		return ' '
	case r == '‘', r == '’', r == 'ʼ', r == '′':
		return '\''
	case r == '“', r == '”', r == '„', r == '«', r == '»', r == '″':
		return '"'
	case r == '−', r == '‐', r == '‑':
		return '-'
	case r == 0x2028, r == 0x2029, r == 0x85:
		return '\n'
	case unicode.IsSpace(r):
		return ' '
	case r == 0xAD, r == 0x200D, r == 0xFE0F, unicode.Is(unicode.Cf, r), unicode.Is(unicode.Cc, r):
		return -1
	case r == '²', r == '³', r == '¹', r >= 0x2070 && r <= 0x2079:
		return -1 // footnotes and powers
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return r - 0xFF01 + '!'
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical letters
		i := (r - 0x1D400) % 52
		if i < 26 {
			return 'A' + i
		}
		return 'a' + i - 26
	}
	return r
}

// stripTags takes HTML tags away; those that begin a block become a line
// break. A tag longer than 300 bytes is text.
func stripTags(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 || i+1 >= len(text) {
			break
		}
		b.WriteString(text[:i])
		rest := text[i+1:]
		end := -1
		if c := rest[0]; c == '/' || c == '!' || isLetter(c) {
			end = strings.IndexByte(rest[:min(len(rest), 300)], '>')
		}
		if end < 0 {
			b.WriteByte('<')
			text = rest
			continue
		}
		if blockTag(rest[:end]) {
			b.WriteByte('\n')
		}
		text = rest[end+1:]
	}
	b.WriteString(text)
	return b.String()
}

func blockTag(tag string) bool {
	tag = strings.TrimPrefix(tag, "/")
	n := 0
	for n < len(tag) && (isLetter(tag[n]) || isDigit(tag[n])) {
		n++
	}
	switch strings.ToLower(tag[:n]) {
	case "p", "br", "div", "li", "ul", "ol", "tr", "td", "th", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote", "section":
		return true
	}
	return false
}

// stripMarker takes the marks at a line's beginning away. Item is set behind a
// list's bullet or number, marked behind any mark.
func stripMarker(line string) (body string, item, marked bool) {
	for {
		line = strings.TrimLeft(line, " ")
		n := 0
		switch {
		case strings.HasPrefix(line, ">"), strings.HasPrefix(line, ":"):
			n = 1
		case strings.HasPrefix(line, "=="): // a heading of a wiki
			line, marked = strings.Trim(line, "= "), true
			continue
		case strings.HasPrefix(line, "#"):
			n = len(line) - len(strings.TrimLeft(line, "#"))
			if n > 6 || n == len(line) || line[n] != ' ' {
				return line, item, marked
			}
		case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "), strings.HasPrefix(line, "+ "):
			n, item = 1, true
		case strings.HasPrefix(line, "• "), strings.HasPrefix(line, "– "), strings.HasPrefix(line, "— "), strings.HasPrefix(line, "◦ "):
			n, item = 3, true
		default:
			n = numberMarker(line)
			item = item || n > 0
		}
		if n == 0 {
			return line, item, marked
		}
		line, marked = line[n:], true
	}
}

// numberMarker returns the length of "1.", "12)", "(3)" or "a)" at the
// beginning of a list item, or 0.
func numberMarker(line string) int {
	i := 0
	if i < len(line) && line[i] == '(' {
		i++
	}
	start := i
	for i < len(line) && i-start < 3 && isDigit(line[i]) {
		i++
	}
	letter := i == start && i < len(line) && isLetter(line[i])
	if letter {
		i++
	}
	if i == start || i >= len(line) || (line[i] != ')' && (line[i] != '.' || letter)) {
		return 0
	}
	i++
	if i < len(line) && line[i] != ' ' && line[i] != '*' {
		return 0
	}
	return i
}
