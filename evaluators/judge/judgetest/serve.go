package judgetest

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// maxRequest bounds what is read of a request.
const maxRequest = 16 << 20

// ServeHTTP answers one request, so that a Server can be mounted elsewhere
// too. Its format is by the end of its path: /chat/completions or /messages.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := s.script.begin()
	defer c.end()
	in := wireOf(r.URL.Path)
	if in == nil || r.Method != http.MethodPost {
		in = openAI{}
	}
	if in.api() == Anthropic {
		w.Header().Set("Request-Id", requestID)
	}
	if p := s.admit(w, r, c, in); p != nil {
		s.play(w, r, p)
	}
}

// playing is what is left of a request while its answer is delayed.
type playing struct {
	wire    wire
	request Request
	answer  Answer
}

// admit reads a request, keeps a copy, and answers it when it is to be refused.
// What it read is not held on to: thousands of requests can wait for their
// answers at once.
//
//go:noinline
func (s *Server) admit(w http.ResponseWriter, r *http.Request, c *call, in wire) *playing {
	if s.script.overridden() {
		to := asking{wire: in}
		if d := c.decide(to); d.refused && !d.limited {
			a, played := d.turn.resolve(to)
			return &playing{in, s.keep(Request{Arrived: c.arrived, Header: r.Header, API: in.api(), Refused: true, Played: played}), a}
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		in.refuse(w, in.sayStatus(http.StatusRequestEntityTooLarge, ""))
		return nil
	}
	asked, parsed := in.read(body)
	posed := s.questions.of(asked.name, given(asked.schema), asked.instructions())
	req := Request{
		Arrived: c.arrived, Header: r.Header, Body: body, API: in.api(),
		Model: asked.model, System: asked.system, User: asked.user,
		Format: asked.format, MaxOutputTokens: asked.budget,
		Question: posed.question, Played: Played{Kind: "refused"},
	}
	if asked.format == judge.FormatTool {
		req.tool = strings.Clone(asked.name)
	}
	refused := s.check(r, in, body, &asked, parsed, posed.problem)
	var a Answer
	if refused.zero() {
		to := asking{req.Question, req.Format, req.MaxOutputTokens, in}
		d := c.decide(to)
		maps.Copy(w.Header(), d.header)
		if req.Refused = d.refused; d.limited {
			refused = in.sayStatus(http.StatusTooManyRequests, "Scripted limit.")
		} else {
			a, req.Played = d.turn.resolve(to)
			a.delay = d.delay
		}
	}
	kept := s.keep(req)
	if !refused.zero() {
		in.refuse(w, refused)
		return nil
	}
	return &playing{in, kept, a}
}

// check says why a request is turned down, if it is.
func (s *Server) check(r *http.Request, in wire, body []byte, a *asked, parsed bool, problem *schemaProblem) refusal {
	switch {
	case r.Method != http.MethodPost || wireOf(r.URL.Path) == nil:
		return in.sayStatus(http.StatusNotFound, "Scripted server: no such path.")
	case !in.authorized(r.Header, s.key), !s.lenient && in.misplacedKey(r.Header):
		return in.sayStatus(http.StatusUnauthorized, "The API key is missing, wrong, or in another header than that of this format.")
	case !parsed && (s.lenient || !json.Valid(body)):
		return in.sayStatus(http.StatusBadRequest, "The body is not a JSON request with a model and messages.")
	}
	if param := s.refusedParam(body); param != "" {
		return s.script.word(in.sayUnsupported(param), param)
	}
	if !s.script.knows(a.format) {
		return s.script.word(in.sayFormat(a.format))
	}
	if !s.lenient {
		if refused := checkRequest(r.Header, in, body, a, problem); !refused.zero() {
			return refused
		}
		if !parsed { // in a way that the description has no words for
			return in.sayStatus(http.StatusBadRequest, "The body is not a request of this format.")
		}
	}
	if tokens, ok := s.script.tooLong(a.prompt); ok {
		return in.sayTooLong(tokens, s.script.context)
	}
	return refusal{}
}

// checkRequest holds a request to its format.
func checkRequest(h http.Header, in wire, body []byte, a *asked, problem *schemaProblem) refusal {
	if m := in.shape().check(body); m != nil {
		return in.sayMisfit(m)
	}
	for _, rule := range in.rules() {
		if rule.broken(a, h) {
			return rule.refusal(a)
		}
	}
	if problem == nil || !a.strict {
		return refusal{}
	}
	return in.saySchema(problem, a)
}

// keep records a request and returns what answering it needs.
func (s *Server) keep(r Request) Request {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if len(s.record) < s.script.recordLimit {
		s.record = append(s.record, r)
	}
	return Request{Arrived: r.Arrived, Model: strings.Clone(r.Model), Format: r.Format, tool: r.tool}
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
func (s *Server) play(w http.ResponseWriter, r *http.Request, p *playing) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.closing, cancel)()
	if sleep(ctx, p.answer.delay) != nil {
		abort()
	}
	if p.answer.kind == kindHang || p.answer.kind == kindFail && p.answer.fail == evaluators.ErrorJudgeTimeout {
		<-ctx.Done()
		abort()
	}
	p.write(w)
}

//go:noinline
func (p *playing) write(w http.ResponseWriter) {
	switch a := &p.answer; a.kind {
	case kindClose:
		abort()
	case kindHTTP:
		writeRaw(w, a.status, a.header, a.body)
	case kindFail:
		p.writeFailure(w)
	default:
		p.wire.complete(w, p.answer, p.request)
	}
}

// abort closes the connection without a reply.
func abort() { panic(http.ErrAbortHandler) }

// writeFailure says a failure as the format does.
func (p *playing) writeFailure(w http.ResponseWriter) {
	say := func(a Answer) { p.wire.complete(w, a, p.request) }
	switch errorType := p.answer.fail; errorType {
	case evaluators.ErrorJudgeRefused:
		say(Refuse("I cannot help with that."))
	case evaluators.ErrorJudgeEmptyOutput:
		say(Text(""))
	case evaluators.ErrorJudgeTruncated:
		say(Text(`{"reason": "It`).Finish(judge.FinishLength))
	case evaluators.ErrorJudgeMalformedOutput:
		say(Text("I would rather talk about something else."))
	default:
		switch errorType {
		case evaluators.ErrorJudgeRateLimited:
			(HeaderRetryAfter | HeaderRetryAfterMs).refusal(time.Second, w.Header())
		case evaluators.ErrorJudgeOverloaded:
			w.Header().Set("Retry-After", "1")
		}
		p.wire.refuse(w, p.wire.sayFailure(errorType))
	}
}
