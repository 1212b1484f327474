// Package browsertest looks at the live page with a real browser: headless
// Chromium, over the DevTools protocol. It is a module of its own, so that the
// library does not require a browser's client.
//
// The tests need Chromium (Debian's package chromium; CHROMIUM names another
// program) and fail without it. The pictures of docs/images are taken by
//
//	go test -run TestPictures -pictures ../../../docs/images .
package browsertest
