// Command encoder is the least program that uses the sentence encoder. It
// prints what that costs: the first use, a sentence, a reply, and the memory
// that is resident afterwards.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder"
)

// reply is one of 12 sentences of 12 words.
var reply = []string{
	"You can return any pair of shoes within thirty days of delivery.",
	"Please keep the receipt, because our shop will ask you for it.",
	"Shoes that were worn outside cannot be taken back by the shop.",
	"If the box is damaged, put the shoes into any other box.",
	"The label for the parcel is in the message we sent yesterday.",
	"Bring the parcel to any post office that is near your home.",
	"We send the money back within a week after the parcel arrives.",
	"You will get a short message as soon as that has happened.",
	"Should the size be wrong, we will gladly send you another pair.",
	"The second delivery costs you nothing, wherever in the country you live.",
	"Write to us again if anything about this is still not clear.",
	"We wish you many long and pleasant walks in your new shoes.",
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	before, err := resident()
	if err != nil {
		return err
	}
	e, err := encoder.New(encoder.WithShare(1))
	if err != nil {
		return err
	}
	embed := func(texts ...string) time.Duration {
		began := time.Now()
		if _, failed := e.Embed(ctx, texts...); failed != nil {
			err = failed
		}
		return time.Since(began)
	}
	first := embed(reply[0])
	// The quickest of many: what else the machine does only adds.
	sentence, whole, longest := first, time.Hour, time.Hour
	for range 40 {
		sentence = min(sentence, embed(reply[0]))
		whole = min(whole, embed(reply...))
		longest = min(longest, embed(strings.Join(reply, " ")))
	}
	if err != nil {
		return err
	}
	vectors, err := e.Embed(ctx, reply...)
	if err != nil {
		return err
	}
	pieces := 0
	for _, v := range vectors {
		pieces += v.Pieces
	}
	after, err := resident()
	if err != nil {
		return err
	}
	fmt.Printf("first_ms=%g\nsentence_ms=%g\nreply_ms=%g\nlongest_ms=%g\n", ms(first), ms(sentence), ms(whole), ms(longest))
	fmt.Printf("sentence_pieces=%d\nreply_pieces=%d\nresident_kib=%d\n", vectors[0].Pieces, pieces, after-before)
	return nil
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// resident is the memory of this process that is in RAM, in KiB.
func resident() (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(status))
	i := slices.Index(fields, "VmRSS:")
	if i < 0 {
		return 0, fmt.Errorf("/proc/self/status has no VmRSS")
	}
	return strconv.Atoi(fields[i+1])
}
