package envconfig

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/kelseyhightower/envconfig"
)

// Load reads the configuration from the environment of the process. It never
// fails: what it could not take as it stands is told by the warnings, at most
// one for a variable, in the order of [Config]'s fields.
func Load() (Config, []Warning) {
	names := []string{}
	for _, d := range definitions() {
		names = append(names, d.name)
		names = append(names, d.old...)
	}
	names = append(names, olderRateNames...)
	names = append(names, olderGrantType)
	texts, err := readTexts(names)
	l := loader{config: Defaults(), texts: texts}
	if err != nil {
		l.warn(Prefix+"*", "the environment cannot be read, defaults are used: %v", err)
	}
	for _, d := range definitions() {
		l.field(&d)
	}
	l.olderOAuth()
	l.judges(l.config.Judges)
	l.grantType()
	l.rest(os.Environ())
	return l.config, l.warnings
}

// Defaults returns the configuration of an empty environment.
func Defaults() Config {
	c := Config{origins: map[string]origin{}}
	for _, d := range definitions() {
		d.set(&c, d.initial())
		c.origins[d.name] = origin{value: d.of(&c).Interface()}
	}
	return c
}

// origin says how a variable got its value before any option.
type origin struct {
	from       string // the name under which it was read; empty is the default
	value      any    // to tell whether an option changed it
	unreadable bool   // what was read is not the value
}

// text is the value of one variable, trimmed; empty is not set. Its Decode is
// what the envconfig package calls, and only for variables that are set.
type text string

// Decode keeps the value. It does not judge it: envconfig would stop at the
// first error and leave all later fields as they are.
func (t *text) Decode(value string) error {
	*t = text(strings.TrimSpace(value))
	return nil
}

// readTexts has the envconfig package read the named variables. The struct
// that it fills is made up here, with a field for each name: a whole name in
// the tag and no prefix, because with a prefix envconfig also reads the bare
// name.
func readTexts(names []string) (map[string]string, error) {
	fields := make([]reflect.StructField, len(names))
	for i, name := range names {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%d", i),
			Type: reflect.TypeFor[text](),
			Tag:  reflect.StructTag(fmt.Sprintf("envconfig:%q", name)),
		}
	}
	spec := reflect.New(reflect.StructOf(fields))
	err := envconfig.Process("", spec.Interface())
	texts := make(map[string]string, len(names))
	for i, name := range names {
		texts[name] = spec.Elem().Field(i).String()
	}
	return texts, err
}

// loader is the state of one Load.
type loader struct {
	config   Config
	texts    map[string]string
	warnings []Warning
}

// field sets one field from its variable, or from the first of its older
// names that is set.
func (l *loader) field(d *definition) {
	for _, name := range slices.Concat([]string{d.name}, d.old) {
		if value := l.texts[name]; value != "" {
			l.decode(d, name, value)
			return
		}
	}
	if d.name == rateLimitName {
		l.olderRate(d)
	}
}

// decode sets a field from a text that was read under the given name.
func (l *loader) decode(d *definition, from, value string) {
	v, clamped, err := d.decode(value)
	o := origin{from: from}
	switch {
	case err == nil && clamped:
		l.warn(from, "%s is out of range, %s is used; it takes %s", quote(d, value), d.codec.encode(v), d.accepts)
		d.set(&l.config, v)
	case err == nil:
		d.set(&l.config, v)
	case d.guard != "":
		o = origin{from: from, unreadable: true}
		l.warn(from, "%s is not accepted, %s; it takes %s", quote(d, value), d.guard, d.accepts)
	default:
		o = origin{}
		l.warn(from, "%s is not accepted, the default%s is used; it takes %s", quote(d, value), defaultPhrase(d), d.accepts)
	}
	o.value = d.of(&l.config).Interface()
	l.config.origins[d.name] = o
}

func defaultPhrase(d *definition) string {
	if text := d.defaultText(); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// quote returns a value for a message: short, on one line, and never a secret.
func quote(d *definition, value string) string {
	if d.secret || strings.HasSuffix(d.name, "_URL") {
		return "the value"
	}
	const most = 40
	if len(value) > most {
		value = strings.ToValidUTF8(value[:most], "") + "…"
	}
	return fmt.Sprintf("%q", value)
}
