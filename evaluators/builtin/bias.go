package builtin

import (
	"context"

	"github.com/genaievals/genaievals/evaluators"
)

// judgeBias never judges. Word lists and small models tell a stereotype from a
// neutral mention of a group no better than chance, and they flag a third to a
// half of harmless replies.
func judgeBias(context.Context, *subject) (evaluators.Result, error) {
	return needsJudge("bias is beyond rules"), nil
}
