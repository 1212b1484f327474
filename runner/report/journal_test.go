package report_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/genaievals/genaievals/runner/journal"
	"github.com/genaievals/genaievals/runner/report"
	"github.com/google/go-cmp/cmp"
)

// A report of a journal is that of the run that wrote it.
func TestReportOfAJournal(t *testing.T) {
	h := header()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	j, err := journal.Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records(h) {
		if err := j.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	end := journal.End{Ended: began.Add(90 * time.Second), Items: 6, Failed: 2}
	if err := j.Finish(end); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}

	reader, err := journal.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	s, err := report.New(reader.Header())
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range reader.Records() {
		if err != nil {
			t.Fatal(err)
		}
		s.Add(r)
	}
	read, ok := reader.End()
	if !ok {
		t.Fatal("no end")
	}
	s.End(read)
	if diff := cmp.Diff(finished(t, h, records(h)), s.Report()); diff != "" {
		t.Errorf("-run +journal:\n%s", diff)
	}
}
