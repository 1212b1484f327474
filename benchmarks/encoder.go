package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder"
)

func encoderClaims() []claim {
	return []claim{
		{name: "encoder_fidelity", bound: 0.998, atLeast: true, says: "least cosine of a text's vector with that of the model in float32, of 20 texts",
			measure: encoderFidelity},
		{name: "encoder_speed", bound: 1, says: "time on one core, the quickest of 40, of a sentence of 12 words over 6 ms, or of 12 such sentences over 60 ms, the larger of the two",
			measure: encoderSpeed},
		{name: "builtin_footprint", bound: 1, says: "what builtin's model adds to a program's file over 9 MB, to resident memory over 40 MB, or its first use over 150 ms, the largest of the three",
			measure: builtinFootprint},
	}
}

const module = "github.com/genaievals/genaievals"

// encoderFidelity compares vectors with those of the encoder's tests, which
// TensorFlow.js and a program in float64 computed of the published weights.
func encoderFidelity() (float64, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", module+"/evaluators/builtin/encoder").Output()
	if err != nil {
		return 0, fmt.Errorf("find the encoder's folder: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", "reference.json"))
	if err != nil {
		return 0, err
	}
	var references []struct {
		By, Text string
		Vector   []float64
	}
	if err := json.Unmarshal(data, &references); err != nil {
		return 0, err
	}
	e, err := encoder.New(encoder.WithShare(1))
	if err != nil {
		return 0, err
	}
	least, total := 1.0, 0.0
	for _, r := range references {
		vectors, err := e.Embed(context.Background(), r.Text)
		if err != nil {
			return 0, err
		}
		cosine := 0.0
		for i, v := range vectors[0].Values {
			cosine += float64(v) * r.Vector[i]
		}
		fmt.Printf("%.5f %-8s %.60q\n", cosine, r.By, r.Text)
		least, total = min(least, cosine), total+cosine
	}
	fmt.Printf("least %.5f, mean %.5f\n", least, total/float64(len(references)))
	return least, nil
}

// Multiplications that the network takes for a piece and, besides, a sentence.
const (
	perPiece    = 256*512 + 256*768 + 256*512 + 512*1536*2 + 512*1536 + 512*512 + 512*1536*2
	perSentence = 512 * 512
)

func encoderSpeed() (float64, error) {
	value := 0.0
	for _, kind := range []struct{ name, tags string }{{"in Go alone", "purego"}, {"with assembly, where there is", ""}} {
		cost, _, err := runProbe("encoder", kind.tags)
		if err != nil {
			return 0, err
		}
		plain := plainLoop()
		pieces := cost["sentence_pieces"]
		fmt.Printf("%s: a sentence of %.0f pieces %.2f ms, a reply of %.0f pieces %.1f ms, the longest text %.1f ms; plain loops would take %.1f and %.1f ms for the products alone, %.1f and %.1f times as long\n",
			kind.name, pieces, cost["sentence_ms"], cost["reply_pieces"], cost["reply_ms"], cost["longest_ms"],
			plain*(pieces*perPiece+perSentence)*1000, plain*(cost["reply_pieces"]*perPiece+12*perSentence)*1000,
			plain*(pieces*perPiece+perSentence)*1000/cost["sentence_ms"], plain*(cost["reply_pieces"]*perPiece+12*perSentence)*1000/cost["reply_ms"])
		value = max(cost["sentence_ms"]/6, cost["reply_ms"]/60) // in the end, as it is used
	}
	return value, nil
}

// plainLoop is the seconds that a multiplication of two matrices takes for each
// product, written the obvious way in float32.
func plainLoop() float64 {
	const rows, inputs, outputs = 15, 512, 1536
	a, b, c := make([]float32, rows*inputs), make([]float32, outputs*inputs), make([]float32, rows*outputs)
	for i := range a {
		a[i] = float32(i % 7)
	}
	for i := range b {
		b[i] = float32(i % 5)
	}
	best := math.Inf(1)
	for range 40 {
		began := time.Now()
		for r := range rows {
			for o := range outputs {
				var sum float32
				for i := range inputs {
					sum += a[r*inputs+i] * b[o*inputs+i]
				}
				c[r*outputs+o] = sum
			}
		}
		best = min(best, time.Since(began).Seconds())
	}
	return best / (rows * inputs * outputs)
}

// builtinFootprint compares builtin with and without its model, and the encoder
// with nothing.
func builtinFootprint() (float64, error) {
	worst := 0.0
	for _, pair := range [...]struct{ what, without, with string }{
		{"sentence encoder", "bare", "encoder"},
		{"builtin with its model", "words", "semantic"},
	} {
		_, bare, err := runProbe(pair.without, "")
		if err != nil {
			return 0, err
		}
		cost, size, err := runProbe(pair.with, "")
		if err != nil {
			return 0, err
		}
		added, resident := float64(size-bare), cost["resident_kib"]*1024
		fmt.Printf("%s: the program's file grows by %.2f MB (from %.2f), resident memory is %.1f MB more after use; the first use takes %.1f ms\n",
			pair.what, added/1e6, float64(bare)/1e6, resident/1e6, cost["first_ms"])
		worst = max(worst, added/9e6, resident/40e6, cost["first_ms"]/150)
	}
	return worst, nil
}

// runProbe builds one of the programs in footprint, runs it on one core and
// returns what it printed, and the size of its file.
func runProbe(name, tags string) (printed map[string]float64, size int64, err error) {
	dir, err := os.MkdirTemp("", "genaievals-footprint-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	build := exec.Command("go", "build", "-tags", tags, "-o", file, module+"/benchmarks/footprint/"+name)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, 0, fmt.Errorf("build %s: %w", name, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, 0, err
	}
	probe := exec.Command(file)
	probe.Env = append(os.Environ(), "GOMAXPROCS=1")
	probe.Stderr = os.Stderr
	out, err := probe.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("run %s: %w", name, err)
	}
	printed = make(map[string]float64)
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if printed[key], err = strconv.ParseFloat(value, 64); err != nil {
			return nil, 0, fmt.Errorf("run %s: it printed %q", name, line)
		}
	}
	return printed, info.Size(), nil
}
