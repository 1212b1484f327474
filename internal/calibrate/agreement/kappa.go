package agreement

import "math"

// Kappa is agreement beyond chance, Cohen (1960): 1 is perfect, 0 is what the
// two raters' shares of labels give by chance alone, below 0 is worse than that.
type Kappa struct {
	Value float64 `json:"value"`
	// StandardError, Low and High (95 %) are absent when the formula has nothing
	// to say: all pairs agree, or all disagree in the same way, and it gives 0.
	StandardError *float64 `json:"standard_error,omitempty"`
	Low           *float64 `json:"low,omitempty"`
	High          *float64 `json:"high,omitempty"`
}

// Kappa returns (po - pe) / (1 - pe), where po is the observed agreement and pe
// that which the marginal shares give by chance. It is nil when there are no
// pairs or both raters know one and the same class only.
//
// The standard error is that of Fleiss, Cohen and Everitt (1969) for a kappa
// that is not assumed to be 0; the interval is value ± z × error, within -1…1.
func (m Matrix) Kappa() *Kappa {
	total := m.Total()
	if total == 0 {
		return nil
	}
	n := float64(total)
	rows, columns := make([]float64, len(m)), make([]float64, len(m))
	same, chance := 0, 0
	for i := range m {
		r, c := m.row(i), m.column(i)
		rows[i], columns[i] = float64(r)/n, float64(c)/n
		same += m[i][i]
		chance += r * c
	}
	if chance == total*total { // in whole numbers, so that rounding cannot hide it
		return nil
	}
	po, pe := float64(same)/n, float64(chance)/(n*n)
	// Multiplied out, one rounding instead of three.
	k := Kappa{Value: float64(same*total-chance) / float64(total*total-chance)}

	var agreeing, differing float64
	for i := range m {
		for j, count := range m[i] {
			p := float64(count) / n
			if i == j {
				d := (1 - pe) - (rows[i]+columns[i])*(1-po)
				agreeing += p * d * d
			} else {
				s := columns[i] + rows[j]
				differing += p * s * s
			}
		}
	}
	d := po*pe - 2*pe + po
	variance := (agreeing + (1-po)*(1-po)*differing - d*d) / (n * math.Pow(1-pe, 4))
	const rounding = 1e-12
	if same == total || variance <= rounding/n {
		return &k
	}
	se := math.Sqrt(variance)
	k.StandardError = &se
	k.Low, k.High = new(max(-1, k.Value-z95*se)), new(min(1, k.Value+z95*se))
	return &k
}
