package limit

import (
	"context"
	"net/http"
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

// everything is a gate with all parts, none of which ever makes a send wait.
func everything() *Gate {
	wide := Rate{PerSecond: MaxPerSecond, Burst: MaxBurst}
	return NewGate(WithRate(wide), WithTokenRate(wide), WithAdaptive(64), WithBreaker(Breaker{}),
		WithBudget(Budget{Amount: MaxBudget, Per: MaxBudgetWindow}), WithListener(func(Event) {}))
}

// What a judge's answer carries, with headers that describe its limits.
var answered = Outcome{Result: ResultOK, Tokens: 480, Cost: 0.0011, HasCost: true, Header: http.Header{
	"X-Ratelimit-Limit-Requests": {"10000000"}, "X-Ratelimit-Remaining-Requests": {"9999999"}, "X-Ratelimit-Reset-Requests": {"6ms"},
}}

func BenchmarkEverything(b *testing.B) {
	g, ctx := everything(), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		ticket, err := g.Admit(ctx)
		if err != nil {
			b.Fatal(err)
		}
		ticket.Close()
		p, err := g.AcquireFor(ctx, Need{Tokens: 600, Cost: 0.002})
		if err != nil {
			b.Fatal(err)
		}
		p.Done(answered)
	}
}

func BenchmarkSend(b *testing.B) {
	g, ctx := everything(), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		p, err := g.AcquireFor(ctx, Need{Tokens: 600, Cost: 0.002})
		if err != nil {
			b.Fatal(err)
		}
		p.Done(answered)
	}
}
