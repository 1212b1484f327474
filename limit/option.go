package limit

// Option configures a [Gate].
type Option interface{ apply(config) config }

type config struct {
	rate, tokens Rate
	ceiling      int
	breaker      Breaker
	hasBreaker   bool
	budget       Budget
	listener     func(Event)
}

type option func(config) config

func (o option) apply(c config) config { return o(c) }

// WithRate limits the sends. Without it they are not limited. A rate that
// cannot be kept (see [Rate.Check]) makes a gate that refuses every Acquire
// and Admit with an error wrapping [ErrRate], since no limit is never a
// fallback.
func WithRate(r Rate) Option {
	return option(func(c config) config { c.rate = r; return c })
}

// WithTokenRate limits the tokens, by the estimates in [Need] and then by what
// was used. Rate's numbers then mean tokens; a token bucket only, strict pacing
// is refused. A single send that needs more than the burst passes when the
// bucket is full, and those after it wait until it is made up for. A rate that
// cannot be kept makes a gate that refuses everything, as with [WithRate].
func WithTokenRate(r Rate) Option {
	return option(func(c config) config { c.tokens = r; return c })
}

// WithAdaptive makes the gate learn from the judge's answers how many sends it
// carries at once, and at what rate, where nobody said so: never more in flight
// than the ceiling. It learns only from outcomes that are reported with
// [Permit.Done]. A ceiling below 1 learns nothing and limits nothing.
func WithAdaptive(ceiling int) Option {
	return option(func(c config) config { c.ceiling = ceiling; return c })
}

// WithBreaker adds a circuit breaker: see [Breaker].
func WithBreaker(b Breaker) Option {
	return option(func(c config) config { c.breaker, c.hasBreaker = b, true; return c })
}

// WithBudget limits what is spent. A budget that cannot be kept (see
// [Budget.Check]) makes a gate that refuses every Acquire and Admit with an
// error wrapping [ErrBudget].
func WithBudget(b Budget) Option {
	return option(func(c config) config { c.budget = b; return c })
}

// WithListener has f called when the gate's state changes: one event at a time,
// in order, by whoever caused or noticed the change, while no lock is held. It
// may use the gate, and should return soon.
func WithListener(f func(Event)) Option {
	return option(func(c config) config { c.listener = f; return c })
}
