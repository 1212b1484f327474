package envconfig

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	for _, d := range c.definitions() {
		if err := d.check(c); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// checker is a value that knows whether it can be kept.
type checker interface{ Check() error }

func (d *definition) check(c *Config) error {
	value := d.of(c).Interface()
	if d.of(c).IsZero() && d.dflt == "" {
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
		// Unlike a variable, an option has to spell a word as it is compared.
		if is, err := d.codec.decode(v); err != nil || is != v {
			return refuse()
		}
	case []string:
		if names, err := decodeNames(encodeNames(v)); err != nil || !slices.Equal(names.([]string), v) {
			return refuse()
		}
	case map[string]limit.Rate:
		return checkByName(d, v)
	case map[string]limit.Budget:
		return checkByName(d, v)
	case checker: // a pointer that is not nil
		if err := v.Check(); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrConfig, d.name, err)
		}
	}
	if d.lo != nil && (d.codec.compare(value, d.lo) < 0 || d.codec.compare(value, d.hi) > 0) {
		return refuse()
	}
	return nil
}

func checkByName[T checker](d *definition, limits map[string]T) error {
	for name, one := range limits {
		if err := one.Check(); err != nil {
			return fmt.Errorf("%w: %s of %q: %w", ErrConfig, d.name, name, err)
		}
	}
	return nil
}
