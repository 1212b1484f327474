package encoder

// dense is a layer of the network that multiplies with a matrix and adds a bias.
type dense struct {
	outputs, inputs int
	weights         []byte // a row for each output; see [layout.Quantised]
	scales, bias    []float32
}

// The kernels take two rows of activations and four of weights at a time. All
// matrices have a multiple of four outputs and of 16 inputs.
const (
	tileRows    = 2
	tileOutputs = 4
)

// blockBytes bounds the activations that are worked on together, so that they
// stay in the processor's first cache (32 KiB) while all weights pass by.
const blockBytes = 20 << 10

// apply writes the layer's outputs for every row of a, one row behind the
// other, to out, or adds them to what is there.
func (d *dense) apply(out []float32, a *activations, s *scratch, add bool) {
	if s.portable || !haveAVX2 {
		d.applyPortable(out, a, s, add)
		return
	}
	k := d.inputs
	rows := max(tileRows, blockBytes/(2*k)/tileRows*tileRows)
	var sums [tileRows * tileOutputs]int32
	for first := 0; first < a.rows; first += rows {
		last := min(first+rows, a.rows)
		for o := 0; o < d.outputs; o += tileOutputs {
			w := d.weights[o*k:][:tileOutputs*k]
			for r := first; r < last; r += tileRows {
				dotAVX2(&sums, &a.values[r*k:][:tileRows*k][0], &w[0], k)
				for j := range tileOutputs {
					sums[j] -= a.offsets[r]
					sums[tileOutputs+j] -= a.offsets[r+1]
				}
				d.put(out, a, r, o, &sums, add)
			}
		}
	}
}

// applyPortable is the same, by the same tiles, in Go. The sums are exact, so
// the results are the same to the bit.
func (d *dense) applyPortable(out []float32, a *activations, s *scratch, add bool) {
	k := d.inputs
	pair := s.pair[:k]
	var sums [tileRows * tileOutputs]int32
	for r := 0; r < a.rows; r += tileRows {
		widen(pair, a.values[r*k:], a.values[(r+1)*k:])
		offset := int64(a.offsets[r]) + int64(a.offsets[r+1])<<32
		for o := 0; o < d.outputs; o += tileOutputs {
			dotPortable(&sums, pair, offset, d.weights[o*k:][:tileOutputs*k])
			d.put(out, a, r, o, &sums, add)
		}
	}
}

// put turns the sums of a tile into outputs.
func (d *dense) put(out []float32, a *activations, r, o int, sums *[tileRows * tileOutputs]int32, add bool) {
	scales, bias := (*[tileOutputs]float32)(d.scales[o:]), (*[tileOutputs]float32)(d.bias[o:])
	for i := range min(tileRows, a.rows-r) {
		to := (*[tileOutputs]float32)(out[(r+i)*d.outputs+o:])
		scale := a.scales[r+i]
		for j := range tileOutputs {
			v := float32(float32(sums[i*tileOutputs+j])*float32(scale*scales[j])) + bias[j]
			if add {
				v += to[j]
			}
			to[j] = v
		}
	}
}
