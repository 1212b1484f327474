package layout

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// File is what a packed file holds.
type File struct {
	// Vocabulary has the pieces by id: text and log probability.
	Vocabulary []Piece
	Vectors    map[string][]float32
	Matrices   map[string]Quantised
}

// Piece is an entry of the vocabulary.
type Piece struct {
	Text  string // at most 255 bytes
	Score float32
}

// Zero is the byte of a weight of 0. Bytes without a sign are what Go reads
// fastest.
const Zero = 128

// Quantised is a matrix: the value at row r and column c is
// (Weights[r*cols+c] - Zero) × Scales[r]. No byte is 0: weights are symmetric.
type Quantised struct {
	Scales  []float32
	Weights []byte
}

// Read takes a file apart. Weights are parts of data, which must not be changed
// afterwards; everything else is copied.
func Read(data []byte) (File, error) {
	r := reader{rest: data}
	if string(r.take(len(magic))) != magic {
		return File{}, errors.New("read packed model: not a packed model of this version")
	}
	f := File{
		Vocabulary: make([]Piece, Pieces),
		Vectors:    make(map[string][]float32),
		Matrices:   make(map[string]Quantised),
	}
	for i := range f.Vocabulary {
		f.Vocabulary[i].Text = string(r.take(r.byte()))
		f.Vocabulary[i].Score = r.float()
	}
	for _, v := range Vectors() {
		f.Vectors[v.Name] = r.floats(v.Len)
	}
	for _, m := range Matrices() {
		f.Matrices[m.Name] = Quantised{Scales: r.floats(m.Rows), Weights: r.take(m.Rows * m.Cols)}
	}
	if r.short || len(r.rest) > 0 {
		return File{}, fmt.Errorf("read packed model: %d bytes are not what the format asks for", len(data))
	}
	return f, nil
}

// Append writes the file behind data.
func (f File) Append(data []byte) ([]byte, error) {
	data = append(data, magic...)
	if len(f.Vocabulary) != Pieces {
		return nil, fmt.Errorf("write packed model: %d pieces, want %d", len(f.Vocabulary), Pieces)
	}
	for _, p := range f.Vocabulary {
		if len(p.Text) > math.MaxUint8 {
			return nil, fmt.Errorf("write packed model: a piece of %d bytes", len(p.Text))
		}
		data = append(append(data, byte(len(p.Text))), p.Text...)
		data = appendFloats(data, p.Score)
	}
	for _, v := range Vectors() {
		values := f.Vectors[v.Name]
		if len(values) != v.Len {
			return nil, fmt.Errorf("write packed model: %s has %d values, want %d", v.Name, len(values), v.Len)
		}
		data = appendFloats(data, values...)
	}
	for _, m := range Matrices() {
		q := f.Matrices[m.Name]
		if len(q.Scales) != m.Rows || len(q.Weights) != m.Rows*m.Cols {
			return nil, fmt.Errorf("write packed model: %s has %d scales and %d weights, want %d and %d",
				m.Name, len(q.Scales), len(q.Weights), m.Rows, m.Rows*m.Cols)
		}
		data = append(appendFloats(data, q.Scales...), q.Weights...)
	}
	return data, nil
}

func appendFloats(data []byte, values ...float32) []byte {
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// reader takes from the front of rest; once that is too short, everything that
// is taken is zero.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.short, r.rest = true, nil
		return make([]byte, n)
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) byte() int { return int(r.take(1)[0]) }

func (r *reader) float() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.take(4)))
}

func (r *reader) floats(n int) []float32 {
	data := r.take(4 * n)
	values := make([]float32, n)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

// Separator stands in a piece for the space before a word.
const Separator = '\u2581'

// Reserved is how many ids, from 0, stand for no text; 0 is what is unknown.
const Reserved = 6

// Longest is the length of the longest piece in characters.
func (f File) Longest() int {
	longest := 0
	for _, p := range f.Vocabulary[Reserved:] {
		longest = max(longest, strings.Count(p.Text, "")-1)
	}
	return longest
}
