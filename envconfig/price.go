package envconfig

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxPrice is the highest price that is taken for one.
const MaxPrice = 1e6

// ErrPrice is wrapped by every error about a price.
var ErrPrice = errors.New("envconfig: bad price")

// Price is what a judge costs, in US dollars for a million tokens. The zero
// Price is free.
type Price struct{ Input, Output float64 }

// ParsePrice reads a price: that of a million input tokens, a slash, and that
// of a million output tokens, such as 0.15/0.60. What cannot be read is refused
// with an error that wraps [ErrPrice] and names the value and what is accepted.
func ParsePrice(s string) (Price, error) {
	input, output, ok := strings.Cut(s, "/")
	var p Price
	var err error
	if ok {
		p.Input, err = parseDollars(input)
		if err == nil {
			p.Output, err = parseDollars(output)
		}
	}
	if !ok || err != nil || p.Check() != nil {
		return Price{}, fmt.Errorf("%w %q: want US dollars for a million input tokens, a slash, "+
			"and for a million output tokens, each from 0 to %g, such as 0.15/0.60", ErrPrice, s, MaxPrice)
	}
	return p, nil
}

// parseDollars reads a plain decimal number; strconv would also take NaN, Inf
// and hexadecimal.
func parseDollars(s string) (float64, error) {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// Check returns an error that wraps [ErrPrice] unless both numbers are from 0
// to [MaxPrice].
func (p Price) Check() error {
	for _, dollars := range []float64{p.Input, p.Output} {
		if !(dollars >= 0 && dollars <= MaxPrice) { // NaN too
			return fmt.Errorf("%w: %g is not from 0 to %g", ErrPrice, dollars, MaxPrice)
		}
	}
	return nil
}

// String returns the price as [ParsePrice] reads it.
func (p Price) String() string {
	return strconv.FormatFloat(p.Input, 'f', -1, 64) + "/" + strconv.FormatFloat(p.Output, 'f', -1, 64)
}
