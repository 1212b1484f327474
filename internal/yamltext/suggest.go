package yamltext

import "strings"

// Suggest names the known key that is nearest to a mistyped one, or all.
func Suggest(key string, known []string) string {
	best, distance := "", 3 // further is no typing error
	for _, k := range known {
		if longer := len(key) - len(k); longer >= distance || -longer >= distance {
			continue
		}
		if d := editDistance(strings.ToLower(key), k); d < distance {
			best, distance = k, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "there is: " + strings.Join(known, ", ")
}

// editDistance counts the bytes to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
