package wire

import (
	"net"
	"net/http"
	"time"
)

// DefaultMaxConnections is how many idle connections are kept by default.
const DefaultMaxConnections = 64

// connectionBuffer is the size of the two buffers that each connection has.
// Bodies are read and written past them; with the default of 4 KiB they are
// most of what a waiting call holds.
const connectionBuffer = 512

// newTransport is used as it is, without an http.Client: redirects, cookies and
// what else that adds are not wanted, and cost memory for as long as a judge
// thinks. Proxies and roots come from the usual environment variables.
func newTransport(idle int) *http.Transport {
	if idle == 0 {
		idle = DefaultMaxConnections
	}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          idle,
		MaxIdleConnsPerHost:   idle,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true, // answers are short
		// A few kB are usual; net/http would read 10 MB.
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         connectionBuffer,
		WriteBufferSize:        connectionBuffer,
	}
}

// notFollowed is the rule for redirects: they would carry the key to wherever
// they lead.
func notFollowed(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
