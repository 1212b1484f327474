package judge_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/judge"
)

func TestSecretIsNotPrinted(t *testing.T) {
	const planted = "planted-secret"
	c := judge.ClientCredentials{TokenURL: "https://issuer.example/token", ClientID: "app", ClientSecret: planted, Params: map[string]string{"assertion": planted}}
	var out strings.Builder
	for _, h := range []slog.Handler{slog.NewJSONHandler(&out, nil), slog.NewTextHandler(&out, nil)} {
		slog.New(h).Info("configured", "value", c, "pointer", &c)
	}
	if err := json.NewEncoder(&out).Encode(c); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&out, "%v %+v %#v %s %v %#v", c, c, c, c, &c, &c)
	if s := out.String(); strings.Contains(s, planted) || !strings.Contains(s, "issuer.example") {
		t.Errorf("printed: %s", s)
	}
}
