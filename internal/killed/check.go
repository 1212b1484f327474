package killed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/genaievals/genaievals/runner/journal"
)

// ErrDiffers: a run ended otherwise than one that nobody killed.
var ErrDiffers = errors.New("the run that was killed ended otherwise")

// Standing is what stands in a journal, by item and metric: the outcome and what it
// rests on. It is an error that anything stands there twice, or that the run did
// not end.
func Standing(path string) (map[string]string, error) {
	r, err := journal.Read(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	all := map[string]string{}
	add := func(what, is string) error {
		if _, twice := all[what]; twice {
			return fmt.Errorf("%w: %s stands there twice", ErrDiffers, what)
		}
		all[what] = is
		return nil
	}
	for rec, err := range r.Records() {
		switch {
		case err != nil:
		case rec.ErrorType != "":
			err = add(fmt.Sprintf("%s, line %d", rec.ID, rec.Line), rec.ErrorType)
		case rec.HasOutput && rec.Evaluator == "":
			err = add(rec.ID+" output", rec.Output)
		}
		if err != nil {
			return nil, err
		}
		for i := range rec.Results {
			res := &rec.Results[i]
			if err := add(rec.ID+" "+res.Metric, fmt.Sprint(res.Outcome, res.Score, res.Passed, res.Reason, res.ErrorType, res.Explanation)); err != nil {
				return nil, err
			}
		}
	}
	if _, ended := r.End(); !ended || r.Torn() > 0 {
		return nil, fmt.Errorf("%w: the journal has no end; %d bytes are torn", ErrDiffers, r.Torn())
	}
	return all, nil
}

// Kills has processes resume a run until it is finished, and kills them at random
// moments; then it begins another, until as many were killed. want is what stands in
// the journal of a run that nobody killed, and took how long that was. It returns
// how many runs were finished.
func Kills(kills int, child func(path string) *exec.Cmd, folder string, want map[string]string, took time.Duration) (finished int, err error) {
	for done := 0; done < kills; finished++ {
		f, err := os.CreateTemp(folder, "killed-*.jsonl")
		if err != nil {
			return finished, err
		}
		f.Close()
		path := f.Name()
		for over := false; !over; {
			var killed bool
			switch killed, over, err = run(child(path), rand.N(took/2+1), done >= kills); {
			case err != nil:
				return finished, err
			case killed:
				done++
			}
		}
		got, err := Standing(path)
		if err != nil {
			return finished, err
		}
		if !maps.Equal(got, want) {
			return finished, fmt.Errorf("%w: after %d kills %d stand there and %d should, or with other results", ErrDiffers, done, len(got), len(want))
		}
		if err := os.Remove(path); err != nil {
			return finished, err
		}
		if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) > 0 {
			return finished, fmt.Errorf("left behind: %q", left)
		}
	}
	return finished, nil
}

// run runs a process and kills it after some time, unless it is to be spared.
func run(child *exec.Cmd, after time.Duration, spare bool) (killed, over bool, err error) {
	var output bytes.Buffer
	child.Stdout, child.Stderr = io.Discard, &output
	if err := child.Start(); err != nil {
		return false, false, err
	}
	if !spare {
		timer := time.AfterFunc(after, func() { _ = child.Process.Kill() })
		defer timer.Stop()
	}
	err = child.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false, true, nil
	case errors.As(err, &exit) && exit.ExitCode() == -1: // by a signal
		return true, false, nil
	}
	return false, false, fmt.Errorf("a run that was not killed: %w: %s", err, output.Bytes())
}
