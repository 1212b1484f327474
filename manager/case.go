package manager

import (
	"context"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// caseOf makes the invocation's case, once for all lanes.
func (m *Manager) caseOf(ctx context.Context, t task) (*evaluators.Case, error) {
	if t.shared == nil {
		return m.makeCase(ctx, t.inv)
	}
	t.shared.once.Do(func() { t.shared.c, t.shared.err = m.makeCase(ctx, t.inv) })
	return t.shared.c, t.shared.err
}

// makeCase normalises the invocation's text and has the redactor see it before
// anybody else does.
func (m *Manager) makeCase(ctx context.Context, inv *instrumentation.Invocation) (*evaluators.Case, error) {
	c := m.normalize(inv)
	if c == nil {
		return nil, errNormalize
	}
	if m.cfg.Redactor != nil {
		if err := m.redact(ctx, c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (m *Manager) normalize(inv *instrumentation.Invocation) (c *evaluators.Case) {
	returned := false
	defer m.contain("normalising a case", &returned)
	c = evaluators.CaseOf(inv)
	returned = true
	return c
}
