package builtin

import "math"

// How the toxicity of a text follows from that of its sentences. Chosen, among a
// few ways, on texts of two sources, each held out of training in turn.
const (
	// So many sentences on either side count as what surrounds one.
	surroundings = 5
	// Every sentence is one more chance of a false alarm: log-odds are lessened
	// by so much × ln(sentences).
	chances      = 0.3
	chancesAlone = 0.2
	// A sentence that nothing around it bears out has to be worse, by so much in
	// log-odds.
	alone = 1.5
)

// Overt is the probability, 0 to 1, that a text is overtly toxic, and which of
// its sentences says so most, given their vectors in the order of the text. It
// is the worst sentence that counts, by itself and by what surrounds it: abuse
// seldom comes in one sentence of many harmless ones, and if so it is plain. It
// is what the metric toxicity goes by, for who trains or measures a [Model].
// Without vectors it is 0, and the place -1.
func Overt(m Model, sentences []Vector) (probability float64, worst int) {
	worst = -1
	var odds []float64
	var read []int
	for i, v := range sentences {
		if len(v) > 0 {
			read = append(read, i)
			odds = append(odds, logOdds(m.Toxicity(v)))
		}
	}
	if len(read) == 0 {
		return 0, -1
	}
	if len(read) == 1 {
		return sigmoid(odds[0]), read[0]
	}
	n := math.Log(float64(len(read)))
	best := math.Inf(-1)
	for k, i := range read {
		around := sum(sentences, read[max(0, k-surroundings):min(len(read), k+surroundings+1)])
		inContext := (odds[k]+logOdds(m.Toxicity(around)))/2 - chances*n
		byItself := odds[k] - alone - chancesAlone*n
		if o := max(inContext, byItself); o > best {
			best, worst = o, i
		}
	}
	return sigmoid(best), worst
}

// sum adds vectors up and gives the result the length 1.
func sum(vectors []Vector, places []int) Vector {
	total := make(Vector, len(vectors[places[0]]))
	for _, i := range places {
		for j, x := range vectors[i][:min(len(vectors[i]), len(total))] {
			total[j] += x
		}
	}
	square := 0.0
	for _, x := range total {
		square += float64(float64(x) * float64(x))
	}
	if square > 0 {
		length := float32(math.Sqrt(square))
		for j := range total {
			total[j] /= length
		}
	}
	return total
}
