package genaihttp

import (
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// media returns the part behind a URL: for a data: URL its type and size, and
// not its content.
func media(modality, url string) instrumentation.Part {
	rest, isData := cutPrefixFold(url, "data:")
	if !isData {
		return instrumentation.URI(modality, "", url)
	}
	header, data, _ := strings.Cut(rest, ",")
	mimeType, _, _ := strings.Cut(header, ";")
	size := len(data) - 2*strings.Count(data, "%") // %41 is one byte
	if strings.HasSuffix(strings.ToLower(header), ";base64") {
		size = base64Size(data)
	}
	if m := modalityOf(mimeType); m != "" {
		modality = m
	}
	return instrumentation.Blob(modality, mimeType, max(size, 0))
}

func cutPrefixFold(s, prefix string) (rest string, found bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
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

// base64Size returns how many bytes s holds: 3 for every 4 characters, padding
// and line breaks not counted.
func base64Size(s string) int {
	n := len(s)
	for i := range len(s) {
		switch s[i] {
		case '=', '\n', '\r', ' ':
			n--
		}
	}
	return n * 3 / 4
}
