package limit_test

import (
	"context"
	"fmt"
	"time"

	"github.com/genaievals/genaievals/limit"
)

func ExampleParseRate() {
	for _, s := range []string{"600/min", "0.5/sec,burst=4", "strict:2/sec", "60"} {
		r, err := limit.ParseRate(s)
		if err != nil {
			fmt.Println("refused:", s)
			continue
		}
		fmt.Println(r)
	}
	// Output:
	// 10/sec
	// 30/min,burst=4
	// strict:2/sec
	// refused: 60
}

// Every send passes the gate, retries included; the deadline can be short
// because giving up costs nothing.
func ExampleGate() {
	rate, err := limit.ParseRate("1000/sec,burst=2")
	if err != nil {
		fmt.Println(err)
		return
	}
	gate := limit.NewGate(limit.WithRate(rate))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 3 {
		permit, err := gate.Acquire(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		// … call the judge …
		permit.Release()
	}
	fmt.Println(gate.Status().Sends, "sent,", gate.Status().InFlight, "in flight")
	// Output: 3 sent, 0 in flight
}

// A worker asks to be let in before it starts a piece of work, so that the
// piece's deadline does not run while the gate is busy with others.
func ExampleGate_Admit() {
	rate, _ := limit.ParseRate("60/min")
	gate := limit.NewGate(limit.WithRate(rate))
	ticket, err := gate.Admit(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ticket.Close()

	ctx, cancel := context.WithTimeout(ticket.Context(context.Background()), 5*time.Second)
	defer cancel()
	permit, err := gate.Acquire(ctx) // in what the piece of work calls
	if err != nil {
		fmt.Println(err)
		return
	}
	defer permit.Release()
	fmt.Println("sent")
	// Output: sent
}
