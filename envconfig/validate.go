package envconfig

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/genaievals/genaievals/limit"
)

// ErrConfig is wrapped by the errors of [Config.Validate].
var ErrConfig = errors.New("invalid configuration")

// Validate checks what options assigned: every field must have a value that
// its variable could have. Nothing is clamped: a bad option is a mistake in a
// program. A configuration as [Load] returns it is valid. The error wraps
// [ErrConfig] and names every bad variable.
func (c *Config) Validate() error {
	var errs []error
	for _, d := range definitions() {
		if err := d.check(c); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (d *definition) check(c *Config) error {
	value := d.of(c).Interface()
	if reflect.ValueOf(value).IsZero() && d.dflt == "" {
		return nil
	}
	refuse := func() error {
		if d.secret {
			return fmt.Errorf("%w: %s takes %s", ErrConfig, d.name, d.accepts)
		}
		return fmt.Errorf("%w: %s is %s, it takes %s", ErrConfig, d.name, d.codec.encode(value), d.accepts)
	}
	switch v := value.(type) {
	case float64:
		if math.IsNaN(v) {
			return refuse()
		}
	case *float64:
		if math.IsNaN(*v) {
			return refuse()
		}
	case string:
		if _, err := d.codec.decode(v); err != nil {
			return refuse()
		}
	case map[string]limit.Rate:
		for name, r := range v {
			if err := r.Check(); err != nil {
				return fmt.Errorf("%w: %s of %q: %w", ErrConfig, d.name, name, err)
			}
		}
	}
	if d.lo != nil && (d.codec.compare(value, d.lo) < 0 || d.codec.compare(value, d.hi) > 0) {
		return refuse()
	}
	return nil
}
