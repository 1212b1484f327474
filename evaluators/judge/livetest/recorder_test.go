package livetest

import (
	"context"
	"slices"
	"sync"

	"github.com/genaievals/genaievals/evaluators/judge"
	"github.com/genaievals/genaievals/evaluators/judge/openai"
)

// call is one request to the judge and what came back.
type call struct {
	request  judge.Request
	response judge.Response
	err      error
}

// transcript is the calls of one evaluation, in order.
type transcript struct {
	mu    sync.Mutex
	calls []call
}

type transcriptKey struct{}

func withTranscript(ctx context.Context) (context.Context, *transcript) {
	t := &transcript{}
	return context.WithValue(ctx, transcriptKey{}, t), t
}

func (t *transcript) all() []call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.calls)
}

// recorder is the client, and keeps what it is asked and answers.
type recorder struct {
	*openai.Client

	mu    sync.Mutex
	asked []judge.Format // in the order of sending
}

func (r *recorder) Complete(ctx context.Context, request judge.Request) (judge.Response, error) {
	r.mu.Lock()
	r.asked = append(r.asked, request.Format)
	r.mu.Unlock()
	request.Metrics, request.Messages = slices.Clone(request.Metrics), slices.Clone(request.Messages)
	response, err := r.Client.Complete(ctx, request)
	if t, ok := ctx.Value(transcriptKey{}).(*transcript); ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.calls = append(t.calls, call{request, response, err})
	}
	return response, err
}

func (r *recorder) formats() []judge.Format {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asked)
}
