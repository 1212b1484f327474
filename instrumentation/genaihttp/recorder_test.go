package genaihttp

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/genaievals/genaievals/instrumentation"
)

func TestARecorderEndsOnceAndByWhatCameFirst(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	tests := map[string]struct {
		ctx  context.Context
		end  []error
		want string
	}{
		"closed":                     {t.Context(), []error{ErrAbandoned, io.EOF}, "cancelled"},
		"closed after a timeout":     {over, []error{ErrAbandoned}, "timeout"},
		"read to its end, then over": {t.Context(), []error{io.EOF, context.DeadlineExceeded}, "malformed_response"},
		"broken, then closed":        {t.Context(), []error{io.ErrUnexpectedEOF, ErrAbandoned}, "_OTHER"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var ended []*instrumentation.Invocation
			h := instrumentation.NewHandler()
			h.Register(instrumentation.CompletionCallbackFunc(func(inv *instrumentation.Invocation) { ended = append(ended, inv) }))
			_, inv := h.StartInference(t.Context(), instrumentation.Inference{})
			req, _ := http.NewRequestWithContext(tt.ctx, http.MethodPost, "http://x.test", nil)
			r := newRecorder(&guard{}, inv, openAI{}.newReply(200, 100), req, &http.Response{StatusCode: 200}, 100)
			for _, cause := range tt.end {
				r.write([]byte(`{"choices":[`))
				r.end(cause)
			}
			if len(ended) != 1 {
				t.Fatalf("ended %d times", len(ended))
			}
			got := ended[0].ErrorType()
			if ended[0].Cancelled() {
				got = "cancelled"
			}
			if got != tt.want {
				t.Errorf("outcome = %s, want %s", got, tt.want)
			}
		})
	}
}
