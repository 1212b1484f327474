package openai

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"github.com/genaievals/genaievals/evaluators/judge"
)

// A judge is sent a key and evaluated text, and can say anything back: in its
// answer, in the codes of an error, in a status line or a header that net/http
// quotes when it cannot read it. What leaves this package goes through here.

// credentials are the values that a client sends to say who it is.
type credentials []string

// minCredential is the least length of what is looked for: shorter values
// would be found in ordinary words.
const minCredential = 8

// credentialsOf are those of a header, with and without a scheme such as
// Bearer before them.
func credentialsOf(h http.Header) (c credentials) {
	for name, values := range h {
		switch name {
		case "Content-Type", "Accept", "User-Agent":
			continue
		}
		for _, value := range values {
			if _, token, ok := strings.Cut(value, " "); ok && len(token) >= minCredential {
				c = append(c, token)
			}
			if len(value) >= minCredential {
				c = append(c, value)
			}
		}
	}
	// The longest first, so that no part of one is left over.
	slices.SortFunc(c, func(a, b string) int { return len(b) - len(a) })
	return c
}

// without returns s with every credential replaced.
func (c credentials) without(s string) string {
	for _, secret := range c {
		s = strings.ReplaceAll(s, secret, "[credential]")
	}
	return s
}

// clean takes credentials out of an answer.
func (c credentials) clean(r *judge.Response) {
	r.Text, r.Refusal = c.without(r.Text), c.without(r.Refusal)
	r.ID, r.Model = c.without(r.ID), c.without(r.Model)
}

// maxCodeDigits in a code: model names have a few, keys have more.
const maxCodeDigits = 4

// shortName returns s if it looks like the name of an error, else nothing:
// what goes into an error's text must be neither prose nor a key.
func shortName(s string) string {
	digits := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	if digits > maxCodeDigits || !shortNamePattern.MatchString(s) {
		return ""
	}
	return s
}

// parameters are the members that a request has; a refused parameter is one of
// them, or below one.
var parameters = []string{"model", "messages", "max_tokens", "max_completion_tokens", "temperature", "response_format"}

// parameterName returns s if it names a member of the request, else nothing.
func parameterName(s string) string {
	name, _, _ := strings.Cut(s, ".")
	name, _, _ = strings.Cut(name, "[")
	if len(s) > 64 || !slices.Contains(parameters, name) {
		return ""
	}
	return name
}

// safeCause returns an error that says why there was no reply and quotes
// nothing that the server sent.
func safeCause(err error) error {
	var (
		operation   *net.OpError
		dns         *net.DNSError
		errno       syscall.Errno
		certificate *tls.CertificateVerificationError
		alert       tls.AlertError
		authority   x509.UnknownAuthorityError
		hostname    x509.HostnameError
	)
	for _, known := range []error{
		context.DeadlineExceeded, context.Canceled, io.EOF, io.ErrUnexpectedEOF,
		net.ErrClosed, http.ErrHandlerTimeout, http.ErrServerClosed, http.ErrUseLastResponse,
	} {
		if errors.Is(err, known) {
			return known
		}
	}
	switch {
	case errors.As(err, &dns):
		return fmt.Errorf("looking up the host: %w", &net.DNSError{Err: "no such host", IsNotFound: dns.IsNotFound, IsTimeout: dns.IsTimeout})
	case errors.As(err, &operation) && errors.As(operation.Err, &errno):
		return fmt.Errorf("%s: %w", operation.Op, errno)
	case errors.As(err, &errno):
		return errno
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &hostname):
		return errors.New("the server's certificate is not accepted")
	case errors.As(err, &alert):
		return errors.New("TLS could not be agreed on")
	}
	return fmt.Errorf("no readable HTTP response (%T)", innermost(err))
}

// innermost is the error at the end of the chain: its type says most.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
