package wire

import "testing"

func TestWhichHeadersAreCredentials(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"Authorization", "Bearer short", true},
		{"X-Api-Key", "allletters", true},
		{"Helicone-Auth", "Bearer words", true},
		{"Cookie", "session=words", true},
		{"Cf-Access-Client-Secret", "words", true},
		{"X-Vault-Token", "words", true},
		{"X-Gateway", "gw-planted-secret-41", true},
		{"X-Tag", "not_biased", false},
		{"X-Tag", "a_very_long_label_without_digits", false},
		{"X-Tag", "2026111022460000", false},
		{"X-Purpose", "Evaluates answers since 2026", false},
		{"Helicone-Property-Metric", "toxicity", false},
		{"X-Title", "assistant-of-team-42", false},
	} {
		if got := secretHeader(tt.name, tt.value); got != tt.want {
			t.Errorf("%s: %s: %v, want %v", tt.name, tt.value, got, tt.want)
		}
	}
}
