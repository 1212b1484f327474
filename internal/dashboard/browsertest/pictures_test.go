package browsertest

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "folder for pictures of the page")

// TestPictures takes the pictures of docs/images, of the scene after half a minute.
// Without -pictures it looks at both themes and takes none.
func TestPictures(t *testing.T) {
	load := 2 * time.Second
	if *pictures != "" {
		load = 20 * time.Second
	}
	s := newScene()
	_, url := serve(t, s, "127.0.0.1:0", nil)
	wide, phone := newBrowser(t, 1440, 900), newBrowser(t, 380, 800)
	s.play(60000)
	wide.open(url)
	phone.open(url)
	for end := time.Now().Add(load); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		s.play(6)
	}
	backgrounds := make(map[string]string)
	for _, theme := range []string{"light", "dark"} {
		for name, b := range map[string]*browser{"page": wide, "phone": phone} {
			b.do(chromedp.SetValue("#theme", theme), chromedp.Evaluate[chromedp.Void](`document.querySelector("#theme").dispatchEvent(new Event("change"))`))
			time.Sleep(300 * time.Millisecond) // bars come to rest
			shot := run(b, chromedp.FullScreenshot(100))
			if _, err := png.Decode(bytes.NewReader(shot)); err != nil {
				t.Fatal(err)
			}
			backgrounds[theme] = eval[string](b, "getComputedStyle(document.body).backgroundColor")
			if *pictures == "" {
				continue
			}
			file := filepath.Join(*pictures, name+"-"+theme+".png")
			if err := os.WriteFile(file, shot, 0o644); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d kB", file, len(shot)/1000)
		}
	}
	if backgrounds["light"] == backgrounds["dark"] {
		t.Errorf("both themes are %s", backgrounds["light"])
	}
}
