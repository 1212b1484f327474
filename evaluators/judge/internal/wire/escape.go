package wire

import (
	"strconv"
	"unicode/utf8"
)

// unescaped calls yield with each character of s and the bytes that it is
// written in, escapes resolved as in a JSON string. What was written as a string
// several times over has several backslashes in a row: however many there are,
// they are one escape, so that a text reads the same at every depth.
func unescaped(s string, yield func(r rune, from, to int)) {
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && s[i] == '\\' {
			i++
		}
		if i == len(s) {
			return
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if i-size > from { // after a backslash
			switch r {
			case 'n', 'r', 't', 'b', 'f':
				r = ' '
			case 'u':
				if n, err := strconv.ParseUint(s[i:min(i+4, len(s))], 16, 16); err == nil && i+4 <= len(s) {
					r, i = rune(n), i+4
				}
			}
		}
		yield(r, from, i)
	}
}
