package adaptive

import "fmt"

func (l *Learner) Debug() string {
	return fmt.Sprintf("kind %d credit %.1f n %.0f doubt %.2f fb %.2f skip %d/%d", l.episode.kind, l.rate.credit, l.rate.patience, l.rate.doubt, l.episode.fallback, l.episode.skip, l.episode.skipFor)
}
