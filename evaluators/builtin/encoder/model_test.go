package encoder

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

func TestEmbeddedFileIsWhatThePackerMakes(t *testing.T) {
	sum := sha256.Sum256(packed)
	if got := hex.EncodeToString(sum[:]); got != layout.SHA256 {
		t.Errorf("SHA-256 %s, want %s", got, layout.SHA256)
	}
}

func TestDamagedModelsAreRefused(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty":             nil,
		"another version":   append([]byte("use-lite-int8 2\n"), packed[16:]...),
		"too short":         packed[:len(packed)-1],
		"only the name":     packed[:16],
		"too long":          append(bytes.Clone(packed), 0),
		"a Git LFS pointer": []byte("version https://git-lfs.github.com/spec/v1\n"),
	} {
		if m, err := newModel(data); err == nil || m != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPackedFileReadsBackAsItIs(t *testing.T) {
	f, err := layout.Read(packed)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(packed, again) {
		t.Error("reading and writing does not give the same file")
	}
	for _, m := range layout.Matrices() {
		if bytes.IndexByte(f.Matrices[m.Name].Weights, 0) >= 0 {
			t.Errorf("%s has a weight beyond -127", m.Name)
		}
	}
}
