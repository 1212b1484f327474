package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/genaievals/genaievals/instrumentation"
	"github.com/genaievals/genaievals/internal/rows"
	"github.com/genaievals/genaievals/runner"
)

// errEnough: the caller wants no more items.
var errEnough = errors.New("enough")

// spanReader yields the spans of a file in OTLP/JSON as items. It decodes one span
// at a time, however many a request has.
type spanReader struct {
	source  *source
	yield   func(runner.Item, error) bool
	handler *instrumentation.Handler
	text    *segment
	decoder *json.Decoder
	// line of the request, 0 where it is over several; number of the span in it.
	line, number int
}

// spans yields the items of all requests.
func (s *source) spans(yield func(runner.Item, error) bool) {
	r := &spanReader{source: s, yield: yield, handler: newHandler()}
	r.text = &segment{in: s.in, whole: pretty(s.in)}
	for {
		if !r.text.whole {
			r.line++
		}
		r.text.done, r.text.used = false, 0
		err := r.requests()
		switch {
		case errors.Is(err, errEnough):
			return
		case r.text.err != nil:
			yield(runner.Item{}, fmt.Errorf("read %s: %w", s.name, r.text.err))
			return
		case err != nil:
			err = s.itemError(max(r.line, 1), false, "", fmt.Errorf("expected an OTLP request with resourceSpans: %w", unexpected(err)))
			if !s.bad(yield, err) {
				return
			}
		}
		switch err := r.text.rest(); {
		case errors.Is(err, io.EOF) || r.text.whole:
			return
		case err != nil:
			yield(runner.Item{}, fmt.Errorf("read %s: %w", s.name, err))
			return
		}
	}
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("found %s where it is something else", found(wrong.Value))
	}
	return err
}

// requests reads those of a line, or of a file that has them over several lines.
func (r *spanReader) requests() error {
	r.number = 0
	r.decoder = json.NewDecoder(r.text)
	for {
		r.text.used = 0
		token, err := r.decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case token != json.Delim('{'):
			return errors.New("found no object")
		}
		err = r.members(map[string]func() error{"resourceSpans": r.resources, "resource_spans": r.resources})
		if err != nil {
			return err
		}
	}
}

// members reads an object whose first delimiter was read.
func (r *spanReader) members(known map[string]func() error) error {
	for r.decoder.More() {
		name, err := r.decoder.Token()
		if err != nil {
			return err
		}
		key, _ := name.(string)
		if read, ok := known[key]; ok {
			err = read()
		} else {
			err = r.skip()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return err
}

// enter reads the delimiter that a list or an object begins with; null is one that
// is not there.
func (r *spanReader) enter(delimiter json.Delim, what string) (there bool, err error) {
	token, err := r.decoder.Token()
	if err == nil && token != nil && token != delimiter {
		err = errors.New("found no " + what)
	}
	return token != nil, err
}

// elements reads an array.
func (r *spanReader) elements(read func() error) error {
	if there, err := r.enter('[', "list"); !there || err != nil {
		return err
	}
	for r.decoder.More() {
		r.text.used = 0
		if err := read(); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return err
}

func (r *spanReader) object(known map[string]func() error) error {
	if there, err := r.enter('{', "object"); !there || err != nil {
		return err
	}
	return r.members(known)
}

// skip passes over a value piece by piece, whatever its size.
func (r *spanReader) skip() error {
	for depth := 0; ; {
		r.text.used = 0
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

func (r *spanReader) resources() error {
	return r.elements(func() error {
		service := ""
		return r.object(map[string]func() error{
			"resource": func() error {
				var resource struct {
					Attributes attributes `json:"attributes"`
				}
				err := r.decoder.Decode(&resource)
				service = resource.Attributes.text("service.name")
				return err
			},
			"scopeSpans":                  func() error { return r.scopes(&service) },
			"scope_spans":                 func() error { return r.scopes(&service) },
			"instrumentationLibrarySpans": func() error { return r.scopes(&service) },
		})
	})
}

func (r *spanReader) scopes(service *string) error {
	return r.elements(func() error {
		return r.object(map[string]func() error{
			"spans": func() error { return r.elements(func() error { return r.span(*service) }) },
		})
	})
}

func (r *spanReader) span(service string) error {
	r.number++
	var text json.RawMessage
	if err := r.decoder.Decode(&text); err != nil {
		return err
	}
	var s span
	err := json.Unmarshal(text, &s)
	if err != nil {
		err = unexpected(err)
	}
	var item runner.Item
	if err == nil {
		var ok bool
		if item, ok, err = s.item(r.handler, service, r.source.options.OutputOptional); !ok && err == nil {
			r.source.counts.passedOver.Add(1)
			return nil
		}
	}
	if err != nil {
		err = fmt.Errorf("span %d: %w", r.number, err)
		if !r.source.bad(r.yield, r.source.itemError(max(r.line, 1), false, s.id(), err)) {
			return errEnough
		}
		return nil
	}
	item.Line = r.line
	r.source.counts.items.Add(1)
	if !r.yield(item, nil) {
		return errEnough
	}
	return nil
}

// pretty reports whether a file is one request over several lines: its first line
// is not all of an object.
func pretty(in *bufio.Reader) bool {
	line := bytes.TrimSpace(firstLine(in))
	return len(line) < in.Size()/2 && !json.Valid(line)
}

// segment is a line, or with whole all the rest, as a reader of its own: JSON has no
// line breaks within its texts. It lets through as much as a row may have since used
// was last set to 0.
type segment struct {
	in    *bufio.Reader
	whole bool
	done  bool // the line break was read
	used  int
	err   error // of the file
}

func (s *segment) Read(p []byte) (int, error) {
	switch {
	case s.done:
		return 0, io.EOF
	case s.used > rows.Max+rows.ReadAhead:
		return 0, rows.ErrTooLong
	}
	if _, err := s.in.Peek(1); err != nil {
		s.done = true
		if !errors.Is(err, io.EOF) {
			s.err = err
		}
		return 0, err
	}
	ahead, _ := s.in.Peek(min(s.in.Buffered(), len(p)))
	if i := bytes.IndexByte(ahead, '\n'); i >= 0 && !s.whole {
		ahead, s.done = ahead[:i+1], true
	}
	n := copy(p, ahead)
	s.used += n
	_, err := s.in.Discard(n)
	return n, err
}

// rest reads past what is left of a line; the error is io.EOF at the end of the
// file.
func (s *segment) rest() error {
	for !s.done {
		_, err := s.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return err
		}
		s.done = true
	}
	_, err := s.in.Peek(1)
	return err
}
