package manager

import (
	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/instrumentation"
)

// caseOf makes the invocation's case, once for all lanes.
func (m *Manager) caseOf(t task) (*evaluators.Case, error) {
	if t.shared == nil {
		return m.makeCase(t.inv)
	}
	t.shared.once.Do(func() { t.shared.c, t.shared.err = m.makeCase(t.inv) })
	return t.shared.c, t.shared.err
}

// makeCase normalises the invocation's text and has the redactor see it before
// anybody else does.
func (m *Manager) makeCase(inv *instrumentation.Invocation) (*evaluators.Case, error) {
	c := m.normalize(inv)
	if c == nil {
		return nil, errNormalize
	}
	if m.cfg.Redactor != nil && !m.redact(c) {
		return nil, errRedactor
	}
	return c, nil
}

func (m *Manager) normalize(inv *instrumentation.Invocation) *evaluators.Case {
	defer m.contain("normalising a case", nil)
	return evaluators.CaseOf(inv)
}

func (m *Manager) redact(c *evaluators.Case) (ok bool) {
	defer m.contain("redactor", &ok)
	m.cfg.Redactor(c)
	return true
}
