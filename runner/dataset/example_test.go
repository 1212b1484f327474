package dataset_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/runner"
	"github.com/genaievals/genaievals/runner/dataset"
)

func ExampleRead() {
	file := `{"id":"q1","question":"Where is the Louvre?","answer":"In Paris.","contexts":["The Louvre is in Paris."]}
{"id":"q2","question":"When does it open?"}
`
	items, err := dataset.Read(strings.NewReader(file), "museum.jsonl", dataset.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for item, err := range items {
		var bad *runner.ItemError
		switch {
		case errors.As(err, &bad):
			fmt.Println("failed:", err)
		case err != nil:
			fmt.Println("stopped:", err)
		default:
			fmt.Printf("%s: %q → %q, %d document\n", item.ID, item.Input, item.Output, len(item.Documents))
		}
	}
	// Output:
	// q1: "Where is the Louvre?" → "In Paris.", 1 document
	// failed: museum.jsonl:2: no output: expected a text, or in its place answer, response, completion
}

func ExampleOptions_fields() {
	file := `{"request":{"messages":[{"role":"user","content":"Hi"}]},"reply":{"text":"Hello!"}}`
	items, err := dataset.Read(strings.NewReader(file), "log.jsonl", dataset.Options{
		Fields: map[string]string{"input": "request.messages", "output": "reply.text"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for item, err := range items {
		fmt.Println(item.Input, item.Output, err)
	}
	// Output:
	// Hi Hello! <nil>
}
