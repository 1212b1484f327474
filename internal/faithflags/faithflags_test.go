package faithflags

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "faithfulness"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "faithfulness", name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSetsAreRead(t *testing.T) {
	begin, err := BEGIN(write(t, "begin_dev_x.tsv", "knowledge\tmessage\tresponse\tbegin_label\n"+
		"The mill closed in 1974.\tWhen?\tIt closed in 1974.\tFully attributable\n"+
		"The mill closed in 1974.\tWhen?\tHow nice!\tGeneric\n"+
		"The \"mill\" closed in 1974.\tWhen?\tIt closed in 1984.\tUnattributable\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Row{
		{"When?", "It closed in 1974.", "The mill closed in 1974.", false},
		{"When?", "It closed in 1984.", "The \"mill\" closed in 1974.", true},
	}, begin); diff != "" {
		t.Errorf("BEGIN (-want +got):\n%s", diff)
	}
	wice, err := WiCE(write(t, "wice_oracle_claim_x.jsonl",
		`{"label":"supported","claim":"It closed.","evidence":["The mill","closed."]}`+"\n"+`{"label":"partially_supported","claim":"It burnt.","evidence":[]}`+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Row{{"", "It closed.", "The mill\nclosed.", false}, {"", "It burnt.", "", true}}, wice); diff != "" {
		t.Errorf("WiCE (-want +got):\n%s", diff)
	}
	for _, read := range []func(string) ([]Row, error){BEGIN, WiCE} {
		if _, err := read(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an absent set: %v", err)
		}
	}
}

func TestVerdictsAreCountedByTheirEvidence(t *testing.T) {
	const document = "The old mill closed in 1974 because of a flood in the valley."
	got := Of(t.Context(), []Row{
		{"", "The old mill closed in 1984 because of a flood.", document, true},
		{"", "The old mill closed in 1994 because of a flood.", document, false},
		{"", "Seven brave acrobats from Umbria juggle burning torches.", document, true},
		{"", "The old mill closed in 1974 because of a flood in the valley.", document, false},
		{"", "It shut when the river rose.", document, true},
	})
	want := Count{Faithful: 2, Unfaithful: 3, Number: Verdicts{1, 2}, Sentence: Verdicts{1, 1}, Copied: Verdicts{1, 1}, Skipped: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.FalseAlarms() != 0.5 || got.Found() != 2.0/3 || got.Number.Precision() != 0.5 {
		t.Errorf("false alarms %v, found %v, precision %v", got.FalseAlarms(), got.Found(), got.Number.Precision())
	}
}
