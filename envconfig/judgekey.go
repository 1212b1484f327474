package envconfig

import (
	"fmt"
	"reflect"
	"strings"
)

// JudgeKey is a setting of a judge as a file of settings names it: the variable
// JUDGE_BASE_URL is the key base_url.
type JudgeKey struct {
	Key     string
	Accepts string
	// Secret values do not belong in files.
	Secret bool
}

// JudgeKeys lists the settings of a judge, in the order of [Judge]'s fields.
func JudgeKeys() []JudgeKey {
	var keys []JudgeKey
	for _, d := range judgeDefinitions() {
		keys = append(keys, JudgeKey{Key: d.judgeKey(), Accepts: d.accepts, Secret: d.secret})
	}
	return keys
}

func (d *definition) judgeKey() string {
	return strings.ToLower(strings.TrimPrefix(d.name, Prefix+"JUDGE_"))
}

// Set assigns what the variable of a key would with this text. Unlike a variable,
// a text that cannot be read, or is out of range, is refused, with an error that
// wraps [ErrConfig] and names what is accepted, and never a secret.
func (j *Judge) Set(key, text string) error {
	for _, d := range judgeDefinitions() {
		if d.judgeKey() != key {
			continue
		}
		value, clamped, err := d.decode(strings.TrimSpace(text))
		if err != nil || clamped {
			return fmt.Errorf("%w: %s is not accepted, it takes %s", ErrConfig, quote(&d, text), d.accepts)
		}
		field := reflect.ValueOf(j).Elem().FieldByIndex(d.path)
		if value == nil {
			field.SetZero()
		} else {
			field.Set(reflect.ValueOf(value))
		}
		return nil
	}
	return fmt.Errorf("%w: a judge has no %q", ErrConfig, key)
}

// SameServer reports whether both judges are asked at one scheme, host and port,
// so that what one is trusted with, the other may have.
func (j *Judge) SameServer(other *Judge) bool { return sameOrigin(j, other) }

// WithoutCredentials returns the judge without all that it is sent to be let in:
// key, header, further headers and OAuth client. The providers' own keys stay, see
// [Judge.Key].
func (j *Judge) WithoutCredentials() Judge {
	out := *j
	out.APIKey, out.AuthHeader, out.Headers = "", "", nil
	out.OAuthTokenURL, out.OAuthClientID, out.OAuthClientSecret = "", "", ""
	out.OAuthScope = ""
	return out
}
