package envconfig

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// definition is what the tags of one field of [Config] say.
type definition struct {
	name    string   // the whole name of the variable
	old     []string // read in this order when name is not set
	judge   string   // the further judge whose it is; else empty
	path    []int    // of the field in Config, or of a further judge in Judge
	group   string
	doc     string
	dflt    string // the default's text; empty is the type's zero value
	shown   string // the default in words, where the text is empty
	accepts string
	secret  bool
	guard   string // what an unreadable value does instead of the default

	codec  codec
	lo, hi any // bounds, nil when there are none
}

// definitions are those of all fields of [Config], in their order. The tags
// are constants: what is wrong with them shows in the first test.
var definitions = sync.OnceValue(func() []definition {
	return define(reflect.TypeFor[Config](), nil, "")
})

func define(t reflect.Type, path []int, group string) []definition {
	var out []definition
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(path), i)
		switch {
		case f.Type == reflect.TypeFor[Judge]():
			out = append(out, define(f.Type, at, group)...)
		case f.Tag != "":
			if g := f.Tag.Get("group"); g != "" {
				group = g
			}
			out = append(out, defineField(f, at, group))
		}
	}
	return out
}

func defineField(f reflect.StructField, path []int, group string) definition {
	tag := f.Tag.Get
	d := definition{
		name: tag("name"), path: path, group: group, doc: tag("doc"), dflt: tag("is"), shown: tag("shown"),
		accepts: tag("accepts"), secret: tag("secret") != "", guard: tag("guard"),
	}
	if short := tag("env"); short != "" {
		d.name = Prefix + short
	}
	if old := tag("old"); old != "" {
		d.old = strings.Split(old, ",")
	}
	d.codec = codecOf(f)
	if words := tag("one"); words != "" {
		d.codec = choice(strings.Split(words, ","))
	}
	if d.accepts == "" {
		d.accepts = d.codec.accepts
	}
	if bounds := tag("in"); bounds != "" {
		lo, hi, _ := strings.Cut(bounds, "..")
		d.lo, d.hi = d.mustDecode(lo), d.mustDecode(hi)
		d.accepts += fmt.Sprintf(" from %s to %s", d.codec.encode(d.lo), d.codec.encode(d.hi))
	}
	return d
}

func codecOf(f reflect.StructField) codec {
	as := f.Tag.Get("as")
	switch {
	case as != "":
	case f.Type == reflect.TypeFor[time.Duration]():
		as = "duration"
	case f.Type.Kind() == reflect.String:
		as = "text"
	default:
		as = f.Type.String()
	}
	c, ok := codecs[as]
	if !ok {
		panic("envconfig: no codec for field " + f.Name)
	}
	return c
}

// choice is the codec of a field that takes one of a few words.
func choice(words []string) codec {
	return codec{
		decode: func(text string) (any, error) {
			word := strings.ReplaceAll(strings.ToLower(text), "-", "_")
			if !slices.Contains(words, word) {
				return nil, fmt.Errorf("want %s", strings.Join(words, " or "))
			}
			return word, nil
		},
		encode:  encodeAny,
		accepts: strings.Join(words, " or "),
	}
}

func (d *definition) mustDecode(text string) any {
	v, err := d.codec.decode(text)
	if err != nil {
		panic(fmt.Sprintf("envconfig: tag of %s: %q: %v", d.name, text, err))
	}
	return v
}

// decode reads a text. The value is clamped to the range, and clamped says
// whether that changed it.
func (d *definition) decode(text string) (value any, clamped bool, err error) {
	value, err = d.codec.decode(text)
	if err != nil && !errors.Is(err, saturated) {
		return nil, false, err
	}
	switch {
	case d.lo != nil && d.codec.compare(value, d.lo) < 0:
		return d.lo, true, nil
	case d.hi != nil && d.codec.compare(value, d.hi) > 0:
		return d.hi, true, nil
	}
	return value, false, err
}

// initial is the default.
func (d *definition) initial() any {
	if d.dflt == "" {
		return nil
	}
	return d.mustDecode(d.dflt)
}

// of returns the field of a configuration, which must have the judge if it is
// a further judge's.
func (d *definition) of(c *Config) reflect.Value {
	if d.judge != "" {
		return reflect.ValueOf(c.named[d.judge]).Elem().FieldByIndex(d.path)
	}
	return reflect.ValueOf(c).Elem().FieldByIndex(d.path)
}

// set assigns a value to the field; nil is the type's zero value.
func (d *definition) set(c *Config, value any) {
	field := d.of(c)
	if value == nil {
		field.SetZero()
		return
	}
	field.Set(reflect.ValueOf(value))
}

// defaultText is the default as it is shown.
func (d *definition) defaultText() string {
	if d.shown != "" {
		return d.shown
	}
	return d.dflt
}
