package genaihttp

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

const (
	dataScheme   = "data:"
	base64Suffix = ";base64"
)

func isDataURL(url []byte) bool {
	return len(url) >= len(dataScheme) && bytes.EqualFold(url[:len(dataScheme)], []byte(dataScheme))
}

// media returns the part behind a URL: for a data: URL its type and size, and
// not its content.
func media(modality string, url []byte) instrumentation.Part {
	if !isDataURL(url) {
		return instrumentation.URI(modality, "", string(url))
	}
	header, data, _ := bytes.Cut(url[len(dataScheme):], []byte(","))
	header = header[:min(len(header), 256)]
	size := len(data) - 2*bytes.Count(data, []byte("%")) // %41 is one byte
	if bytes.HasSuffix(bytes.ToLower(header), []byte(base64Suffix)) {
		size = base64Size(base64Characters(data))
	}
	mimeType, _, _ := strings.Cut(string(header), ";")
	if m := modalityOf(mimeType); m != "" {
		modality = m
	}
	return instrumentation.Blob(modality, mimeType, max(size, 0))
}

// modalityOf returns the modality that a MIME type names, or "".
func modalityOf(mimeType string) string {
	switch major, _, _ := strings.Cut(strings.ToLower(mimeType), "/"); major {
	case "image", "audio", "video":
		return major
	}
	return ""
}

// audioType returns the MIME type of OpenAI's audio formats.
func audioType(format string) string {
	switch format {
	case "":
		return ""
	case "mp3":
		return "audio/mpeg"
	}
	return "audio/" + format
}

// base64Characters counts the characters that stand for content: not padding,
// nor blanks. Where they were left out, it returns how many there were.
func base64Characters(s []byte) int {
	if len(s) > 0 && s[0] == leftOutMark {
		n, err := strconv.Atoi(string(s[1:min(len(s), 20)]))
		if err == nil && n >= 0 && n < 1<<50 {
			return n
		}
	}
	return countBase64(s)
}

func countBase64(s []byte) int {
	n := len(s)
	for _, c := range []string{"=", "\n", "\r", " "} {
		n -= bytes.Count(s, []byte(c))
	}
	return n
}

// base64Size is how many bytes so many characters stand for.
func base64Size(characters int) int { return characters * 3 / 4 }
