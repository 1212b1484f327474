package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/genaievals/genaievals/runner"
)

// rewrite replaces the file by one with the present header and, of what stands
// before an offset, only what is still true; what is behind it stays. The new file
// is complete and on the disk before it takes the place of the old one, so that
// there is no moment at which a kill loses anything.
func (j *Journal) rewrite(before int64) (err error) {
	// The lock is held: one of that name is of a run that was killed here.
	name := filepath.Join(filepath.Dir(j.path), "."+filepath.Base(j.path)+".new")
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	info, err := j.held.file.Stat()
	if err != nil {
		return err
	}
	if err := temp.Chmod(info.Mode().Perm()); err != nil {
		return err
	}
	keepOwner(temp, info)
	c := &copying{
		journal: j, out: bufio.NewWriterSize(temp, 256<<10),
		written: make([]uint64, len(j.index.bits)), outputs: make(map[uint32]int64, len(j.index.outputs)),
	}
	base, err := c.copy(before)
	if err == nil {
		err = errors.Join(c.out.Flush(), temp.Sync())
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", j.path, err)
	}
	if err := j.held.replace(temp, j.path); err != nil {
		return fmt.Errorf("replace %s: %w", j.path, err)
	}
	done = true
	j.writeAt = j.held.file.WriteAt
	j.index.outputs, j.size, j.base = c.outputs, c.size, base
	return syncFolder(filepath.Dir(j.path))
}

// copying is the file that takes the place of a journal's.
type copying struct {
	journal *Journal
	out     *bufio.Writer
	size    int64
	written []uint64 // bits as in the index: what was copied
	outputs map[uint32]int64
	buf     []byte
}

func (c *copying) write(line []byte) error {
	n, err := c.out.Write(line)
	c.size += int64(n)
	return err
}

// copy returns where in the new file stands what is behind an offset in the old.
func (c *copying) copy(before int64) (base int64, err error) {
	j := c.journal
	header, err := j.header.line()
	if err != nil {
		return 0, err
	}
	if err := c.write(header); err != nil {
		return 0, err
	}
	w := newWalker(j.path, io.NewSectionReader(j.held.file, 0, before))
	if _, err := w.header(); err != nil {
		return 0, err
	}
	for {
		l, err := w.line()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		if err := c.line(&l); err != nil {
			return 0, err
		}
	}
	base = c.size
	n, err := io.Copy(c.out, io.NewSectionReader(j.held.file, before, j.size-before))
	c.size += n
	return base, err
}

// line copies what is still true of a line.
func (c *copying) line(l *line) error {
	if l.kind == typeEnd {
		return nil
	}
	if l.record == nil { // of a type that is not known here
		c.buf = append(append(c.buf[:0], l.text...), '\n')
		return c.write(c.buf)
	}
	r := l.record
	x := c.journal.index
	at, ok := x.find(r.ID)
	if !ok || x.items[at].sum != r.Sum {
		return nil
	}
	if r.Evaluator == "" {
		if _, twice := c.outputs[at]; twice || r.ErrorType != "" || !r.HasOutput {
			return nil
		}
		c.outputs[at] = c.size
	} else {
		all := len(r.Results)
		switch c.keep(r, at); len(r.Results) {
		case 0:
			return nil
		case all:
		default:
			c.buf = appendRecord(c.buf[:0], r)
			return c.write(c.buf)
		}
	}
	c.buf = append(append(c.buf[:0], l.text...), '\n')
	return c.write(c.buf)
}

// keep leaves the results that stay in a record.
func (c *copying) keep(r *runner.Record, at uint32) {
	x := c.journal.index
	stay := r.Results[:0]
	for _, result := range r.Results {
		column, ok := x.columns[[2]string{r.Evaluator, result.Metric}]
		if !ok || !settled(&result) {
			continue
		}
		word, bit := int(at)*x.words+column/64, uint64(1)<<(column%64)
		if c.written[word]&bit == 0 {
			c.written[word] |= bit
			stay = append(stay, result)
		}
	}
	r.Results = stay
}
