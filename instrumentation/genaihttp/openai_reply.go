package genaihttp

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/genaievals/genaievals/instrumentation"
)

// openAIReply reads one response: a completion, or the chunks of one.
type openAIReply struct {
	status    int
	room      int  // bytes of content still to be kept
	cut       bool // there was more content than room
	id, model string
	choices   map[int64]*openAIChoice
	usage     instrumentation.Usage
	failed    *ResponseError
	done      bool // [DONE] was seen
}

var _ reply = (*openAIReply)(nil)

func (r *openAIReply) ended() bool { return r.done }

// document reads a response that is not a stream.
func (r *openAIReply) document(body []byte) (whole bool) {
	v, whole := readable(body)
	failed := r.status >= http.StatusBadRequest
	r.failed = readOpenAIError(v, r.status, failed)
	if !failed {
		r.read("", v)
	}
	return whole
}

// event reads one chunk.
func (r *openAIReply) event(name string, data []byte) eventKind {
	data = bytes.TrimSpace(data)
	switch {
	case r.done:
		return eventOther
	case string(data) == "[DONE]":
		r.done = true
		return eventOther
	case !json.Valid(data):
		return unread
	}
	if r.read(name, data) {
		return eventContent
	}
	return eventOther
}

// read reads a completion or a chunk of one, and reports whether it brought
// content. The first id and model stay; of the usage, which some servers send
// running totals of, the last.
func (r *openAIReply) read(event string, v value) (content bool) {
	for name, v := range v.members() {
		switch name {
		case "id":
			r.id = orElse(r.id, v.short())
		case "model":
			r.model = orElse(r.model, v.short())
		case "choices":
			q := quota{left: maxItems}
			for i, v := range v.all(&q) {
				content = r.readChoice(i, v) || content
			}
			r.cut = r.cut || q.cut
		case "usage":
			r.readUsage(v)
		case "x_groq": // in Groq's last chunk
			for name, v := range v.members() {
				if name == "usage" {
					r.readUsage(v)
				}
			}
		}
	}
	if r.failed == nil {
		r.failed = readOpenAIError(v, r.status, event == "error")
	}
	return content
}

// readChoice reads a choice. Its position counts only where no index is given,
// and in a stream, which has one choice to a chunk, is 0.
func (r *openAIReply) readChoice(position int, v value) (content bool) {
	var message, delta value
	var finish string
	index := int64(position)
	for name, v := range v.members() {
		switch name {
		case "index":
			if n := v.integer(); n != nil {
				index = *n
			}
		case "message":
			message = v
		case "delta":
			delta = v
		case "finish_reason":
			finish = v.short()
		}
	}
	c := r.choice(index)
	if c == nil {
		r.cut = true
		return false
	}
	c.finish = orElse(finish, c.finish)
	switch {
	case delta.isObject():
		m := r.readMessage(delta)
		return r.add(c, &m)
	case message.isObject() && len(message) <= r.room+c.size:
		// Whole; servers that answer a request for a stream with it all at
		// once send it as an event, too.
		m := r.readMessage(message)
		r.room += c.size - len(message)
		*c = openAIChoice{role: m.role, finish: c.finish, parts: m.parts(), size: len(message)}
		return true
	case message.isObject():
		r.cut = true
	}
	return false
}

func (r *openAIReply) readMessage(v value) openAIMessage {
	q := quota{left: maxItems}
	m := readOpenAIMessage(v, &q)
	r.cut = r.cut || q.cut
	return m
}

// choice returns the choice of that index, which is made when it is new; nil
// when there are too many. The index is a key and nothing else: it can be any
// number.
func (r *openAIReply) choice(index int64) *openAIChoice {
	c := r.choices[index]
	if c == nil && len(r.choices) < maxItems {
		if r.choices == nil {
			r.choices = make(map[int64]*openAIChoice, 1)
		}
		c = &openAIChoice{}
		r.choices[index] = c
	}
	return c
}

func (r *openAIReply) answer() answer {
	a := answer{id: r.id, model: r.model, usage: r.usage, failure: r.failed, cut: r.cut}
	unfinished := false
	for _, index := range slices.Sorted(maps.Keys(r.choices)) {
		c := r.choices[index]
		a.choices = append(a.choices, c.message())
		if c.finish == "" {
			unfinished = true
		} else {
			a.finishReasons = append(a.finishReasons, c.finish)
		}
	}
	a.finished = r.done || len(a.choices) > 0 && !unfinished
	return a
}

// readUsage brings the accounting into the conventions' form. Reasoning counts
// as output; xAI and Gemini count it beside, which shows in the total.
func (r *openAIReply) readUsage(v value) {
	var u instrumentation.Usage
	var total int64
	for name, v := range v.members() {
		switch name {
		case "prompt_tokens":
			u.InputTokens = v.count()
		case "completion_tokens":
			u.OutputTokens = v.count()
		case "total_tokens":
			total = v.count()
		case "prompt_cache_hit_tokens": // DeepSeek
			u.CacheReadTokens = max(u.CacheReadTokens, v.count())
		case "prompt_tokens_details":
			for name, v := range v.members() {
				switch name {
				case "cached_tokens":
					u.CacheReadTokens = max(u.CacheReadTokens, v.count())
				case "cache_write_tokens": // OpenRouter
					u.CacheWriteTokens = v.count()
				}
			}
		case "completion_tokens_details":
			for name, v := range v.members() {
				if name == "reasoning_tokens" {
					u.ReasoningTokens = v.count()
				}
			}
		}
	}
	if u.ReasoningTokens > 0 && total-u.InputTokens-u.OutputTokens == u.ReasoningTokens {
		u.OutputTokens += u.ReasoningTokens
	}
	if u != (instrumentation.Usage{}) {
		r.usage = u
	}
}
