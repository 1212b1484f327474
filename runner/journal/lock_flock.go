//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || illumos

package journal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// held is a journal's file, with its lock, which is on the file itself: the kernel
// lets go of it when the process ends, however it does.
type held struct{ file *os.File }

// hold opens a file and locks it. The path is looked at again once the lock is
// held: the file may have been replaced meanwhile, and a lock on the old one keeps
// nobody away.
func hold(path string, flags int) (*held, error) {
	for {
		f, err := os.OpenFile(path, flags, 0o600)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			f.Close()
			return nil, err
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if there, err := os.Stat(path); err == nil && os.SameFile(mine, there) {
			return &held{file: f}, nil
		}
		f.Close()
	}
}

func flock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return fmt.Errorf("%w: %s", ErrLocked, f.Name())
		case err != nil:
			return fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		return nil
	}
}

// replace puts a complete file in the place of the one held and holds that: it is
// locked before it is there. On an error the old one stays.
func (h *held) replace(temp *os.File, path string) error {
	if err := flock(temp); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	h.file.Close()
	h.file = temp
	return nil
}

func (h *held) close() error { return h.file.Close() }

// syncFolder makes what was created or renamed in a folder durable.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
