package journal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// held is a journal's file, with its lock. That is on a file beside it, since a
// file that is open cannot be replaced here, and one that is locked not be read.
type held struct{ file, guard *os.File }

func hold(path string, flags int) (*held, error) {
	guard, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = windows.LockFileEx(windows.Handle(guard.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if err != nil {
		guard.Close()
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
			return nil, fmt.Errorf("%w: %s", ErrLocked, path)
		}
		return nil, fmt.Errorf("lock %s: %w", guard.Name(), err)
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		guard.Close()
		return nil, err
	}
	return &held{file: f, guard: guard}, nil
}

// replace puts a complete file in the place of the one held and holds that.
func (h *held) replace(temp *os.File, path string) error {
	h.file.Close()
	temp.Close()
	renamed := os.Rename(temp.Name(), path)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		h.file = f
	}
	return errors.Join(renamed, err)
}

func (h *held) close() error {
	err := h.file.Close()
	return errors.Join(err, h.guard.Close())
}

// syncFolder does nothing here: renaming is in the file system's own journal.
func syncFolder(string) error { return nil }
