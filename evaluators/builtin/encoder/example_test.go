package encoder_test

import (
	"context"
	"fmt"

	"github.com/genaievals/genaievals/evaluators/builtin/encoder"
)

// Which of some sentences answers a question: the one nearest to it.
func ExampleEncoder_Embed() {
	e, err := encoder.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	vectors, err := e.Embed(context.Background(),
		"How do I reset my password?",
		"To change your password, open settings and choose security.",
		"The library opens at nine on weekdays.",
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	question := &vectors[0]
	fmt.Printf("about passwords: %.1f\n", question.Cosine(&vectors[1]))
	fmt.Printf("about the library: %.1f\n", question.Cosine(&vectors[2]))
	// Output:
	// about passwords: 0.7
	// about the library: 0.1
}

// A tenth of one core, for an application that is short of them.
func ExampleWithShare() {
	if _, err := encoder.New(encoder.WithShare(0.1)); err != nil {
		fmt.Println(err)
	}
	_, err := encoder.New(encoder.WithShare(2))
	fmt.Println(err)
	// Output:
	// encoder: a share of a core is above 0 and at most 1: 2
}

// Only the beginning of a long text is read, and the vector says so.
func ExampleVector() {
	e, err := encoder.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	long := ""
	for range 40 {
		long += "The ferry leaves at seven. "
	}
	vectors, err := e.Embed(context.Background(), "The ferry leaves at seven.", long, " ")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range vectors {
		fmt.Println(v.Pieces, v.Truncated)
	}
	// Output:
	// 8 false
	// 128 true
	// 0 false
}
