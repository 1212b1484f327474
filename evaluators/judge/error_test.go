package judge_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/judge"
)

// TestMarshalledResultHasNoEvaluatedText: a result can be logged as JSON, with
// the error in it.
func TestMarshalledResultHasNoEvaluatedText(t *testing.T) {
	r := evaluators.Failed("bias", evaluators.ErrorJudgeBadRequest, &judge.Error{
		Type: evaluators.ErrorJudgeBadRequest, Status: 400, Code: "odd_code", Body: []byte("c4n4ry"), Header: http.Header{"X-Echo": {"c4n4ry"}},
	})
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, planted := range []string{"c4n4ry", "YzRuNHJ5", "X-Echo"} {
		if strings.Contains(string(got), planted) {
			t.Errorf("%s is in %s", planted, got)
		}
	}
	if !strings.Contains(string(got), "odd_code") {
		t.Errorf("the error is not in %s", got)
	}
}

func TestNilErrorHasText(t *testing.T) {
	var none *judge.Error
	if s := fmt.Sprint(none.Error()); s == "" || none.Unwrap() != nil {
		t.Errorf("%q", s)
	}
}
