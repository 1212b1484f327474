package journal_test

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/genaievals/genaievals/runner/journal"
)

func TestASecondRunIsRefused(t *testing.T) {
	p := path(t)
	j := create(t, p, failing("a", 1, "judge", "bias"))
	refused := func() {
		t.Helper()
		if _, err := journal.Resume(p, header()); !errors.Is(err, journal.ErrLocked) {
			t.Errorf("Resume: %v", err)
		}
		if _, err := journal.Create(p, header()); !errors.Is(err, journal.ErrLocked) {
			t.Errorf("Create: %v", err)
		}
	}
	refused()
	must(t, j.Close())
	j = resume(t, p)
	refused()
	appendAll(t, j, scored("a", 1, "judge", "bias")) // replaces the file
	refused()
	must(t, j.Close())
	must(t, resume(t, p).Close())
}

// Many open the file, replace it and let go: each has it alone, and nothing that
// one wrote is lost to another.
func TestManyRunsRaceForTheFile(t *testing.T) {
	p := path(t)
	must(t, create(t, p).Close())
	const writers, each = 6, 8
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := 0; n < each; {
				j, err := journal.Resume(p, header())
				if errors.Is(err, journal.ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				id := strconv.Itoa(w) + "-" + strconv.Itoa(n)
				// What failed has the next one replace the file.
				if err := errors.Join(j.Append(scored(id, 1, "judge", "bias")), j.Append(failing(id, 1, "judge", "tone")), j.Close()); err != nil {
					t.Error(err)
				}
				n++
			}
		})
	}
	wg.Wait()
	j := resume(t, p)
	defer j.Close()
	for w := range writers {
		for n := range each {
			id := strconv.Itoa(w) + "-" + strconv.Itoa(n)
			if k := j.Done(id, 1); k == nil || !k.Has("judge", "bias") {
				t.Fatalf("%s is lost", id)
			}
		}
	}
}

const holdVariable = "JOURNAL_TEST_HOLD"

func TestMain(m *testing.M) {
	if p := os.Getenv(holdVariable); p != "" {
		if _, err := journal.Resume(p, header()); err != nil {
			os.Exit(3)
		}
		os.Stdout.WriteString("held\n")
		select {}
	}
	if p := os.Getenv(childVariable); p != "" {
		os.Exit(childRun(p))
	}
	os.Exit(m.Run())
}

func TestAKilledProcessHoldsNoLock(t *testing.T) {
	p := path(t)
	must(t, create(t, p).Close())
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdVariable+"="+p)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Resume(p, header()); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("held by a process: %v", err)
	}
	must(t, child.Process.Kill())
	_ = child.Wait()
	must(t, resume(t, p).Close())
}
