// Command train makes heads.bin, the numbers of builtin's classifiers, of public
// sets:
//
//	go run ./evaluators/builtin/semantic/internal/train -data DIR [-o FILE]
//	go run ./evaluators/builtin/semantic/internal/train -data DIR -check
//
// It prints the checksums of what it read and of what it made. The same files
// make the same bytes on amd64. With -check it writes nothing, and fails where
// what it made is not what is committed. It takes about four minutes of a core.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/genaievals/genaievals/evaluators/builtin/semantic"
	"github.com/genaievals/genaievals/internal/heads"
)

func main() {
	dir := flag.String("data", "", "folder with the public sets")
	out := flag.String("o", committed(), "file to write")
	check := flag.Bool("check", false, "compare with that file and write nothing")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), *dir, *out, *check); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// committed is where the numbers are in the repository.
func committed() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "heads.bin")
}

func run(ctx context.Context, dir, file string, check bool) error {
	names := slices.Concat(heads.ToxicitySources, heads.SentimentSources)
	read, err := heads.Read(dir, names...)
	if err != nil {
		return err
	}
	m := heads.Model{Encoder: semantic.Open(1)}
	for _, name := range names {
		s := read[name]
		if name == heads.Replies {
			s.DropOdd()
		}
		if err := s.Embed(ctx, m.Encoder); err != nil {
			return err
		}
		fmt.Printf("%-9s %5d texts  sha256 %s\n", s.Name, len(s.Rows), s.Sum)
	}
	m.OfToxicity = heads.FitToxicity(pick(read, heads.ToxicitySources)...)
	m.Negative, m.Positive = heads.FitSentiment(heads.All, pick(read, heads.SentimentSources)...)
	numbers, err := m.AppendBinary(nil)
	if err != nil {
		return err
	}
	fmt.Printf("heads.bin %5d bytes  sha256 %x\n", len(numbers), sha256.Sum256(numbers))
	if !check {
		return os.WriteFile(file, numbers, 0o644) //nolint:gosec // a file of the repository
	}
	have, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, numbers) {
		return fmt.Errorf("%s is not what these sets make", file)
	}
	fmt.Println("the same as", file)
	return nil
}

func pick(from map[string]*heads.Source, names []string) []*heads.Source {
	sources := make([]*heads.Source, len(names))
	for i, name := range names {
		sources[i] = from[name]
	}
	return sources
}
