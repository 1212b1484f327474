package envconfig

import (
	"fmt"
	"log/slog"
)

// Warning tells of a variable that was not taken as it stands. It never holds
// a secret.
type Warning struct {
	// Name of the variable.
	Name string
	// Level is slog.LevelWarn, or slog.LevelDebug for what only the curious
	// need to know.
	Level   slog.Level
	Message string
}

// String returns the name and the message on one line.
func (w Warning) String() string { return w.Name + ": " + w.Message }

func (l *loader) warn(name, format string, args ...any) {
	l.warnings = append(l.warnings, Warning{Name: name, Level: slog.LevelWarn, Message: fmt.Sprintf(format, args...)})
}

func (l *loader) debug(name, message string) {
	l.warnings = append(l.warnings, Warning{Name: name, Level: slog.LevelDebug, Message: message})
}
