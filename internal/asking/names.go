package asking

// An evaluator chooses the reasons and the error types of its results, which
// are series of metrics and keys of counters: what is no name, or one too many,
// is counted under another.
const (
	otherName = "_OTHER" // as the semantic conventions have it for error.type
	maxName   = 64       // bytes
	maxNames  = 64       // distinct ones of a metric
)

// IsName reports whether s can be an attribute of few values: lower case
// letters, digits, underscores and dots.
func IsName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '.') {
			return false
		}
	}
	return true
}

// Admit returns the name under which to count.
func Admit(counts map[string]uint64, name string) string {
	if _, known := counts[name]; known {
		return name
	}
	if !IsName(name) || len(counts) >= maxNames {
		return otherName
	}
	return name
}
