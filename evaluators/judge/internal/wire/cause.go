package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
)

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
