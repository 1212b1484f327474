// Package affinity measures how well builtin tells an answer to a question from
// the answer to another one, and fits the numbers it does it with.
//
// It takes the file of general prompts of HaluEval
// (github.com/RUCAIBox/HaluEval, data/general_data.json, MIT): prompts of people
// and what ChatGPT answered. No row of it is in this repository.
package affinity

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Half is how many rows each of the two halves has at most: one to fit on, one
// to measure on.
const Half = 800

// Row is a question and its own answer.
type Row struct {
	Question string `json:"user_query"`
	Answer   string `json:"chatgpt_response"`
	hash     uint64
}

// Held reports whether the row is held out: of the half that nothing is fitted
// on. That hangs on the question alone, so that it is the same in any part of
// the set.
func (r Row) Held() bool { return r.hash&1 == 1 }

// Rows reads the rows in relevance/halueval_general*.jsonl or, as the set calls
// it, general_data.json, below dir, and draws both halves by a hash of the
// question. The error is fs.ErrNotExist where the file is not there.
func Rows(dir string) ([]Row, error) {
	var files []string
	for _, pattern := range []string{"halueval_general*.jsonl", "general_data.json"} {
		found, err := filepath.Glob(filepath.Join(dir, "relevance", pattern))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(dir, "relevance", "halueval_general*.jsonl"), Err: fs.ErrNotExist}
	}
	f, err := os.Open(files[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []Row
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
		var r Row
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Name(), err)
		}
		h := fnv.New64a()
		h.Write([]byte(r.Question))
		r.hash = mix(h.Sum64())
		rows = append(rows, r)
	}
	return draw(rows), nil
}

// draw takes Half rows of each half, those with the lowest hashes, and each
// question once.
func draw(rows []Row) []Row {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.hash, b.hash) })
	rows = slices.CompactFunc(rows, func(a, b Row) bool { return a.Question == b.Question })
	taken := map[bool]int{}
	return slices.DeleteFunc(rows, func(r Row) bool {
		taken[r.Held()]++
		return taken[r.Held()] > Half
	})
}

// mix spreads a hash over its bits (the finaliser of SplitMix64), since the last
// bit of FNV says little more than how many odd bytes there were.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
