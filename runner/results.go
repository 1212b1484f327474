package runner

import (
	"context"
	"iter"
)

// Results runs the evaluators over items and yields each item that is done: in
// order with [WithOrdered], else as they come. An error is the last that is
// yielded, with a zero ItemResult: that of [Start] or [Run.Wait]. Breaking out
// ends the run and waits for it. [WithOnResult] is called as well.
func Results(ctx context.Context, items Dataset, evals Evaluators, options ...Option) iter.Seq2[ItemResult, error] {
	return func(yield func(ItemResult, error) bool) {
		stream := make(chan []ItemResult)
		r, err := start(ctx, items, evals, stream, options)
		if err != nil {
			yield(ItemResult{}, err)
			return
		}
		over := false
		defer func() {
			if !over { // the caller broke out, or panicked
				r.Stop()
				<-r.ended
			}
		}()
		for more := true; more; {
			var batch []ItemResult
			select {
			case batch = <-stream:
			case <-r.ended:
				more = false
			}
			for _, result := range batch {
				if !yield(result, nil) {
					return
				}
			}
		}
		over = true
		if _, err := r.Wait(); err != nil {
			yield(ItemResult{}, err)
		}
	}
}
