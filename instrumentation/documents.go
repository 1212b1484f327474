package instrumentation

import (
	"slices"
	"strings"
	"sync"
)

// The most that is kept of what retrievals found and tools returned, for an
// agent or workflow and for a trace.
const (
	maxDocuments     = 64
	maxDocumentBytes = 256 << 10
)

// shelf holds the documents of a scope or a trace: at most maxDocuments of at
// most maxDocumentBytes, the oldest out first. A text is held once. It has no
// lock; whoever holds it has.
type shelf struct {
	docs  []shelved
	bytes int
}

// shelved is a document and whether it was found below an agent or workflow.
type shelved struct {
	Document
	nested bool
}

// put adds a document at the newest end. A single one larger than the whole
// shelf is left out rather than cut: a part would make an answer look
// unsupported.
func (s *shelf) put(d Document, nested bool) {
	if blank(d) || weight(d) > maxDocumentBytes {
		return
	}
	same := func(o shelved) bool { return o.Text == d.Text }
	if i := slices.IndexFunc(s.docs, same); i >= 0 {
		nested = nested && s.docs[i].nested
		s.remove(i, i+1)
	}
	s.docs = append(s.docs, shelved{d, nested})
	s.bytes += weight(d)
	out := 0
	for bytes := s.bytes; len(s.docs)-out > maxDocuments || bytes > maxDocumentBytes; out++ {
		bytes -= weight(s.docs[out].Document)
	}
	s.remove(0, out)
}

func (s *shelf) remove(from, to int) {
	for _, d := range s.docs[from:to] {
		s.bytes -= weight(d.Document)
	}
	s.docs = slices.Delete(s.docs, from, to)
}

// list appends the documents, oldest first, to out.
func (s *shelf) list(out []Document, nestedToo bool) []Document {
	for _, d := range s.docs {
		if nestedToo || !d.nested {
			out = append(out, d.Document)
		}
	}
	return out
}

func weight(d Document) int { return len(d.ID) + len(d.Text) }

func blank(d Document) bool { return strings.TrimSpace(d.Text) == "" }

// scope holds what was found below one agent or workflow, at any depth. The
// invocations below it share it; it lives as long as they and their contexts.
type scope struct {
	outer *scope // of the next enclosing agent or workflow, nil for none

	mu    sync.Mutex
	found shelf // guarded by mu
}

// add shelves documents here and in every enclosing scope.
func (s *scope) add(docs []Document) {
	for ; s != nil; s = s.outer {
		s.mu.Lock()
		for _, d := range docs {
			s.found.put(d, true)
		}
		s.mu.Unlock()
	}
}

// visible lists what was found below the outermost scope and so on inwards:
// what is nearest comes last, and is last to go where there is too much.
func (s *scope) visible() []Document {
	var out []Document
	if s.outer != nil {
		out = s.outer.visible()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found.list(out, true)
}

// collect lists the documents that an answer can be checked against: those
// given on the context; what was found below the enclosing agents and
// workflows (by itself, for one of these), or without one in the trace; and the
// tool responses in its own input.
func (inv *Invocation) collect() []Document {
	var found []Document
	if inv.scope != nil {
		found = inv.scope.visible()
	} else {
		found = inv.handler.traces.documents(inv.spanContext.TraceID(), true)
	}
	return distinct(inv.given, atMost(found), atMost(toolResponses(inv.input)))
}

// shareDocuments hands what a retrieval found or a tool returned to the invocations
// around and after it.
func (inv *Invocation) shareDocuments() {
	var docs []Document
	switch inv.kind {
	case KindRetrieval:
		docs = inv.documents
	case KindTool:
		if len(inv.result) > 0 {
			docs = []Document{{ID: inv.callID, Text: jsonText(inv.result)}}
		}
	}
	if len(docs) == 0 {
		return
	}
	inv.scope.add(docs)
	inv.handler.traces.add(inv.spanContext.TraceID(), docs, inv.scope != nil)
}

// toolResponses lists the tool responses of a conversation as documents.
func toolResponses(input []Message) []Document {
	var out []Document
	for _, m := range input {
		for _, p := range m.Parts {
			if p.Type == PartToolResponse && len(p.Value) > 0 {
				out = append(out, Document{ID: p.ID, Text: jsonText(p.Value)})
			}
		}
	}
	return out
}

// atMost applies the bounds of a shelf: several scopes, or a long
// conversation, can hold more than one shelf's worth.
func atMost(docs []Document) []Document {
	bytes := 0
	for _, d := range docs {
		bytes += weight(d)
	}
	if len(docs) <= maxDocuments && bytes <= maxDocumentBytes {
		return docs
	}
	var s shelf
	for _, d := range docs {
		s.put(d, false)
	}
	return s.list(nil, true)
}

// distinct joins the groups, leaving out blank texts and those listed before.
func distinct(groups ...[]Document) []Document {
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	if total == 0 {
		return nil
	}
	seen := make(map[string]struct{}, total)
	out := make([]Document, 0, total)
	for _, g := range groups {
		for _, d := range g {
			if _, twice := seen[d.Text]; twice || blank(d) {
				continue
			}
			seen[d.Text] = struct{}{}
			out = append(out, d)
		}
	}
	return slices.Clip(out)
}
