package dashboard

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/genaievals/genaievals/internal/dashboard/address"
)

const (
	cookieName = "genaievals_page"

	policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// guard lets a request through only if it comes from where a page of ours would
// send it, from somebody who may see it.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		case !s.allowsHost(r.Host):
			http.Error(w, "this page does not go by that name", http.StatusMisdirectedRequest)
		case r.URL.Path == "/healthz":
			next.ServeHTTP(w, r)
		case r.URL.Path != "/" && !sameOrigin(r):
			http.Error(w, "asked for by another site", http.StatusForbidden)
		case s.signsIn(w, r):
		case !s.maySee(r):
			h.Set("WWW-Authenticate", `Bearer realm="genaievals"`)
			http.Error(w, "This page needs its token: open /?token=… once, or send it as a bearer token.", http.StatusUnauthorized)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// allowsHost is against DNS rebinding: a site whose name is made to point here is
// asked for under that name. It can never be an IP address, so that a server which
// listens everywhere goes by all of them, and by the machine's name.
func (s *Server) allowsHost(hostport string) bool {
	host := hostOf(hostport)
	if host == "" {
		return false
	}
	if address.IsLoopback(host) {
		return true
	}
	bind := s.bindHost()
	for _, name := range append([]string{bind}, s.cfg.AllowedHosts...) {
		if name != "" && strings.EqualFold(host, hostOf(name)) {
			return true
		}
	}
	if !isEverywhere(bind) {
		return false
	}
	if own, err := os.Hostname(); err == nil && strings.EqualFold(host, own) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// hostOf is a Host header's name or address, without port and brackets.
func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

func isEverywhere(bind string) bool {
	ip, err := netip.ParseAddr(bind)
	return bind == "" || err == nil && ip.IsUnspecified()
}

// sameOrigin reports whether a request comes from the page itself, or from nothing
// that says where it comes from: a command line.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
	default:
		return false
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(u.Host, r.Host)
}

// signsIn takes the token out of the page's address, where it would be kept in
// histories, and into a cookie that no script can read.
func (s *Server) signsIn(w http.ResponseWriter, r *http.Request) bool {
	if s.cfg.Token == "" || r.URL.Path != "/" || !r.URL.Query().Has("token") || !s.isToken(r.URL.Query().Get("token")) {
		return false
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.cookie(), Value: s.pass(), Path: "/", HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return true
}

func (s *Server) maySee(r *http.Request) bool {
	if s.cfg.Token == "" {
		return true
	}
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") && s.isToken(token) {
		return true
	}
	for _, c := range r.CookiesNamed(s.cookie()) {
		if subtle.ConstantTimeCompare([]byte(c.Value), []byte(s.pass())) == 1 {
			return true
		}
	}
	return false
}

// isToken compares in constant time, whatever the lengths.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.cfg.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// pass is what the cookie holds: the token cannot be had from it.
func (s *Server) pass() string {
	sum := sha256.Sum256([]byte("genaievals page\x00" + s.cfg.Token))
	return hex.EncodeToString(sum[:])
}

// cookie is named for the port: cookies do not tell ports apart.
func (s *Server) cookie() string {
	_, port, _ := net.SplitHostPort(s.boundTo())
	if port == "" {
		return cookieName
	}
	return cookieName + "_" + port
}
