package genaihttp

import (
	"strings"

	"github.com/genaievals/genaievals/instrumentation"
)

// contentParts reads a message's content: a string, a list of parts, or one
// part. An empty text is no part.
func contentParts(v value, q *quota) []instrumentation.Part {
	var parts []instrumentation.Part
	add := func(v value) {
		if p := contentPart(v, q); p.Type != instrumentation.PartText || p.Content != "" {
			parts = append(parts, p)
		}
	}
	switch {
	case v.isArray():
		for _, v := range v.all(q) {
			add(v)
		}
	case v.isObject() && q.take(), v.isString() && q.take():
		add(v)
	}
	return parts
}

func contentPart(v value, q *quota) instrumentation.Part {
	if v.isString() {
		return instrumentation.Text(v.str())
	}
	var partType, text string
	var content value // the member that is named as the type says
	for name, v := range v.members() {
		switch name {
		case "type":
			partType = v.short()
		case "text":
			text = v.str()
		case "refusal", "thinking", "image_url", "video_url", "audio_url", "input_audio", "file":
			content = v
		}
	}
	switch partType {
	case "text", "input_text", "output_text":
		return instrumentation.Text(text)
	case "refusal":
		return instrumentation.Text(content.str())
	case "thinking", "reasoning": // Mistral: a list of texts
		var b strings.Builder
		b.WriteString(text)
		for _, p := range contentParts(content, q) {
			b.WriteString(p.Content)
		}
		return instrumentation.Reasoning(b.String())
	case "image_url":
		return mediaPart("image", content)
	case "video_url": // vLLM, Qwen
		return mediaPart("video", content)
	case "audio_url": // vLLM
		return mediaPart("audio", content)
	case "input_audio":
		return audioPart(content)
	case "file":
		return filePart(content)
	case "":
		if text != "" {
			return instrumentation.Text(text)
		}
	}
	return instrumentation.Raw(partType, v.json())
}

// mediaPart reads a URL, or an object with a member url.
func mediaPart(modality string, v value) instrumentation.Part {
	for name, member := range v.members() {
		if name == "url" {
			return media(modality, member.text())
		}
	}
	return media(modality, v.text())
}

func audioPart(v value) instrumentation.Part {
	var mimeType string
	var characters int
	for name, v := range v.members() {
		switch name {
		case "format":
			mimeType = audioType(v.short())
		case "data":
			characters = base64Characters(v.text())
		}
	}
	return instrumentation.Blob("audio", mimeType, base64Size(characters))
}

func filePart(v value) instrumentation.Part {
	var id string
	var data []byte
	for name, v := range v.members() {
		switch name {
		case "file_id":
			id = v.short()
		case "file_data":
			data = v.text()
		}
	}
	switch {
	case len(data) == 0:
		return instrumentation.File("document", "", id)
	case isDataURL(data):
		return media("document", data)
	}
	return instrumentation.Blob("document", "", base64Size(base64Characters(data)))
}
