package limit

import (
	"context"
	"testing"
)

func BenchmarkAcquire(b *testing.B) {
	for name, rate := range map[string]Rate{
		"open":   {},
		"bucket": {PerSecond: MaxPerSecond, Burst: MaxBurst},
	} {
		b.Run(name, func(b *testing.B) {
			g, ctx := NewGate(WithRate(rate)), context.Background()
			b.ReportAllocs()
			for b.Loop() {
				p, err := g.Acquire(ctx)
				if err != nil {
					b.Fatal(err)
				}
				p.Release()
			}
		})
	}
}
