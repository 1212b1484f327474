package envconfig

import (
	"fmt"
	"slices"
	"strings"
)

// Variables of Splunk's GenAI utilities that together mean RATE_LIMIT.
const (
	rateLimitName = Prefix + "RATE_LIMIT"

	olderRateEnable = olderPrefix + "RATE_LIMIT_ENABLE"
	olderRateRPS    = olderPrefix + "RATE_LIMIT_RPS"
	olderRateBurst  = olderPrefix + "RATE_LIMIT_BURST"

	// olderBurst is the burst that they have without RATE_LIMIT_BURST.
	olderBurst = 4
)

var olderRateNames = []string{olderRateEnable, olderRateRPS, olderRateBurst}

// olderRate sets the rate limit from the older variables: a rate above 0, in
// calls a second, that is not switched off. A rate that cannot be read turns
// the judge off, as an unreadable RATE_LIMIT does. A burst that cannot be read
// becomes 1, since more than was meant would be more than the server takes; a
// switch that cannot be read leaves the limit on.
func (l *loader) olderRate(d *definition) {
	rps := l.texts[olderRateRPS]
	if enable := l.texts[olderRateEnable]; enable != "" {
		on, err := decodeBool(enable)
		if err != nil {
			l.warn(olderRateEnable, "%s is not accepted, the limit stays on; it takes %s", quote(d, enable), codecs["bool"].accepts)
		} else if on == false {
			return
		}
	}
	if rps == "" {
		return
	}
	if v, err := decodeFloat(rps); err == nil && v.(float64) <= 0 {
		return
	} else if err != nil {
		l.config.origins[d.name] = origin{from: olderRateRPS, unreadable: true, value: d.of(&l.config).Interface()}
		l.warn(olderRateRPS, "%s is not accepted, %s; it takes a number of calls a second", quote(d, rps), d.guard)
		return
	}
	burst := olderBurst
	if value := l.texts[olderRateBurst]; value != "" {
		v, err := decodeInt(value)
		burst, _ = v.(int)
		if err != nil || burst < 1 {
			burst = 1
			l.warn(olderRateBurst, "%s is not accepted, 1 is used; it takes a whole number from 1", quote(d, value))
		}
	}
	l.decode(d, olderRateRPS, fmt.Sprintf("%s/sec,burst=%d", rps, burst))
}

// Names that are known and have no field.

// compatible are accepted so that settings made for Splunk's GenAI utilities
// need no change; nothing here needs them.
var compatible = []string{
	Prefix + "INTERVAL", Prefix + "SEPARATE_PROCESS", Prefix + "WORKER_TIMEOUT", Prefix + "RESULT_TIMEOUT",
}

// unsupported do nothing in this version.
var unsupported = []string{"DEEPEVAL_LLM_CLIENT_APP_NAME"}

// olderGrantType is another variable of Splunk's utilities. The only grant here
// is the one that they have by default.
const olderGrantType = "DEEPEVAL_LLM_GRANT_TYPE"

// grantType warns of another grant than there is.
func (l *loader) grantType() {
	switch value := l.texts[olderGrantType]; {
	case strings.EqualFold(value, "client_credentials"):
		l.debug(olderGrantType, "accepted, and does nothing here")
	case value != "":
		l.warn(olderGrantType, "ignored: client_credentials is the only grant")
	}
}

// olderOAuth drops an OAuth client of older names where the key has its new
// name: an OAuth client counts before a key, and new names before older ones.
func (l *loader) olderOAuth() {
	const first = Prefix + "JUDGE_"
	if l.config.origins[first+"API_KEY"].from != first+"API_KEY" {
		return
	}
	said := false
	for _, d := range definitions() {
		o := l.config.origins[d.name]
		if !strings.HasPrefix(d.name, first+"OAUTH_") || o.from == "" || o.from == d.name {
			continue
		}
		if !said {
			l.warn(o.from, "ignored, with all of the older OAuth client: %sAPI_KEY is set", first)
			said = true
		}
		d.set(&l.config, d.initial())
		l.config.origins[d.name] = origin{value: d.of(&l.config).Interface()}
	}
}

// knownNames are all names that have a meaning.
func knownNames() []string {
	var names []string
	for _, d := range definitions() {
		names = append(names, d.name)
		names = append(names, d.old...)
	}
	return slices.Concat(names, olderRateNames, []string{olderGrantType}, compatible, unsupported)
}
