package envconfig

import (
	"maps"
	"slices"
	"strings"
)

// rest looks at the variables that no field has: those that are accepted or
// not supported, and those with one of our prefixes that nobody knows, which
// are mostly misspelt.
func (l *loader) rest(environ []string) {
	set := setNames(environ)
	for _, name := range compatible {
		if set[name] {
			l.debug(name, "accepted, and does nothing here")
		}
	}
	for _, name := range unsupported {
		if set[name] {
			l.warn(name, "not supported by this version, ignored")
		}
	}
	known := knownNames()
	for _, judge := range l.config.Judges {
		known = append(known, namesOfJudge(judge)...)
	}
	l.unknown(set, known, Prefix, olderPrefix)
}

// unknown warns of the variables with one of the beginnings that nobody knows.
func (l *loader) unknown(set map[string]bool, known []string, beginnings ...string) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		ours := func(beginning string) bool { return strings.HasPrefix(name, beginning) }
		if !slices.ContainsFunc(beginnings, ours) || slices.Contains(known, name) {
			continue
		}
		if judge := judgeMeant(name); judge != "" && !slices.Contains(l.config.Judges, judge) {
			l.warn(name, "ignored: JUDGES names no judge %s", judge)
		} else if near := nearest(name, known); near != "" {
			l.warn(name, "unknown variable, ignored; did you mean %s?", near)
		} else {
			l.warn(name, "unknown variable, ignored")
		}
	}
}

// setNames are the variables of an environment that are set.
func setNames(environ []string) map[string]bool {
	set := map[string]bool{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if strings.TrimSpace(value) != "" {
			set[name] = true
		}
	}
	return set
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
