package builtin

import (
	"strings"
)

// inline takes the markup inside a line away and makes every gap one space.
// Code is the number of bytes that were code.
func inline(line string) (text string, code int) {
	var b strings.Builder
	b.Grow(len(line))
	space := func() {
		if n := b.Len(); n > 0 && b.String()[n-1] != ' ' {
			b.WriteByte(' ')
		}
	}
	emphasis := false
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ':
			space()
			i++
		case c == '`':
			n, span := codeSpan(line[i:])
			switch {
			case span > 0:
				code += span
				space()
			case n == 2:
				b.WriteByte('"')
			}
			i += n
		case c == '*' || c == '_' || c == '~':
			n := 1
			for i+n < len(line) && line[i+n] == c {
				n++
			}
			// Inside a word it is part of it (snake_case, f*ck), and so it is
			// behind one where nothing was opened (f***).
			inside := i > 0 && wordByte(line[i-1])
			if inside && (!emphasis || i+n < len(line) && wordByte(line[i+n])) {
				b.WriteString(line[i : i+n])
			} else {
				emphasis = !emphasis
			}
			i += n
		case c == '[':
			i += bracket(&b, line[i:])
		case c == 'h' || c == 'w' || c == 'H' || c == 'W':
			if n := address(line[i:]); n > 0 && (i == 0 || !wordByte(line[i-1])) {
				space()
				i += n
				continue
			}
			b.WriteByte(c)
			i++
		case strings.HasPrefix(line[i:], "【"):
			if end := strings.Index(line[i:min(len(line), i+60)], "】"); end > 0 {
				i += end + len("】")
				continue
			}
			b.WriteString("【")
			i += len("【")
		default:
			b.WriteByte(c)
			i++
		}
	}
	return strings.TrimSpace(b.String()), code
}

// codeSpan returns the length of a code span at the beginning of s and of the
// code in it. What is longer than code in a line is, or reads as a sentence, is
// text in unusual quotes; there and without an end only the signs are skipped.
func codeSpan(s string) (n, code int) {
	const longest = 160
	ticks := len(s) - len(strings.TrimLeft(s, "`"))
	if ticks >= longest {
		return ticks, 0
	}
	end := strings.Index(s[ticks:min(len(s), longest)], s[:ticks])
	if end <= 0 || strings.Count(s[ticks:ticks+end], " ") > 4 {
		return ticks, 0
	}
	return ticks + end + ticks, end
}

// bracket handles what begins with '[' and returns how much of it is done: a
// citation mark is left out, of a link the text is kept.
func bracket(b *strings.Builder, s string) int {
	end := strings.IndexByte(s[:min(len(s), 300)], ']')
	if end < 0 {
		b.WriteByte('[')
		return 1
	}
	if end > 1 && strings.Trim(s[1:end], "0123456789,;-^ ") == "" {
		return end + 1
	}
	if strings.HasPrefix(s[end+1:], "(") {
		if closing := strings.IndexByte(s[end:min(len(s), end+2000)], ')'); closing > 0 {
			b.WriteString(s[1:end])
			return end + closing + 1
		}
	}
	b.WriteByte('[')
	return 1
}

// address returns the length of a URL at the beginning of s, or 0. A full
// stop at its end belongs to the sentence.
func address(s string) int {
	head := strings.ToLower(s[:min(len(s), 8)])
	if !strings.HasPrefix(head, "http://") && head != "https://" && !strings.HasPrefix(head, "www.") {
		return 0
	}
	n := strings.IndexAny(s, " <>\"")
	if n < 0 {
		n = len(s)
	}
	return len(strings.TrimRight(s[:n], ".,;:!?)"))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// wordByte reports whether a byte can be inside a word: letters, digits and
// whatever is not ASCII.
func wordByte(c byte) bool { return isLetter(c) || isDigit(c) || c >= 0x80 }
