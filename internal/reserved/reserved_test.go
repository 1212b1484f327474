package reserved

import (
	"testing"

	"go.opentelemetry.io/otel/attribute"
)

func TestReserved(t *testing.T) {
	for k, want := range map[attribute.Key]struct{ conventions, application bool }{
		"":                       {true, true},
		"error.type":             {true, true},
		"gen_ai.request.model":   {true, true},
		"gen_ai.anything":        {true, true},
		"server.address":         {true, true},
		"server.port":            {true, true},
		"genaievals.cancelled":   {false, true},
		"genaievals.method":      {false, true},
		"genaievals.anything":    {false, true},
		"user.id":                {},
		"error.types":            {},
		"gen_ai":                 {},
		"genaievals":             {},
		"serverless.function":    {},
		"my.gen_ai.request":      {},
		"my.genaievals.duration": {},
	} {
		if got := ByConventions(k); got != want.conventions {
			t.Errorf("ByConventions(%q) = %t", k, got)
		}
		if got := ForApplication(k); got != want.application {
			t.Errorf("ForApplication(%q) = %t", k, got)
		}
	}
}
