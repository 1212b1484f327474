package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed assets
var files embed.FS

type asset struct {
	text []byte
	tag  string
	typ  string
}

// types of the files that are served; others are not.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// assets are the page's files by path, read once.
var assets = sync.OnceValue(func() map[string]asset {
	out := make(map[string]asset)
	_ = fs.WalkDir(files, "assets", func(name string, d fs.DirEntry, err error) error {
		typ := types[path.Ext(name)]
		if err != nil || d.IsDir() || typ == "" {
			return err
		}
		text, err := files.ReadFile(name)
		sum := sha256.Sum256(text)
		out["/"+name] = asset{text, `"` + hex.EncodeToString(sum[:8]) + `"`, typ}
		return err
	})
	return out
})

// serveAsset serves a file of the page. Browsers keep it and ask whether it has
// changed.
func serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	a, ok := assets()[name]
	if !ok || strings.HasSuffix(name, ".html") && r.URL.Path != "/" {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.typ)
	if r.URL.Path != "/" {
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", a.tag)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(a.text))
}
