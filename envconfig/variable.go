package envconfig

import (
	"log/slog"
	"reflect"
	"slices"
	"strings"
)

// Source says where a value came from.
type Source string

// The sources. An option beats the environment, which beats the default.
const (
	FromDefault     Source = "default"
	FromEnvironment Source = "environment"
	FromOlderName   Source = "older name"
	FromOption      Source = "option"
)

// Variable is one environment variable: what it means and what it is now.
type Variable struct {
	Name string
	// OldNames are read, in this order, when Name is not set.
	OldNames []string
	// Group is the heading under which the documentation lists it.
	Group string
	// Default and Accepts say what it is when not set, and what it can be.
	Default, Accepts string
	Doc              string
	// Secret values are never shown.
	Secret bool

	// Value is the effective value as a text that could be set; "(set)" for a
	// secret, empty for a secret or text that is not there. Credentials and
	// query values of a URL are left out.
	Value  string
	Source Source
	// ReadFrom is the variable that gave the value, unless it was a default or
	// an option.
	ReadFrom string
}

// Variables lists every variable in the order of [Config]'s fields, and after
// them those of each of Judges. A field that an option gave the value which it
// already had counts as not changed.
func (c *Config) Variables() []Variable {
	var out []Variable
	for _, d := range c.definitions() {
		v := Variable{
			Name: d.name, OldNames: slices.Clone(d.old), Group: d.group,
			Default: d.defaultText(), Accepts: d.accepts, Doc: d.doc, Secret: d.secret,
			Value: d.valueText(c),
		}
		o, changed := c.originOf(&d)
		switch {
		case changed:
			v.Source = FromOption
		case o.from == "":
			v.Source = FromDefault
		case o.from == d.name:
			v.Source, v.ReadFrom = FromEnvironment, o.from
		default:
			v.Source, v.ReadFrom = FromOlderName, o.from
		}
		out = append(out, v)
	}
	return out
}

// originOf says how a variable got its value, and whether an option has
// changed it since.
func (c *Config) originOf(d *definition) (o origin, changed bool) {
	o, ok := c.origins[d.name]
	if !ok && d.judge != "" {
		return o, !d.of(c).IsZero()
	}
	if !ok {
		defaults := Defaults()
		o.value = d.of(&defaults).Interface()
	}
	return o, !reflect.DeepEqual(o.value, d.of(c).Interface())
}

func (d *definition) valueText(c *Config) string {
	field := d.of(c)
	switch {
	case d.secret && field.Len() > 0:
		return "(set)"
	case d.secret, d.judge != "" && field.IsZero():
		return ""
	}
	return d.codec.encode(field.Interface())
}

// String lists what differs from the defaults, and no secrets.
func (c Config) String() string {
	var parts []string
	for _, v := range c.Variables() {
		if v.Source != FromDefault {
			parts = append(parts, strings.TrimPrefix(v.Name, Prefix)+"="+v.Value)
		}
	}
	return strings.Join(parts, " ")
}

// GoString is String: no verb of fmt prints a secret.
func (c Config) GoString() string { return c.String() }

// LogValue is String for slog.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// String leaves out all credentials.
func (j Judge) String() string {
	return strings.TrimSpace(j.Provider + " " + j.Model + " " + encodeURL(j.BaseURL))
}

// GoString is String: no verb of fmt prints a secret.
func (j Judge) GoString() string { return j.String() }

// LogValue is String for slog.
func (j Judge) LogValue() slog.Value { return slog.StringValue(j.String()) }
