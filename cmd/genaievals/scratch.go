package main

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// errEnding is returned for a temporary file that is wanted while the program
// ends.
var errEnding = errors.New("the program ends")

// scratch knows the temporary files that there are, so that none is left when
// the program is ended at once. The zero value is ready; it is safe for
// concurrent use.
type scratch struct {
	mu     sync.Mutex
	names  map[string]bool
	closed bool
}

// create makes a temporary file as [os.CreateTemp] does.
func (s *scratch) create(dir, pattern string) (*os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errEnding
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	if s.names == nil {
		s.names = make(map[string]bool)
	}
	s.names[f.Name()] = true
	return f, nil
}

// rename gives a temporary file the name that it is for.
func (s *scratch) rename(name, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errEnding
	}
	err := os.Rename(name, to)
	if err == nil {
		delete(s.names, name)
	}
	return err
}

// remove removes a temporary file, if it is still there.
func (s *scratch) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.names[name] {
		return
	}
	if err := os.Remove(name); err == nil || errors.Is(err, fs.ErrNotExist) {
		delete(s.names, name)
	}
}

// removeAll removes them all, and none is made from then on.
func (s *scratch) removeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for name := range s.names {
		_ = os.Remove(name) // one that is open can stay, on some systems
	}
}
