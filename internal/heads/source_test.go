package heads

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReadSources(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, files[Surge].path, "text,is_toxic\n\"Nice tent. <b>Really</b>.\",Not Toxic\nYou moron,Toxic\n???,Toxic\n")
	write(t, dir, files[Amazon].path, "1_1\t2.5\tI love this tent.\n1_2\t-0.6\tIt leaks a little.\n")
	read, err := Read(dir, Surge, Amazon)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Sentences []string
		Toxic     bool
		Rating    float64
	}
	for name, want := range map[string][]row{
		Surge:  {{[]string{"Nice tent.", "Really."}, false, 0}, {[]string{"You moron"}, true, 0}},
		Amazon: {{[]string{"I love this tent."}, false, 2.5}, {[]string{"It leaks a little."}, false, -0.6}},
	} {
		var got []row
		for _, r := range read[name].Rows {
			got = append(got, row{r.Sentences, r.Toxic, r.Rating})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(read[name].Sum) != 64 {
			t.Errorf("%s: checksum %q", name, read[name].Sum)
		}
	}
}

func TestReadSaysWhatIsAbsentOrWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, Surge); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	write(t, dir, files[Tweets].path, "1\tgood\tI love this tent.\n")
	write(t, dir, files[Times].path, "1\t0.5\n")
	write(t, dir, files[Wiki].path, "rev_id,comment,toxic\n")
	for _, name := range []string{Tweets, Times, Wiki} {
		if _, err := Read(dir, name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}
