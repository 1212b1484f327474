package judgetest

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// maxRequest bounds what is read of a request.
const maxRequest = 16 << 20

// ServeHTTP answers one request, so that a Server can be mounted elsewhere
// too.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := s.script.begin()
	defer c.end()
	req, v, ok := s.admit(w, r, c)
	if !ok {
		return
	}
	maps.Copy(w.Header(), v.header)
	s.play(w, r, req, v)
}

// admit reads a request, keeps a copy, and answers it when it is to be refused.
// What it read is not held on to: thousands of requests can wait for their
// answers at once.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, c *call) (Request, verdict, bool) {
	if s.script.overridden() {
		if v := c.decide(""); v.refused && !v.limited {
			return s.keep(Request{Arrived: c.arrived, Header: r.Header, Refused: true}), v, true
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		writeError(w, http.StatusRequestEntityTooLarge, "invalid_request_error", "request_too_large", "")
		return Request{}, verdict{}, false
	}
	chat, parsed := parseChat(body)
	req := Request{
		Arrived: c.arrived, Header: r.Header, Body: body,
		Model: chat.Model, System: chat.text("system"), User: chat.text("user"),
		ResponseFormat: chat.ResponseFormat.Type,
	}
	req.Question = s.questions.of(chat.ResponseFormat.JSONSchema.Name, chat.ResponseFormat.JSONSchema.Schema, req.System)
	var refuse func()
	var v verdict
	switch {
	case r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions"):
		refuse = func() { writeError(w, http.StatusNotFound, "invalid_request_error", "unknown_url", "") }
	case s.key != "" && !authorized(r.Header, s.key):
		refuse = func() { writeError(w, http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", "") }
	case !parsed:
		refuse = func() { writeError(w, http.StatusBadRequest, "invalid_request_error", "invalid_json", "") }
	case s.refusedParam(body) != "":
		refuse = func() {
			writeError(w, http.StatusBadRequest, "invalid_request_error", "unsupported_parameter", s.refusedParam(body))
		}
	default:
		v = c.decide(req.Question.Metric)
		req.Refused = v.refused
		if v.limited {
			refuse = func() { writeRateLimited(w, v.header) }
		}
	}
	kept := s.keep(req)
	if refuse != nil {
		refuse()
		return kept, v, false
	}
	return kept, v, true
}

// keep records a request and returns what answering it needs.
func (s *Server) keep(r Request) Request {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if len(s.record) < s.script.recordLimit {
		s.record = append(s.record, r)
	}
	return Request{Arrived: r.Arrived, Model: strings.Clone(r.Model), Question: r.Question}
}

func authorized(h http.Header, key string) bool {
	return h.Get("Authorization") == "Bearer "+key || h.Get("Api-Key") == key
}

// refusedParam returns the first unsupported parameter that a body has.
func (s *Server) refusedParam(body []byte) string {
	if len(s.unsupported) == 0 {
		return ""
	}
	var params map[string]json.RawMessage
	_ = json.Unmarshal(body, &params)
	for _, p := range s.unsupported {
		if _, ok := params[p]; ok {
			return p
		}
	}
	return ""
}

// play gives the answer.
func (s *Server) play(w http.ResponseWriter, r *http.Request, req Request, v verdict) {
	a := v.answer
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	if sleep(ctx, v.delay) != nil {
		abort()
	}
	switch a.kind {
	case kindHang:
		<-ctx.Done()
		abort()
	case kindClose:
		abort()
	case kindHTTP:
		writeRaw(w, a.status, a.header, a.body)
	case kindFail:
		if a.fail == evaluators.ErrorJudgeTimeout {
			<-ctx.Done()
			abort()
		}
		s.writeFailure(w, a, req)
	default:
		writeCompletion(w, a, req)
	}
}

// abort closes the connection without a reply.
func abort() { panic(http.ErrAbortHandler) }

// writeFailure says a failure as OpenAI would.
func (s *Server) writeFailure(w http.ResponseWriter, a Answer, req Request) {
	const invalid = "invalid_request_error"
	switch a.fail {
	case evaluators.ErrorJudgeRateLimited:
		header := http.Header{}
		(HeaderRetryAfter | HeaderRetryAfterMs).refusal(time.Second, header)
		writeRateLimited(w, header)
	case evaluators.ErrorJudgeOverloaded:
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusServiceUnavailable, "server_error", "server_overloaded", "")
	case evaluators.ErrorJudgeAuth:
		writeError(w, http.StatusUnauthorized, invalid, "invalid_api_key", "")
	case evaluators.ErrorJudgeQuota:
		writeError(w, http.StatusTooManyRequests, "insufficient_quota", "insufficient_quota", "")
	case evaluators.ErrorJudgeModelNotFound:
		writeError(w, http.StatusNotFound, invalid, "model_not_found", "")
	case evaluators.ErrorJudgeBadRequest:
		writeError(w, http.StatusBadRequest, invalid, "", "")
	case evaluators.ErrorJudgeInputTooLong:
		writeError(w, http.StatusBadRequest, invalid, "context_length_exceeded", "messages")
	case evaluators.ErrorJudgeContentFiltered:
		writeError(w, http.StatusBadRequest, "", "content_filter", "prompt")
	case evaluators.ErrorJudgeRefused:
		writeCompletion(w, Refuse("I cannot help with that."), req)
	case evaluators.ErrorJudgeEmptyOutput:
		writeCompletion(w, Text(""), req)
	case evaluators.ErrorJudgeTruncated:
		writeCompletion(w, Text(`{"reason": "It`).Finish(judge.FinishLength), req)
	case evaluators.ErrorJudgeMalformedOutput:
		writeCompletion(w, Text("I would rather talk about something else."), req)
	default:
		writeError(w, http.StatusBadGateway, "server_error", "", "")
	}
}

func writeRateLimited(w http.ResponseWriter, header http.Header) {
	maps.Copy(w.Header(), header)
	writeError(w, http.StatusTooManyRequests, "requests", "rate_limit_exceeded", "")
}

func writeError(w http.ResponseWriter, status int, errorType, code, param string) {
	type apiError struct {
		Message string  `json:"message"`
		Type    string  `json:"type"`
		Param   *string `json:"param"`
		Code    *string `json:"code"`
	}
	orNull := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	e := apiError{Message: "Scripted failure.", Type: errorType, Param: orNull(param), Code: orNull(code)}
	if code == "unsupported_parameter" {
		e.Message = "Unsupported parameter: '" + param + "' is not supported with this model."
	}
	writeRaw(w, status, nil, encode(map[string]any{"error": e}))
}

func writeRaw(w http.ResponseWriter, status int, header http.Header, body string) {
	h := w.Header()
	for name, values := range header {
		h[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	if _, ok := h["Content-Type"]; !ok {
		h.Set("Content-Type", "application/json")
	}
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
