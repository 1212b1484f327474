package runner

import (
	"context"
)

// Task produces the output of an item, before it is evaluated. It is called from
// several goroutines at once; what it calls below ctx is recorded as usual and
// never evaluated online. A panic fails the item.
type Task func(ctx context.Context, item Item) (output string, err error)
