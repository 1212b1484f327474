package browsertest

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "folder for pictures of the page")

// TestPictures takes the pictures of docs/images, of the scene after two minutes.
// Without -pictures it looks at both themes and takes none.
func TestPictures(t *testing.T) {
	load := 2 * time.Second
	if *pictures != "" {
		load = 130 * time.Second
	}
	s := newScene()
	s.before = 90_000
	_, url := serve(t, s, "127.0.0.1:0", nil)
	wide, phone := newBrowser(t, 1440, 900), newBrowser(t, 380, 800)
	wide.open(url)
	phone.open(url)
	played := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(played)
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				s.play(6)
			}
		}
	}()
	defer func() { close(stop); <-played }()
	time.Sleep(load)
	backgrounds := make(map[string]string)
	for _, theme := range []string{"light", "dark"} {
		for name, b := range map[string]*browser{"page": wide, "phone": phone} {
			b.do(chromedp.SetValue("#theme", theme), chromedp.Evaluate[chromedp.Void](`document.querySelector("#theme").dispatchEvent(new Event("change"))`))
			time.Sleep(300 * time.Millisecond) // bars come to rest
			shot := run(b, chromedp.FullScreenshot(100))
			picture, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			backgrounds[theme] = eval[string](b, "getComputedStyle(document.body).backgroundColor")
			if *pictures == "" {
				continue
			}
			file := filepath.Join(*pictures, name+"-"+theme+".png")
			if part, ok := picture.(interface {
				SubImage(image.Rectangle) image.Image
			}); ok && name == "page" { // what a README has room for
				end := eval[int](b, `Math.floor(document.querySelector("#reasons").getBoundingClientRect().top + scrollY - 12)`)
				picture = part.SubImage(image.Rect(0, 0, picture.Bounds().Dx(), end))
			}
			write(t, file, picture)
		}
	}
	if backgrounds["light"] == backgrounds["dark"] {
		t.Errorf("both themes are %s", backgrounds["light"])
	}
}

// write keeps a picture as small as it can be without loss.
func write(t *testing.T, file string, picture image.Image) {
	t.Helper()
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %d kB", file, out.Len()/1000)
}
