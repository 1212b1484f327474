// Package address reads where the live page listens and where it links.
package address

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Default is where the page listens when it is only switched on.
const Default = "127.0.0.1:8377"

const defaultPort = "8377"

// Err is wrapped by the errors of [Parse], ErrTraceURL by those of
// [CheckTraceURL].
var (
	Err         = errors.New("bad address")
	ErrTraceURL = errors.New("bad trace URL")
)

// Parse reads an address as people write it, and returns host:port, or nothing for
// off:
//
//	off  false  no  0  none  (empty)   no page
//	on   true   yes 1                  127.0.0.1:8377
//	9000                               127.0.0.1:9000
//	localhost  10.0.0.7  [::1]         port 8377 there
//	10.0.0.7:9000  :9000  [::]:0       as it stands; a port 0 is any that is free
//
// A leading http:// and a slash at the end do not matter.
func Parse(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch strings.ToLower(text) {
	case "", "off", "false", "no", "0", "none":
		return "", nil
	case "on", "true", "yes", "1":
		return Default, nil
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "http://"), "/")
	if _, err := strconv.Atoi(text); err == nil {
		text = "127.0.0.1:" + text
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil { // no port, or no address
		host, port = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"), defaultPort
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", fmt.Errorf("%w: the port is a number up to 65535", Err)
	}
	if !isHost(host) {
		return "", fmt.Errorf("%w: want host:port, such as %s", Err, Default)
	}
	return net.JoinHostPort(host, port), nil
}

// isHost reports whether it is an IP address, a name, or nothing: everywhere.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		return true
	}
	for _, r := range host {
		if r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return true
}

// IsLoopback reports whether only this machine reaches a host: localhost, a name
// below it, or a loopback address.
func IsLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// What stands for ids in a trace URL.
const (
	traceID = "{trace_id}"
	spanID  = "{span_id}"
)

// CheckTraceURL reports whether trace ids can be linked by a template: it is
// empty, or an absolute http or https URL with {trace_id}, and perhaps {span_id},
// behind the host.
func CheckTraceURL(template string) error {
	if template == "" {
		return nil
	}
	u, err := url.Parse(strings.NewReplacer(traceID, "0", spanID, "0").Replace(template))
	switch {
	case err != nil:
		return fmt.Errorf("%w: it is no URL", ErrTraceURL)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%w: want one that begins with http:// or https:// and a host", ErrTraceURL)
	case u.User != nil:
		return fmt.Errorf("%w: it has a password in it", ErrTraceURL)
	case !strings.Contains(template, traceID):
		return fmt.Errorf("%w: there is no {trace_id} in it", ErrTraceURL)
	}
	_, rest, _ := strings.Cut(template, "://")
	if host := rest[:strings.IndexAny(rest+"/", "/?#")]; strings.ContainsAny(host, "{}") {
		return fmt.Errorf("%w: {trace_id} stands behind the host", ErrTraceURL)
	}
	return nil
}
