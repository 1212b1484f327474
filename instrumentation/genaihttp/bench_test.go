package genaihttp

import (
	"strings"
	"testing"

	"github.com/genaievals/genaievals/instrumentation"
)

// What recording adds before a request is sent, and to each chunk.

func BenchmarkRequest(b *testing.B) {
	prose := strings.Repeat(`The \"quick\" brown fox jumps over the lazy dog.\n`, 20)
	bodies := map[string]string{
		"chat of 10 KB":   `{"messages":[` + strings.Repeat(`{"role":"user","content":"`+prose+`"},`, 10) + `{"role":"user","content":"?"}],"model":"m"}`,
		"picture of 3 MB": `{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` + strings.Repeat("QUJD", 1<<20) + `"}}]}],"model":"m"}`,
	}
	for name, body := range bodies {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				var i instrumentation.Inference
				readOpenAIRequest(content{json: []byte(body)}, &i)
				if i.Model != "m" {
					b.Fatal(i.Model)
				}
			}
		})
	}
}

func BenchmarkChunk(b *testing.B) {
	const chunk = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp",` +
		`"choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}],"usage":null}` + "\n\n"
	reply := openAI{}.newReply(200, DefaultMaxBody)
	r := eventReader{max: DefaultMaxBody, emit: func(n string, d []byte) bool { return reply.event(n, d) != unread }}
	b.SetBytes(int64(len(chunk)))
	b.ReportAllocs()
	for b.Loop() {
		r.write([]byte(chunk))
	}
}
