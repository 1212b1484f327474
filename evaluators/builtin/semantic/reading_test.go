package semantic_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/genaievals/genaievals/evaluators/builtin"
)

// heads.bin was trained on sentences as they are read now. Where reading changes,
// it has to be made again: testdata/reading.sum holds the checksum of how the
// texts of testdata were read when it was.
func TestHeadsWereTrainedOnWhatIsReadToday(t *testing.T) {
	h := sha256.New()
	for _, name := range []string{"english.txt", "foreign.txt", "harmless.txt", "toxic.txt", "marked.txt"} {
		for _, text := range texts(t, name) {
			h.Write([]byte(strings.Join(builtin.Sentences(text), "\x00") + "\x01"))
		}
	}
	want, err := os.ReadFile("testdata/reading.sum")
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != strings.TrimSpace(string(want)) {
		t.Errorf("texts are read otherwise than when heads.bin was made: run\n"+
			"\tgo run ./evaluators/builtin/semantic/internal/train -data DIR\n"+
			"and write %s to testdata/reading.sum (or that alone, where these texts changed)", got)
	}
}
