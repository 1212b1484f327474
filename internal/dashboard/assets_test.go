package dashboard

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// The vendored files are those of the package, byte for byte.
func TestUPlotIsTheOneThatItsReadmeNames(t *testing.T) {
	readme, err := files.ReadFile("assets/uplot/README.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := regexp.MustCompile(`^([0-9a-f]{64})  (\S+)$`)
	named := 0
	for lines := bufio.NewScanner(bytes.NewReader(readme)); lines.Scan(); {
		m := sum.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		named++
		text, err := files.ReadFile("assets/uplot/" + m[2])
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != m[1] {
			t.Errorf("%s has another checksum: %x", m[2], got)
		}
	}
	if named != 3 {
		t.Errorf("%d files are named, want 3", named)
	}
}

// What a browser has to fetch stays small, and comes from here alone: no address
// of another host, and nothing that the policy would refuse.
func TestThePageIsSmallAndItsOwn(t *testing.T) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	size := 0
	for name, a := range assets() {
		size += len(a.text)
		_, _ = zip.Write(a.text)
		if strings.Contains(name, "/uplot/") || strings.HasSuffix(name, ".svg") {
			continue
		}
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "@import", "url(", " style=\"", "onclick=", "javascript:"} {
			if bytes.Contains(a.text, []byte(bad)) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
	_ = zip.Close()
	t.Logf("%d bytes in all, %d compressed", size, packed.Len())
	if size > 140<<10 {
		t.Errorf("the page has %d bytes, want at most 140 KiB", size)
	}
	page, err := fs.ReadFile(files, "assets/page.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllSubmatch(page, -1) {
		at := string(m[1])
		if _, ok := assets()[at]; !ok && !strings.HasPrefix(at, "#") && !strings.HasSuffix(at, ".json") && at != "https://github.com/leeoniya/uPlot" {
			t.Errorf("the page needs %s, which is not there", at)
		}
	}
}

func TestABrowserKeepsFilesThatHaveNotChanged(t *testing.T) {
	h := newPage(t, nil).Handler()
	r := httptest.NewRequest("GET", "/assets/page.js", nil)
	r.Host = "localhost"
	first := httptest.NewRecorder()
	h.ServeHTTP(first, r)
	tag := first.Header().Get("ETag")
	r.Header.Set("If-None-Match", tag)
	again := httptest.NewRecorder()
	h.ServeHTTP(again, r)
	if tag == "" || first.Code != http.StatusOK || again.Code != http.StatusNotModified {
		t.Errorf("ETag %q, %d, then %d", tag, first.Code, again.Code)
	}
}
