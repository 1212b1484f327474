package rows

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Unpack undoes gzip, which it recognises by how the file begins, and skips the
// mark that some editors put first. A file of UTF-16 is an error.
func Unpack(in io.Reader) (*bufio.Reader, error) {
	text := bufio.NewReaderSize(in, ReadAhead)
	if magic, _ := text.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(text)
		if err != nil {
			return nil, err
		}
		text = bufio.NewReaderSize(z, ReadAhead)
	}
	switch mark, _ := text.Peek(3); {
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}), bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		return nil, errors.New("UTF-16, expected UTF-8")
	case string(mark) == "\ufeff":
		if _, err := text.Discard(len(mark)); err != nil {
			return nil, err
		}
	}
	return text, nil
}
