package layout

import "testing"

func TestEveryTensorHasItsName(t *testing.T) {
	seen := make(map[string]bool)
	weights := 0
	for _, m := range Matrices() {
		if seen[m.Name] {
			t.Errorf("two tensors are named %s", m.Name)
		}
		seen[m.Name] = true
		weights += m.Rows * m.Cols
	}
	for _, v := range Vectors() {
		if seen[v.Name] {
			t.Errorf("two tensors are named %s", v.Name)
		}
		seen[v.Name] = true
	}
	if want := 8002*256 + 256*512 + 512*512 + // embedding, residual, result
		256*768 + 256*512 + 512*1536*2 + // first layer
		512*1536 + 512*512 + 512*1536*2; weights != want { // second layer
		t.Errorf("%d weights, want %d", weights, want)
	}
	for _, m := range Matrices() {
		if m.Name != "embedding" && !seen[m.Name+".bias"] {
			t.Errorf("%s has no bias", m.Name)
		}
	}
}

func TestIncompleteFilesAreNotWritten(t *testing.T) {
	full := func() File {
		f := File{Vocabulary: make([]Piece, Pieces), Vectors: map[string][]float32{}, Matrices: map[string]Quantised{}}
		for _, v := range Vectors() {
			f.Vectors[v.Name] = make([]float32, v.Len)
		}
		for _, m := range Matrices() {
			f.Matrices[m.Name] = Quantised{Scales: make([]float32, m.Rows), Weights: make([]byte, m.Rows*m.Cols)}
		}
		return f
	}
	if _, err := full().Append(nil); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(*File){
		"a piece less":     func(f *File) { f.Vocabulary = f.Vocabulary[1:] },
		"a piece too long": func(f *File) { f.Vocabulary[9].Text = string(make([]byte, 256)) },
		"a vector less":    func(f *File) { delete(f.Vectors, "timing") },
		"a matrix less":    func(f *File) { delete(f.Matrices, "embedding") },
		"a scale too many": func(f *File) {
			f.Matrices["result"] = Quantised{Scales: make([]float32, Wide+1), Weights: make([]byte, Wide*Wide)}
		},
		"a value too many": func(f *File) { f.Vectors["timing"] = make([]float32, 1000) },
		"a weight too few": func(f *File) {
			f.Matrices["result"] = Quantised{Scales: make([]float32, Wide), Weights: make([]byte, 1)}
		},
	} {
		f := full()
		damage(&f)
		if _, err := f.Append(nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLongestCountsCharacters(t *testing.T) {
	f := File{Vocabulary: make([]Piece, Reserved, Reserved+2)}
	f.Vocabulary[0].Text = "reserved pieces do not count"
	f.Vocabulary = append(f.Vocabulary, Piece{Text: "▁été"}, Piece{Text: "abc"})
	if got := f.Longest(); got != 4 {
		t.Errorf("longest %d, want 4", got)
	}
}
