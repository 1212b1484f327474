package envconfig

import (
	"slices"
	"strings"
)

// rest looks at the variables that no field has: those that are accepted or
// not supported, and those with one of our prefixes that nobody knows, which
// are mostly misspelt.
func (l *loader) rest(environ []string) {
	set := map[string]bool{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if strings.TrimSpace(value) != "" {
			set[name] = true
		}
	}
	for _, name := range compatible {
		if set[name] {
			l.debug(name, "accepted, and does nothing here")
		}
	}
	for _, name := range unkept {
		if set[name] {
			l.config.UnkeptLimits = append(l.config.UnkeptLimits, name)
			l.warn(name, "not supported by this version: the limit would not be kept, so the judge stays off")
		}
	}
	for _, name := range unsupported {
		if set[name] {
			l.warn(name, "not supported by this version, ignored")
		}
	}
	known := knownNames()
	var unknown []string
	for name := range set {
		ours := strings.HasPrefix(name, Prefix) || strings.HasPrefix(name, olderPrefix)
		if ours && !slices.Contains(known, name) && !l.ofNamedJudge(name, set) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		if near := nearest(name, known); near != "" {
			l.warn(name, "unknown variable, ignored; did you mean %s?", near)
		} else {
			l.warn(name, "unknown variable, ignored")
		}
	}
}

// ofNamedJudge reports whether a variable belongs to one of JUDGES, of which
// a warning tells already.
func (l *loader) ofNamedJudge(name string, set map[string]bool) bool {
	return set[Prefix+"JUDGES"] && strings.HasPrefix(name, Prefix+"JUDGE_")
}

// nearest returns the known name that takes the fewest changes, empty when
// that would be more than a third of what follows the prefix.
func nearest(name string, known []string) string {
	if len(name) > 2*len(Prefix) {
		return ""
	}
	best, bestDistance := "", 1+max(2, (len(name)-len(Prefix))/3)
	for _, k := range known {
		if d := distance(name, k); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// distance counts the single bytes to insert, delete, replace or swap with
// their neighbour that make a into b.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
