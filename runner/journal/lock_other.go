//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || illumos || windows)

package journal

import "os"

// held is a journal's file. There is no lock on this system: that two runs do not
// share a file is up to the user.
type held struct{ file *os.File }

func hold(path string, flags int) (*held, error) {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return &held{file: f}, nil
}

func (h *held) replace(temp *os.File, path string) error {
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	h.file.Close()
	h.file = temp
	return nil
}

func (h *held) close() error { return h.file.Close() }

func syncFolder(string) error { return nil }
