package dashboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
)

// cells are the model in pieces that change one by one: name to JSON.
type cells map[string]json.RawMessage

// quickCells and slowCells take the model apart: what changes four times a second,
// and what does once.
func quickCells(m *model) cells {
	c := make(cells, len(m.Lanes)+4)
	names := make([]string, len(m.Lanes))
	for i, l := range m.Lanes {
		names[i] = l.Key
		c.put("lane/"+l.Key, l)
	}
	c.put("lanes", names)
	c.put("flow", m.Flow)
	c.put("run", m.Run)
	return c
}

func slowCells(m *model) cells {
	c := make(cells, len(m.Metrics)+4)
	names := make([]string, len(m.Metrics))
	for i, mm := range m.Metrics {
		names[i] = mm.Key
		c.put("metric/"+mm.Key, mm)
	}
	c.put("metrics", names)
	c.put("head", m.Head)
	c.put("attention", m.Attention)
	c.put("reasons", m.Reasons)
	return c
}

// put leaves out what JSON cannot say: a number that is not finite, which no
// source should have.
func (c cells) put(name string, value any) {
	if text, err := json.Marshal(value); err == nil {
		c[name] = text
	}
}

// frame is one update, for all streams alike.
type frame struct {
	seq    uint64
	second bool   // results are due, too
	data   []byte // of the event
}

// body is what an event carries: the cells that changed, null for those that are
// gone, and points of the lines.
type body struct {
	Cells  cells   `json:"cells"`
	Points []point `json:"points,omitempty"`
}

func encode(b body) []byte {
	data, err := json.Marshal(b)
	if err != nil {
		return []byte("{}")
	}
	return data
}

// change brings the current cells up to date, and returns what is new.
func (c cells) change(fresh cells, partial bool) (changed cells) {
	changed = make(cells)
	for name, text := range fresh {
		if !bytes.Equal(c[name], text) {
			changed[name] = text
		}
	}
	if !partial { // what is not there any more
		for name := range c {
			if _, there := fresh[name]; !there {
				changed[name] = json.RawMessage("null")
			}
		}
	}
	for name, text := range changed {
		if string(text) == "null" && fresh[name] == nil {
			delete(c, name)
		} else {
			c[name] = text
		}
	}
	return changed
}

// merged are two sets of cells in one.
func merged(a, b cells) cells {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// event writes a server-sent event. Neither JSON nor ids have line breaks.
func event(b *bytes.Buffer, name, id string, data []byte) {
	if id != "" {
		fmt.Fprintf(b, "id: %s\n", id)
	}
	fmt.Fprintf(b, "event: %s\ndata: ", name)
	b.Write(data)
	b.WriteString("\n\n")
}

// position is where a stream is: the server's life, the frame, and the result.
type position struct {
	epoch        string
	seq, results uint64
}

func (p position) String() string {
	return p.epoch + "-" + strconv.FormatUint(p.seq, 10) + "-" + strconv.FormatUint(p.results, 10)
}

// readPosition reads what [position.String] wrote; anything else is no position.
func readPosition(s string) (p position, ok bool) {
	parts := bytes.Split([]byte(s), []byte("-"))
	if len(parts) != 3 {
		return p, false
	}
	seq, err1 := strconv.ParseUint(string(parts[1]), 10, 64)
	results, err2 := strconv.ParseUint(string(parts[2]), 10, 64)
	return position{string(parts[0]), seq, results}, err1 == nil && err2 == nil
}
