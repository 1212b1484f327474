package agreement

// Matrix counts pairs of labels: [i][j] is how often the first rater, the
// person, said class i and the second, the judge, class j. It is square.
type Matrix [][]int

// NewMatrix returns an empty matrix of so many classes.
func NewMatrix(classes int) Matrix {
	cells := make([]int, classes*classes)
	m := make(Matrix, classes)
	for i := range m {
		m[i] = cells[i*classes : (i+1)*classes : (i+1)*classes]
	}
	return m
}

// Total is the number of pairs.
func (m Matrix) Total() (n int) {
	for i := range m {
		n += m.row(i)
	}
	return n
}

// Agreement is the fraction of pairs of the same label.
func (m Matrix) Agreement() Proportion {
	same := 0
	for i := range m {
		same += m[i][i]
	}
	return NewProportion(same, m.Total())
}

// TruePositives is the fraction of what the person called class c that the
// judge did too (recall, sensitivity).
func (m Matrix) TruePositives(c int) Proportion {
	return NewProportion(m[c][c], m.row(c))
}

// FalsePositives is the fraction of what the person did not call class c that
// the judge did (the false alarms).
func (m Matrix) FalsePositives(c int) Proportion {
	return NewProportion(m.column(c)-m[c][c], m.Total()-m.row(c))
}

// Precision is the fraction of what the judge called class c that the person
// did too.
func (m Matrix) Precision(c int) Proportion {
	return NewProportion(m[c][c], m.column(c))
}

func (m Matrix) row(i int) (n int) {
	for _, count := range m[i] {
		n += count
	}
	return n
}

func (m Matrix) column(j int) (n int) {
	for i := range m {
		n += m[i][j]
	}
	return n
}
